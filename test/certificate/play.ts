import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { decides } from '../fakes/model.ts'
import { delayed, type Reply, text, value } from '../fakes/openai/replies.ts'
import type { FakeRequest } from '../fakes/openai/request.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { textOf } from '../fakes/openai/validate.ts'
import { type FakeSlack, startFakeSlack } from '../fakes/slack/server.ts'
import { freePort } from '../support/free-port.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { type Count, count, markOf, numbersIn, type Said, type Shown } from './count.ts'
import { ackMs, modelMs, planOf, type Saying, type Size } from './plan.ts'
import { createLives, type System } from './system.ts'

export interface Result extends Count {
  kills: number
  /** From the first message to the last answer. */
  ms: number
  /** Why requests to the model were turned away; nothing if a system speaks its protocol. */
  refused: readonly string[]
  output: string
}

const signingSecret = 'a-signing-secret'
const people = ['UANA', 'UBEN', 'UDAN'] as const

interface Options {
  seed: number
  size: Size
  /** Program of a Redis server. */
  redis: string
}

/** Plays one seed with one system and counts from outside: what people wrote beside what they see at the end. */
export async function play(system: System, { seed, size, redis }: Options): Promise<Result> {
  const plan = planOf(seed, size)
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const port = await freePort()
  const [server, model, slack] = await Promise.all([
    startNativeRedis(redis),
    startOpenAi({ remembers: false, others: 'summary' }),
    startFakeSlack({
      route: { kind: 'http', url: `http://127.0.0.1:${port}${system.path}`, signingSecret },
      ackMs,
      // At once, after one minute and after five.
      retryMs: [0, size.minuteMs, 5 * size.minuteMs],
      minuteMs: size.minuteMs,
      chance: plan.fault,
      repeatMs: plan.repeatMs,
    }),
  ])
  slack.state.bot.events = new Set(system.events)
  openChannels(slack, size.channels)
  model.answer((request) => delayed(modelMs, answerTo(request)))
  const around = {
    ...{ port, folder, signingSecret, slackUrl: slack.apiUrl, modelUrl: model.url },
    ...{ botToken: slack.state.bot.token, redisUrl: server.url() },
  }
  const lives = createLives(system.command(around), port)
  try {
    await system.prepare?.(around)
    await lives.begin()
    const began = Date.now()
    const talk = createTalk(slack, size.channels)
    const delivered = Promise.all([talk.say(plan.sayings), goAway(slack, size)])
    const kills = await killUntil(delivered, lives, plan.uptime, size.kills)
    await settled(talk.said, slack, size)
    await talk.say(plan.closings)
    await settled(talk.said, slack, size)
    const shown = shownIn(slack)
    return {
      ...count(talk.said, shown),
      ...{ kills, refused: model.refused, output: lives.output() },
      ms: Math.max(began, ...shown.map(({ at }) => at)) - began,
    }
  } finally {
    await lives.kill()
    await Promise.all([slack.stop(), model.close(), server.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

function openChannels({ state }: FakeSlack, channels: number): void {
  const members = new Set(state.users.keys())
  for (let at = 0; at < channels; at++)
    state.channels.set(`C${at}`, {
      ...{ id: `C${at}`, kind: 'channel', archived: false, messages: [] },
      members,
    })
}

/** What people write, each message in its thread at its time. */
function createTalk(slack: FakeSlack, channels: number) {
  const said: Said[] = []
  const roots = new Map<number, string>()

  function speak({ number, thread }: Saying): Promise<void> {
    const channel = `C${thread % channels}`
    const root = roots.get(thread)
    const { ts, delivered } = slack.people.mention(
      channel,
      people[number % people.length] ?? 'UANA',
      `Please answer ${markOf(number)}`,
      root === undefined ? {} : { thread: root },
    )
    roots.set(thread, root ?? ts)
    const at = timeOf(ts)
    const one = { number, place: `${channel} ${root ?? ts}`, at, taken: false }
    said.push(one)
    return delivered.then((each) => {
      one.taken = each.some(({ acked }) => acked)
    })
  }
  return {
    said,
    /** Resolves when Slack has delivered all of it, or has given up. */
    async say(sayings: readonly Saying[]): Promise<void> {
      const began = performance.now()
      const delivered: Promise<void>[] = []
      for (const saying of sayings) {
        await wait(Math.max(0, began + saying.at - performance.now()))
        delivered.push(speak(saying))
      }
      await Promise.all(delivered)
    },
  }
}

/** Cuts Slack's Web API off for three of its minutes; its events still come. */
async function goAway(slack: FakeSlack, { overMs, minuteMs }: Size): Promise<void> {
  await wait(0.4 * overMs)
  slack.cut()
  await wait(3 * minuteMs)
  slack.mend()
}

/** Kills and starts the system's process again and again until Slack has nothing left to deliver. */
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
async function settled(
  said: readonly Said[],
  slack: FakeSlack,
  { minuteMs, quietMs }: Size,
): Promise<void> {
  let [seen, last] = [-1, performance.now()]
  for (;;) {
    const shown = shownIn(slack)
    if (shown.length !== seen) [seen, last] = [shown.length, performance.now()]
    const { lost, missed } = count(said, shown)
    const silent = performance.now() - last
    if (silent > quietMs || (lost + missed === 0 && silent > 2 * minuteMs)) return
    await wait(250)
  }
}

const timeOf = (ts: string): number => Number(ts) * 1_000

const shownIn = ({ state }: FakeSlack): Shown[] =>
  [...state.channels.values()].flatMap(({ id, messages }) =>
    messages
      .filter(({ user }) => user === state.bot.user)
      .map(({ ts, thread_ts: thread, text, blocks }) => ({
        ...{ place: `${id} ${thread}`, at: timeOf(ts) },
        text: `${text} ${JSON.stringify(blocks)}`,
      })),
  )

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
