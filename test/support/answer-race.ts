import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { NeedView } from '../../src/adapters/web/views.ts'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { Change } from '../../src/agent/ports/store.ts'
import type { Tool } from '../../src/agent/ports/tool.ts'
import { type Around, startClew } from '../../src/clew.ts'
import { createSystemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { listenTo, type Tab } from '../adapters/web/event-stream.ts'
import { ask } from '../adapters/web/support.ts'
import { labelsOf } from '../fakes/discord/people.ts'
import { type FakeDiscord, startFakeDiscord } from '../fakes/discord/server.ts'
import { acts, asks, closes, createFakeModel, decides, ends, plans } from '../fakes/model.ts'
import { buttonsOf } from '../fakes/slack/people.ts'
import { type FakeSlack, startFakeSlack } from '../fakes/slack/server.ts'
import { stopwatch } from './processor-time.ts'
import { silent } from './silent.ts'

/** What came of a race; times are milliseconds without those that other programs of the machine took. */
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
  /** Which answers counted, by what gave them. */
  won: Record<string, number>
}

const choices = ['Blue', 'Red'] as const
const words = 'Green'

/**
 * One Clew with a local Slack, a local Discord and its page: `each` questions on each of them, and every one is answered from the
 * page's API, by a click and in words, all of them in the same moment.
 */
export async function raceForAnswers(redisUrl: string, each: number, withinMs = 60_000): Promise<Race> {
  const slack = await startFakeSlack({ minuteMs: null })
  const discord = await startFakeDiscord({ pace: 5_000 })
  discord.limits.settings.requestsASecond = 100_000
  const general = discord.channel(discord.guild('Team'), 'general')
  const [ana, ben] = [discord.person('Ana'), discord.person('Ben')]
  const folder = await mkdtemp(join(tmpdir(), 'clew-race-'))
  const calls: string[] = []
  const watched = watch(stopwatch())
  const config = readConfig({
    ...{ REDIS_URL: redisUrl, DATA_DIR: folder, PORT: '0', AGENT_RUNS_AT_ONCE: '5000', AGENT_STRATEGY: 'step' },
    ...{ SLACK_BOT_TOKEN: slack.state.bot.token, SLACK_APP_TOKEN: slack.state.appToken, SLACK_API_URL: slack.apiUrl },
    ...{ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.url, SLACK_PROGRESS_MS: '10' },
  })
  const around = {
    clock: createSystemClock(),
    log: silent,
    model: chooser(),
    tools: [booking(calls)],
    wrap: watched.wrap,
  }
  const clew = await startClew(config, around)
  const redis = new Redis(redisUrl)
  try {
    const url = clew.url ?? ''
    await discord.until(() => discord.gateway.counts.identified > 0, 'Clew in Discord')
    const tab = await listenTo(url)
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
          questionInSlack(slack, one.slack) !== undefined && questionInDiscord(discord, one.discord) !== undefined,
      ),
    )
    const needs = await allOf(url)
    const gestures = [
      ...needs.flatMap((need) => byApi(url, need).map((post) => () => api(post))),
      ...asked.flatMap((one) => [
        async () => slack.people.click('C1', 'UBEN', questionInSlack(slack, one.slack)?.ts ?? '', choices[1]),
        async () => slack.people.say('C1', 'UANA', words, { thread: one.slack }).delivered,
        async () => ben.clicks(found(questionInDiscord(discord, one.discord)), choices[1]),
        async () => ana.says(found(discord.world.channels.get(one.discord)), words),
      ]),
    ]
    watched.start()
    const page = openPage(tab, url, watched, needs)
    await Promise.all(shuffled(gestures).map((gesture) => gesture()))
    await until('nothing waits any more', async () => (await totalOf(url)) === 0)
    const rows = createRedisStore({ redis, clock: createSystemClock(), worker: 'judge' })
    const workspaces = [...new Set(needs.map(({ workspace }) => workspace))]
    const runs = async () => (await Promise.all(workspaces.map((one) => rows.runs.list(one, each * 2)))).flat()
    await until('every task is done', async () => (await runs()).every(({ status }) => status === 'succeeded'))
    await until('all of it has been dealt with', async () => (await rows.leases.due(10_000)).length === 0)
    await until('the page shows none of them', () => page.times.size === needs.length)
    const left = (await runs())
      .filter(({ status }) => status !== 'succeeded')
      .map(({ id, status }) => `${id} ${status}`)
    const extra = (await runs()).length - each * 3
    return {
      questions: needs.length,
      calls: calls.length,
      effects: new Set(calls).size,
      orphans: [...left, ...(extra === 0 ? [] : [`${extra} tasks too many`])],
      gone: [...watched.gone.values()],
      unshown: [...page.times.values()],
      won: Object.fromEntries([...Map.groupBy(watched.won, (one) => one)].map(([name, all]) => [name, all.length])),
    }
  } finally {
    await clew.stop()
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

/** Asks once, does its one call when it is answered, and ends; what comes too late to count is an ordinary message. */
function chooser() {
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision')
      return input.message.includes('Book room') ? decides.run(input.message, input.message) : decides.reply('Noted.')
    if (contract === 'plan') return plans('Book')
    if (contract === 'replan')
      return input.observations.length > 0 ? ends('Booked.') : { status: 'replanned', plan: ['Book'], response: null }
    if (contract !== 'thought') return null
    if (input.clarifications.length === 0) return asks('Which room?', [...choices])
    return input.observations.length === 0 ? acts(input.goal, 'book') : closes('ok')
  })
  return model
}

