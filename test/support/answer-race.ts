import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { NeedView } from '../../src/adapters/web/views.ts'
import { createSystemClock } from '../../src/clock.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { ask } from '../adapters/web/support.ts'
import { startPart } from '../bench/process.ts'
import { labelsOf } from '../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/server.ts'
import { buttonsOf } from '../fakes/slack/people.ts'
import { type FakeSlack, startFakeSlack } from '../fakes/slack/server.ts'
import {
  allOf,
  choices,
  type Kept,
  type Report,
  type Shown,
  totalOf,
  words,
} from './answer-race-shared.ts'

/** What came of a race; times are milliseconds, without those in which Clew's thread (or the page's, where that is more) waited for a processor that others had. */
export interface Race {
  questions: number
  /** Calls of the tool that each answer leads to once, and how many of them were told apart by their effect. */
  calls: number
  effects: number
  /** What is left that waits, goes on or is not as it should be. */
  orphans: string[]
  /** From the first of its answers that was stored until the question had left the queue, and until a page showed it no more, for each. */
  gone: number[]
  unshown: number[]
  /** How long that was in all. */
  keptMs: number
  /** Which answers counted, by what gave them. */
  won: Record<string, number>
}

/**
 * One Clew with a local Slack, a local Discord and its page: `each` questions on each of them, and every one is answered from the
 * page's API, by a click and in words, all of them in the same moment. Clew and the open page are processes of their own.
 */
export async function raceForAnswers(
  redisUrl: string,
  each: number,
  withinMs = 150_000,
): Promise<Race> {
  const slack = await startFakeSlack({ minuteMs: null })
  const discord = await startFakeDiscord({ pace: 5_000 })
  discord.limits.settings.requestsASecond = 100_000
  const general = discord.channel(discord.guild('Team'), 'general')
  const [ana, ben] = [discord.person('Ana'), discord.person('Ben')]
  const folder = await mkdtemp(join(tmpdir(), 'clew-race-'))
  const clew = await startPart<string>(new URL('./answer-race-clew.ts', import.meta.url), {
    ...{ REDIS_URL: redisUrl, DATA_DIR: folder, PORT: '0', AGENT_STRATEGY: 'step' },
    ...{
      SLACK_BOT_TOKEN: slack.state.bot.token,
      SLACK_APP_TOKEN: slack.state.appToken,
      SLACK_API_URL: slack.apiUrl,
    },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url, SLACK_PROGRESS_MS: '10' },
  })
  const url = clew.ready
  const page = await startPart<null>(new URL('./answer-race-page.ts', import.meta.url), { url })
  const redis = new Redis(redisUrl)
  try {
    await discord.until(() => discord.gateway.counts.identified > 0, 'Clew in Discord')
    const asked = Array.from({ length: each }, (_, n) => ({
      slack: slack.people.mention('C1', 'UANA', `Book room S${n}`).ts,
      discord: ana.says(general, `<@${discord.world.bot.id}> Book room D${n}`).id,
    }))
    const api = pooled(64)
    await Promise.all(asked.map((_, n) => api(() => openOnPage(url, `Book room W${n}`))))
    const until = patience(withinMs)
    await until('every question is asked', async () => (await totalOf(url)) === each * 3)
    await until('Slack and Discord show them', () =>
      asked.every(
        (one) =>
          questionInSlack(slack, one.slack) !== undefined &&
          questionInDiscord(discord, one.discord) !== undefined,
      ),
    )
    const needs = await allOf(url)
    const gestures = [
      ...needs.flatMap((need) => byApi(url, need).map((post) => () => api(post))),
      ...asked.flatMap((one) => [
        async () =>
          slack.people.click('C1', 'UBEN', questionInSlack(slack, one.slack)?.ts ?? '', choices[1]),
        async () => slack.people.say('C1', 'UANA', words, { thread: one.slack }).delivered,
        async () => ben.clicks(found(questionInDiscord(discord, one.discord)), choices[1]),
        async () => ana.says(found(discord.world.channels.get(one.discord)), words),
      ]),
    ]
    await page.ask({})
    await clew.ask<Report>({})
    await Promise.all(shuffled(gestures).map((gesture) => gesture()))
    await until('nothing waits any more', async () => (await totalOf(url)) === 0)
    const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })
    const workspaces = [...new Set(needs.map(({ workspace }) => workspace))]
    const runs = async () =>
      (await Promise.all(workspaces.map((one) => rows.runs.list(one, each * 2)))).flat()
    await until('every task is done', async () =>
      (await runs()).every(({ status }) => status === 'succeeded'),
    )
    await until(
      'all of it has been dealt with',
      async () => (await rows.leases.due(10_000)).length === 0,
    )
    const shown = async () => await page.ask<Shown>({})
    const stillShown = async () => {
      const { unshown } = await shown()
      return needs.filter(({ conversationId }) => unshown[String(conversationId)] === undefined)
    }
    await until('the page shows none of them', async () => (await stillShown()).length === 0)
    const left = (await runs())
      .filter(({ status }) => status !== 'succeeded')
      .map(({ id, status }) => `${id} ${status}`)
    const extra = (await runs()).length - each * 3
    const { calls, taken, gone, won, kept } = await clew.ask<Report>({})
    const keptUntil = (own: Kept, at: number) => own.findLast(([one]) => one <= at)?.[1] ?? 0
    // Where two processes waited, they may have waited at once: the longer of them counts.
    const since = (times: Record<string, number>, ...waits: readonly Kept[]) =>
      Object.entries(times).map(([id, until]) => {
        const from = taken[id] ?? Number.NaN
        const waited = waits.map((own) => keptUntil(own, until) - keptUntil(own, from))
        return Math.max(0, until - from - Math.max(...waited))
      })
    const seen = await shown()
    return {
      questions: needs.length,
      calls: calls.length,
      effects: new Set(calls).size,
      orphans: [...left, ...(extra === 0 ? [] : [`${extra} tasks too many`])],
      gone: since(gone, kept),
      unshown: since(seen.unshown, kept, seen.kept),
      keptMs: Math.round(kept.at(-1)?.[1] ?? 0),
      won: Object.fromEntries(
        [...Map.groupBy(won, (one) => one)].map(([name, all]) => [name, all.length]),
      ),
    }
  } finally {
    await page.end()
    await clew.end()
    await Promise.all([slack.stop(), discord.stop()])
    redis.disconnect()
    await rm(folder, { recursive: true, force: true })
  }
}

