import { describe, expect, it } from 'vitest'
import { createDeliver } from '../../src/agent/deliver.ts'
import { newConversation } from '../../src/agent/domain/conversation.ts'
import type { Delivery } from '../../src/agent/domain/delivery.ts'
import type { Run } from '../../src/agent/domain/run.ts'
import type { Schedule } from '../../src/agent/domain/schedule.ts'
import { wakeFor } from '../../src/agent/kernel/commit.ts'
import { createLiveRuns } from '../../src/agent/kernel/live-runs.ts'
import { createProgressQueue } from '../../src/agent/kernel/progress-queue.ts'
import type { Channel } from '../../src/agent/ports/channel.ts'
import type { ConversationState, Lease, Leases, Outbox } from '../../src/agent/ports/store.ts'
import type { Item } from '../../src/agent/ports/wakeups.ts'
import { scheduledRun } from '../../src/agent/schedules/scheduled-run.ts'
import { createManualClock } from '../fakes/clock.ts'
import { memberMay } from '../support/may.ts'
import { cron, scheduleOf } from './schedules/rows.ts'

const workspace = 'test:team'
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const outboxOf = (id: string): Item => ({ kind: 'outbox', workspace, id })

const lineOf = (conversationId: string): Delivery => ({
  version: 1,
  id: `line of ${conversationId}`,
  conversationId,
  at: 0,
  body: { kind: 'message', messageId: 'm', text: 'Hello', runId: null },
})

const unasked = async (): Promise<never> => {
  throw new Error('nobody asks for this')
}
const notAsked = {
  admit: unasked,
  spent: unasked,
  list: unasked,
  page: unasked,
  open: unasked,
  markRead: unasked,
  see: unasked,
  question: unasked,
  trace: unasked,
  remains: unasked,
  overheard: unasked,
  arrange: unasked,
  contents: unasked,
  remove: unasked,
}