const booking = (calls: string[]): Tool => ({
  ...{ name: 'book', description: 'Books a room.', effect: 'keyed' },
  async run(_, { effectId }) {
    calls.push(effectId)
    return { ok: true, text: 'booked' }
  },
})

/** Sees which answer to a question is stored first, and when the commit is made that takes the question out of the queue. */
function watch(elapsed: () => number) {
  const taken = new Map<string, number>()
  const gone = new Map<string, number>()
  const won: string[] = []
  let isOn = false
  const accepted = (event: InboundEvent, conversationId: string) => {
    const isAnswer =
      event.content.kind === 'answer' || (event.content.kind === 'message' && event.content.text === words)
    if (isOn && isAnswer && !taken.has(conversationId)) taken.set(conversationId, elapsed())
  }
  const committed = ({ answered, conversationId = '' }: Change) => {
    if (!isOn || answered === undefined || gone.has(conversationId)) return
    gone.set(conversationId, elapsed() - (taken.get(conversationId) ?? Number.NaN))
    won.push(answered.answer === words ? 'words' : answered.answer === choices[0] ? 'API' : 'click')
  }
  const wrap: NonNullable<Around['wrap']> = (_, port) =>
    new Proxy(port, {
      get(target, key, receiver) {
        const method: unknown = Reflect.get(target, key, receiver)
        if (typeof method !== 'function' || (key !== 'accept' && key !== 'commit')) return method
        return async (...args: unknown[]) => {
          const answer: unknown = await Reflect.apply(method, target, args)
          if (key === 'accept') accepted(args[0] as InboundEvent, (answer as { conversationId: string }).conversationId)
          else if ((answer as { kind: string }).kind === 'committed') committed(args[1] as Change)
          return answer
        }
      },
    })
  const start = () => {
    isOn = true
  }
  return { wrap, gone, taken, won, elapsed, start }
}

/**
 * A page as it is open somewhere: whatever it hears of, it fetches the queue anew, one fetch at a time, and shows no more what is not
 * in it.
 */
function openPage(tab: Tab, url: string, watched: ReturnType<typeof watch>, needs: readonly NeedView[]) {
  const times = new Map<string, number>()
  const read = async () => {
    for (let seen = 0; times.size < needs.length; ) {
      if (tab.heard.length === seen) await tab.next(() => tab.heard.length > seen)
      seen = tab.heard.length
      const shown = new Set((await allOf(url)).map(({ name }) => name))
      for (const { name, conversationId } of needs) {
        const taken = watched.taken.get(conversationId ?? '')
        if (!shown.has(name) && taken !== undefined && !times.has(name)) times.set(name, watched.elapsed() - taken)
      }
    }
  }
  void read().catch(() => undefined)
  return { times }
}

async function openOnPage(url: string, text: string): Promise<void> {
  await ask(`${url}/api/conversations`, 'POST', { text, clientMessageId: text })
}

type Needs = { needs: NeedView[]; total: number; next: string | null }
const needsOf = async (url: string, query: string) => (await ask(`${url}/api/needs-you?${query}`)).body as Needs
const totalOf = async (url: string) => (await needsOf(url, 'limit=1')).total

async function allOf(url: string): Promise<NeedView[]> {
  const all: NeedView[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Needs = await needsOf(url, `limit=200${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`)
    all.push(...page.needs)
    next = page.next
  }
  return all
}

const questionInSlack = ({ state }: FakeSlack, ts: string) =>
  state.channels
    .get('C1')
    ?.messages.find((one) => one.thread_ts === ts && buttonsOf(one.blocks).some(({ text }) => text === choices[1]))

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