const eva = { id: 'eva', name: 'Eva' }

/** A press of the page for each question; for one of its own also a second person's press, and words. */
function byApi(url: string, { question, workspace, conversationId }: NeedView) {
  const path = `${url}/api/questions/${question?.id}/answer?workspace=${workspace}`
  const first = () => ask(path, 'POST', { choice: choices[0] })
  if (workspace !== 'web:local') return [first]
  const said = { text: words, clientMessageId: 'w' }
  return [
    first,
    () => ask(path, 'POST', { choice: choices[1], author: eva }),
    () => ask(`${url}/api/conversations/${conversationId}/messages`, 'POST', said),
  ]
}

async function openOnPage(url: string, text: string): Promise<void> {
  await ask(`${url}/api/conversations`, 'POST', { text, clientMessageId: text })
}

const questionInSlack = ({ state }: FakeSlack, ts: string) =>
  state.channels
    .get('C1')
    ?.messages.find(
      (one) =>
        one.thread_ts === ts && buttonsOf(one.blocks).some(({ text }) => text === choices[1]),
    )

const questionInDiscord = ({ world }: FakeDiscord, id: string) =>
  world.channels.get(id)?.messages.find((one) => labelsOf(one).includes(choices[1]))

/** In an order that has nothing to do with what they are, the same each time. */
const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((one, at) => ({ one, place: (at * 7_919) % 10_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)

/** At most so many requests at a time: more connections than a server's queue has room for are nobody's browser. */
function pooled(most: number) {
  let busy = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= most) await new Promise<void>((resolve) => void waiting.push(resolve))
    busy += 1
    try {
      return await work()
    } finally {
      busy -= 1
      waiting.shift()?.()
    }
  }
}

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('it is not there')
  return one
}

/** Waits for the thing itself, and says what it was that never came. */
const patience = (withinMs: number) => {
  const end = Date.now() + withinMs
  return async (what: string, look: () => boolean | Promise<boolean>) => {
    while (!(await look())) {
      if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
      await wait(20)
    }
  }
}