/** Outboxes in memory, and a channel that allows one progress every 50 ms. */
function createStage(isLog = false, gone: { run: Run; rows: Map<number, Schedule> } | null = null) {
  const clock = createManualClock({ start: 0 })
  const told: string[] = []
  const marks = new Map<string, number>()
  const over = new Set<string>()
  const lines = new Map<string, Delivery[]>()
  const calls = { claims: 0, wakes: 0 }
  const stateOf = (id: string) => ({ conversation: conversationOf(id) }) as ConversationState
  const conversationOf = (id: string) =>
    newConversation({
      id,
      address: { workspace, channel: 'general', thread: id },
      at: 0,
      lastReadAt: 0,
    })
  const leases: Leases = {
    async claim(item) {
      calls.claims += 1
      return { item, fence: 1 }
    },
    renew: async () => true,
    async release({ item }, options) {
      const { sent = [], shown = null } = options?.done ?? {}
      const left = (lines.get(item.id) ?? []).slice(sent.length)
      lines.set(item.id, left)
      if (String(marks.get(item.id)) === shown?.revision) marks.delete(item.id)
      return options?.wakeAt === undefined && (marks.has(item.id) || left.length > 0)
        ? 'more'
        : 'released'
    },
    park: async () => {},
    due: async () => [],
    reclaim: async () => [],
    failed: async () => 0,
  }
  const outbox: Outbox = {
    async next({ item }: Lease) {
      const revision = marks.get(item.id)
      const progress =
        revision === undefined ? [] : [{ runId: item.id, revision: String(revision) }]
      const deliveries = lines.get(item.id) ?? []
      return {
        conversation: conversationOf(item.id),
        deliveries: [...deliveries],
        damaged: null,
        tried: false,
        progress,
      }
    },
    trying: async ({ item }, id) => lines.get(item.id)?.[0]?.id === id,
    async sent({ item }, id) {
      const isFirst = lines.get(item.id)?.[0]?.id === id
      if (isFirst) lines.get(item.id)?.shift()
      return isFirst
    },
    reserve: createProgressQueue(),
  }
  const channel: Channel = {
    platform: 'test',
    progressEveryMs: 50,
    isLog,
    start: async () => {},
    async send(delivery) {
      if (gone !== null) return { kind: 'refused', reason: 'is_archived' }
      told.push(`${clock.now()} ${delivery.id}`)
      return { kind: 'sent', ref: delivery.id }
    },
    async direct({ body }, _, { id }) {
      told.push(`to ${id}: ${'text' in body ? body.text : body.kind}`)
      return { kind: 'sent', ref: 'd' }
    },
    async show({ runId }) {
      told.push(`${clock.now()} progress of ${runId}`)
      return { kind: 'sent', ref: runId }
    },
    find: async () => null,
    health: () => ({ ok: true, detail: '' }),
    stop: async () => {},
  }
  const operators: Channel = {
    ...channel,
    isLog: true,
    async send(delivery) {
      told.push(`operators: ${delivery.id}`)
      return { kind: 'sent', ref: delivery.id }
    },
  }
  const live = createLiveRuns()
  const nudges = new Map<string, () => void>()
  const wakeups = {
    async wake(item: Item) {
      calls.wakes += 1
      nudges.get(`${item.workspace} ${item.kind} ${item.id}`)?.()
    },
  }
  const deliver = createDeliver({
    leases,
    nudges,
    wakeups,
    clock,
    log: silent,
    channelOf: () => channel,
    operators,
    live,
    quiet: { of: async () => null },
    store: {
      outbox,
      commits: { commit: unasked },
      conversations: { ...notAsked, state: async (_, id) => stateOf(id) },
      schedules: {
        ...{ list: unasked, add: unasked, remove: unasked, slots: unasked },
        async update(_, __, ___, id, change) {
          const row = gone?.rows.get(id)
          const changed = row === undefined ? null : change(row)
          if (changed !== null) gone?.rows.set(id, changed)
          return changed
        },
      },
      runs: {
        ...notAsked,
        state: async (_, id) => ({
          run:
            gone?.run ?? ({ id, title: id, status: over.has(id) ? 'succeeded' : 'running' } as Run),
          task: null,
          inputs: [],
          damaged: [],
          problem: null,
        }),
      },
    },
  })
  const stop = new AbortController()
  return {
    clock,
    told,
    calls,
    stop,
    deliver: (id: string) => deliver(outboxOf(id), stop.signal),
    /** What a step of a run leaves behind, and the wake that follows it. */
    async step(id: string) {
      marks.set(id, (marks.get(id) ?? 0) + 1)
      await wakeFor({ wakeups, nudges }, outboxOf(id), { conversationId: id, progress: id })
    },
    /** The same of a run's last step. */
    async end(id: string) {
      over.add(id)
      marks.set(id, (marks.get(id) ?? 0) + 1)
      await wakeFor({ wakeups, nudges }, outboxOf(id), { conversationId: id, progress: id })
    },
    /** What is said to an operator alone, in a thread. */
    tellOperator(id: string) {
      const body = { kind: 'private' as const, to: 'ana', text: 'Done', operator: true }
      lines.set(id, [...(lines.get(id) ?? []), { ...lineOf(id), id: `word of ${id}`, body }])
    },
    left: (id: string) => lines.get(id) ?? [],
    async say(id: string, runId: string | null = null) {
      const line = lineOf(id)
      const body = { kind: 'message' as const, messageId: 'm', text: 'Hello', runId }
      lines.set(id, [...(lines.get(id) ?? []), { ...line, body }])
      await wakeFor({ wakeups, nudges }, outboxOf(id), {
        conversationId: id,
        deliveries: [lineOf(id)],
      })
    },
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe.each([
  { what: 'a platform', isLog: false },
  { what: 'a log of its own', isLog: true },
])('delivering progress to $what (C49, C172)', ({ isLog }) => {
  it('gives each of many outboxes its turn, and claims each once', async () => {
    const { clock, told, calls, deliver, step } = createStage(isLog)
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await step(name)
    const working = names.map(deliver)
    for (let at = 0; at < 4; at++) {
      await settle()
      await clock.advance(50)
    }
    await Promise.all(working)
    expect(told).toEqual([
      '0 progress of a',
      '50 progress of b',
      '100 progress of c',
      '150 progress of d',
    ])
    expect(calls.claims).toBe(4)
  })

  it('shows the newest of many steps once, without a wake for each', async () => {
    const { clock, told, calls, deliver, step } = createStage(isLog)
    await step('a')
    const working = deliver('a')
    await settle()
    calls.wakes = 0
    // The first is shown at once; the outbox is kept only while there is something to show.
    await step('a')
    const again = deliver('a')
    await settle()
    for (let count = 0; count < 20; count++) await step('a')
    await clock.advance(50)
    await Promise.all([working, again])
    expect(told).toEqual(['0 progress of a', '50 progress of a'])
    expect(calls).toEqual({ claims: 2, wakes: 1 })
  })

  it('sends what has to be said at once, also while progress waits for its turn', async () => {
    const { clock, told, deliver, step, say } = createStage(isLog)
    await step('a')
    await deliver('a')
    await step('a')
    const working = deliver('a')
    await settle()
    await say('a')
    await settle()
    expect(told).toEqual(['0 progress of a', '0 line of a'])
    await clock.advance(50)
    await working
    expect(told.at(-1)).toBe('50 progress of a')
  })

  it('shows what has ended before the progress of all others, also of the same thread, none behind another (C86)', async () => {
    const { clock, told, deliver, step, end } = createStage(isLog)
    const crowd = Array.from({ length: 30 }, (_, index) => `t${index}`)
    for (const name of crowd) await step(name)
    const working = crowd.map(deliver)
    await settle()
    const ended = Array.from({ length: 40 }, (_, index) => `e${index}`)
    for (const name of ended) await end(name)
    working.push(...ended.map(deliver))
    await settle()
    await clock.advance(50)
    await settle()
    expect(told.filter((line) => line.startsWith('50 progress of e'))).toHaveLength(40)
    await clock.advance(70 * 50)
    await Promise.all(working)
    const order = told.map((line) => line.replace(/^.* of /, '').charAt(0))
    expect(order.join('')).toBe(`t${'e'.repeat(40)}${'t'.repeat(29)}`)
  })

  it('stops waiting when the process stops', async () => {
    const { deliver, step, stop, told } = createStage(isLog)
    await step('a')
    await deliver('a')
    await step('a')
    const working = deliver('a')
    await settle()
    stop.abort()
    await working
    expect(told).toHaveLength(1)
  })
})

it('sends what is behind a word to an operator alone (S22, C172)', async () => {
  const { deliver, tellOperator, say, told, left } = createStage()
  await say('a')
  tellOperator('a')
  await say('a')
  tellOperator('a')
  await deliver('a')
  expect(told).toEqual([
    '0 line of a',
    'operators: word of a',
    '0 line of a',
    'operators: word of a',
  ])
  expect(left('a')).toEqual([])
})

it('has one run for one slot of one schedule, and another for every other (P10)', () => {
  const row = (id: number) =>
    scheduleOf({
      id,
      place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
      createdBy: { id: 'ana', name: 'Ana' },
      when: cron('0 9 * * *'),
    })
  const idOf = (over: { scope?: string; id?: number; key?: string; slot?: number }) => {
    const { scope = 'channel:general', id = 3, key = '0', slot = 0 } = over
    const firing = { workspace, scope, schedule: row(id), now: 0, times: 'wall' as const }
    return scheduledRun(firing, { slot, key }, memberMay('start')).id
  }
  expect(idOf({ slot: 60_000 }), 'the same slot, put off').toBe(idOf({}))
  const others = [{}, { key: '1' }, { id: 4 }, { scope: 'channel:random' }].map(idOf)
  expect(new Set(others).size).toBe(others.length)
})

describe('what a schedule says where its place is gone (C377)', () => {
  const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }
  const ana = { id: 'ana', name: 'Ana' }
  const row = scheduleOf({ id: 3, place, createdBy: ana, when: cron('0 9 * * *') })
  const firing = { workspace, scope: 'channel:general', schedule: row, now: 0 }
  const slot = { slot: 0, key: '0' }
  const run = scheduledRun({ ...firing, times: 'wall' }, slot, memberMay('start'))
  const sayIn = async (changes: Partial<Schedule>, of: Partial<Run> = {}) => {
    const rows = new Map([[3, { ...row, ...changes }]])
    const stage = createStage(false, { run: { ...run, ...of }, rows })
    await stage.say('a', 'r')
    await stage.deliver('a')
    const again = async () => {
      await stage.say('a', 'r')
      await stage.deliver('a')
    }
    return { stage, rows, again }
  }

  it('pauses it, and its owner is told so once', async () => {
    const { stage, rows, again } = await sayIn({})
    expect(rows.get(3)).toEqual({ ...row, paused: true, gone: 'place' })
    expect(stage.told).toEqual([
      expect.stringMatching(/^to ana: Hello\n\n\*\*Schedule #3 is paused/),
    ])
    await again()
    expect(stage.told.slice(1)).toEqual(['to ana: Hello'])
  })

  it.each<[string, Partial<Schedule>, Partial<Run>]>([
    ['is paused already', { paused: true }, {}],
    ['does not come again', { nextAt: null }, {}],
    ['has another place by now', { place: { ...place, channel: 'random' } }, {}],
    ['is none: somebody asked for the work', {}, { schedule: undefined, requestedBy: ana }],
  ])('leaves one alone that %s', async (_, changes, of) => {
    const { stage, rows } = await sayIn(changes, of)
    expect(rows.get(3)).toEqual({ ...row, ...changes })
    expect(stage.told).toEqual(['to ana: Hello'])
  })
})
