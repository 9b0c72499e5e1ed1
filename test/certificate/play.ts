import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { decides } from '../fakes/model.ts'
import { delayed, type Reply, text, value } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { textOf } from '../fakes/openai/validate.ts'
import { freePort } from '../support/free-port.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { type Count, count, markOf, numbersIn } from './count.ts'
import { startDiscord } from './discord.ts'
import { modelMs, planOf, type Saying, type Size } from './plan.ts'
import { startSlack } from './slack.ts'
import type { Stage, StageOptions } from './stage.ts'
import { createLives, type System } from './system.ts'

export interface Result extends Count {
  kills: number
  /** From the first message to the last answer. */
  ms: number
  /** Why requests to the model were turned away; nothing if a system speaks its protocol. */
  refused: readonly string[]
  output: string
}

export type Platform = 'slack' | 'discord'

interface Options {
  platform?: Platform
  seed: number
  size: Size
  /** Program of a Redis server. */
  redis: string
}

/** Plays one seed with one system and counts from outside: what people wrote beside what they see at the end. */
export async function play(
  system: System,
  { platform = 'slack', seed, size, redis }: Options,
): Promise<Result> {
  const plan = planOf(seed, size)
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const port = await freePort()
  const [server, model, stage] = await Promise.all([
    startNativeRedis(redis),
    startOpenAi({ remembers: false, others: 'summary' }),
    startStage(platform, system, { port, plan, size }),
  ])
  model.answer((request) => delayed(modelMs, answerTo(request)))
  const around = {
    port,
    folder,
    keys: stage.keys,
    modelUrl: model.url,
    redisUrl: server.url(),
  }
  const lives = createLives(system.command(around), { port, isReady: stage.listens })
  try {
    await system.prepare?.(around)
    await lives.begin()
    const began = Date.now()
    const delivered = Promise.all([say(stage, plan.sayings), goAway(stage, size)])
    const kills = await killUntil(delivered, lives, plan.uptime, size.kills)
    await settled(stage, size)
    await say(stage, plan.closings)
    await settled(stage, size)
    const shown = stage.shown()
    return {
      ...count(stage.said, shown),
      ...{ kills, refused: model.refused, output: lives.output() },
      ms: Math.max(began, ...shown.map(({ at }) => at)) - began,
    }
  } finally {
    await lives.kill()
    await Promise.all([stage.stop(), model.close(), server.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

function startStage(platform: Platform, system: System, options: StageOptions): Promise<Stage> {
  if (platform === 'slack') return startSlack(system.slack, options)
  if (system.discord === undefined)
    throw new Error(`${system.name} takes no messages of Discord; see docs/certificate.md`)
  return startDiscord(system.discord, options)
}

/** Resolves when the platform has delivered all of it, each at its time, or has given up. */
async function say(stage: Stage, sayings: readonly Saying[]): Promise<void> {
  const began = performance.now()
  const delivered: Promise<void>[] = []
  for (const saying of sayings) {
    await wait(Math.max(0, began + saying.at - performance.now()))
    delivered.push(stage.speak(saying))
  }
  await Promise.all(delivered)
}

/** Takes the platform's API away for three of its minutes; its events still come. */
async function goAway(stage: Stage, { overMs, minuteMs }: Size): Promise<void> {
  await wait(0.4 * overMs)
  stage.cut()
  await wait(3 * minuteMs)
  stage.mend()
}

/** Kills and starts the system's process again and again until the platform has nothing left to deliver. */
async function killUntil(
  delivered: Promise<unknown>,
  lives: ReturnType<typeof createLives>,
  uptime: () => number,
  most: number,
): Promise<number> {
  let over = false
  const end = delivered.then(() => {
    over = true
  })
  let kills = 0
  while (kills < most) {
    await wait(uptime())
    if (over && most === Number.POSITIVE_INFINITY) break
    await lives.kill()
    kills += 1
    await lives.begin()
  }
  await end
  return kills
}

/** Waits until all is answered and some time has passed in which it could be answered again, or until nothing happens. */
async function settled(stage: Stage, { minuteMs, quietMs }: Size): Promise<void> {
  let [seen, last] = [-1, performance.now()]
  for (;;) {
    const shown = stage.shown()
    if (shown.length !== seen) [seen, last] = [shown.length, performance.now()]
    const { lost, missed } = count(stage.said, shown)
    const silent = performance.now() - last
    if (silent > quietMs || (lost + missed === 0 && silent > 2 * minuteMs)) return
    await wait(250)
  }
}

/** The same model for everybody: repeats the marks of what it was asked since it last answered, and of nothing before that. */
function answerTo({ contract, prompt, body }: FakeRequest): Reply {
  const isClew = /^# Contract: \w+$/m.test(prompt)
  const answered = body.messages.findLastIndex(({ role }) => role === 'assistant')
  const latest = body.messages.slice(answered + 1).filter(({ role }) => role === 'user')
  // Clew's own prompt ends in the message that is to be answered; what is marked as the thread's context asks for nothing.
  const asked = isClew
    ? prompt.slice(prompt.lastIndexOf('ref-'))
    : latest
        .map(({ content }) => textOf(content).replaceAll(/\[Thread context[\s\S]*?\n\n/g, ''))
        .join('\n')
  const answer = `Answer to ${numbersIn(asked).map(markOf).join(' and ')}.`
  if (!isClew) return text(answer)
  return contract === 'decision' ? value(decides.reply(answer)) : value({ content: answer })
}
