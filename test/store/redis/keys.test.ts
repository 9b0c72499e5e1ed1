import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { termsIn } from '../../../src/agent/domain/search-words.ts'
import { NotWritten } from '../../../src/agent/ports/not-written.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { scripts } from '../../../src/store/redis/scripts.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { proposing } from '../../contracts/memories.ts'
import { isGone, lived } from '../../contracts/store/privacy.ts'
import {
  ana,
  at,
  changeOf,
  claim,
  commitOnce,
  deliveryOf,
  eventOf,
  itemOf,
  lineOf,
  messageEvent,
  observationOf,
  opening,
  openRun,
  openThread,
  questionOf,
  taskOf,
  workspace,
} from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { TappedRedis } from './tapped.ts'

const day = 24 * 60 * 60 * 1000
const buildNeeds = async ({ needs }: Store) => {
  while (await needs.build());
}
const keys = keysOf(workspace)

describeWith('redis-server', 'what lies in Redis', (program) => {
  let server: RedisServer
  let redis: Redis
  let store: Store
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    store = createRedisStore({ redis, clock: createManualClock(), worker: 'w' })
  })
  afterAll(() => server.stop())

  it('remembers every name of an event for 24 hours (P3, I3)', async () => {
    await store.inbox.accept(eventOf({ keys: ['a', 'b'] }), opening)
    await store.inbox.accept(eventOf({ keys: ['b', 'c'] }), opening)
    for (const name of ['a', 'b', 'c']) {
      const left = await redis.pttl(keys.seen(name))
      expect(left).toBeGreaterThan(day - 60_000)
      expect(left).toBeLessThanOrEqual(day)
    }
  })

  it('finds what waited for people before there was an index, once and only while it waits (C190)', async () => {
    const { conversationId, run } = await openRun(store)
    const commit = (change: object) =>
      commitOnce(store, itemOf('run', run.id), { conversationId, ...change })
    await commit({ ask: questionOf(1) })
    await commit({ ask: questionOf(2), runs: [{ id: run.id, patch: { status: 'paused' } }] })
    await store.memories.change(
      workspace,
      'channel:general',
      'x',
      proposing('We meet in Lisbon', at + 1),
    )
    const list = async () =>
      (await store.needs.list([{ workspace }], null, 50)).needs.map(({ name }) => name).sort()
    const before = await list()
    expect(before).toHaveLength(4)
    await redis.del(keys.needs())
    await buildNeeds(store)
    expect(await list()).toEqual(before)
    await redis.del(keys.needs())
    await buildNeeds(store)
    expect(await list(), 'it was built already').toEqual([])
  })

  it('shows what it cannot read, with its thread, beside what it can, until it is gone (C256)', async () => {
    const { conversationId, run } = await openRun(store)
    const item = itemOf('run', run.id)
    await commitOnce(store, item, { conversationId, ask: questionOf(1) })
    await commitOnce(store, item, { conversationId, ask: questionOf(2) })
    const list = async () =>
      (await store.needs.list([{ workspace }], null, 50)).needs.map((need) =>
        need.kind === 'unreadable'
          ? [need.kind, need.conversationId, need.conversation?.id ?? null]
          : [need.kind],
      )
    const { id: first } = questionOf(1)
    const row = (await redis.hget(keys.questions, first)) ?? ''
    await redis.hset(keys.questions, first, row.replace('"text"', '"words"'))
    expect(await list()).toEqual([['unreadable', conversationId, conversationId], ['question']])
    await redis.hset(keys.questions, first, row.slice(0, 20))
    expect(await list()).toEqual([['unreadable', null, null], ['question']])
    await redis.hset(keys.questions, first, row)
    const { row: thread } = keys.conversation(conversationId)
    await redis.hset(thread, 'version', '2')
    expect(await list(), 'their thread was written by a newer version').toEqual([
      ['unreadable', conversationId, null],
      ['unreadable', conversationId, null],
    ])
    await redis.hset(thread, 'version', '1')
    await commitOnce(store, item, {
      conversationId,
      runs: [{ id: run.id, patch: { status: 'paused' } }],
    })
    await redis.hset(keys.run(run.id).row, 'version', '2')
    expect(await list()).toEqual([
      ['unreadable', conversationId, conversationId],
      ['question'],
      ['question'],
    ])
    await redis.hset(keys.run(run.id).row, 'version', '1')
    await redis.hset(keys.questions, first, row.replace('"text"', '"words"'))
    await commitOnce(store, item, {
      conversationId,
      dropQuestions: [questionOf(2)],
      runs: [{ id: run.id, patch: { status: 'canceled' } }],
    })
    expect(await list(), 'its task has ended').toEqual([])
  })

  it('finds it in every thread, in parts, while people talk in others (C190, C594)', async () => {
    const threads: string[] = []
    for (let n = 0; n < 220; n++)
      threads.push(await openThread(store, { thread: `t${n}`, keys: [`k${n}`], at: at + n }))
    const asked = [0, 49, 50, 120, 219].map((n) => threads[n] ?? '')
    for (const [n, conversationId] of asked.entries())
      await commitOnce(store, itemOf('conversation', conversationId), {
        conversationId,
        ask: questionOf(n),
      })
    for (const [n, id] of threads.entries()) await redis.zadd(keys.conversations, at + n, id)
    await redis.del(keys.needs())
    const tapped = new TappedRedis(server.url)
    const { build } = createRedisStore({
      redis: tapped,
      clock: createManualClock(),
      worker: 'w',
    }).needs
    const sent: number[] = []
    for (let more = true; more; ) {
      more = await build()
      sent.push(tapped.sent.splice(0).length)
      // Between two parts somebody talks in the next threads, and in the one in the middle.
      for (const n of [50 * sent.length, 50 * sent.length + 20, 120])
        await redis.zadd(keys.conversations, at + 1_000 + sent.length, threads[n] ?? '')
    }
    tapped.disconnect()
    const { needs } = await store.needs.list([{ workspace }], null, 50)
    expect(needs.map(({ conversation }) => conversation?.id).sort()).toEqual(asked.sort())
    expect(sent.length).toBeGreaterThan(220 / 50)
    expect(Math.max(...sent)).toBeLessThan(200)
  })

  const find = async (text: string) => {
    const search = {
      said: termsIn(text),
      people: [],
      places: [],
      group: null,
      only: null,
      from: null,
      until: null,
    }
    return (await store.search.find([workspace], search, null, 5)).found.map(
      ({ line }) => line.conversation.id,
    )
  }

  const build = async () => {
    while (await store.search.build());
  }

  it('finds what was said before there was an index of words, once it was built (C200)', async () => {
    const id = await openThread(store)
    await redis.del(keys.words.all, keys.conversation(id).words)
    expect(await find('offsite')).toEqual([])
    await build()
    expect(await find('offsite')).toEqual([id])
    await redis.del(keys.words.all, keys.conversation(id).words)
    await build()
    expect(await find('offsite'), 'it was built already').toEqual([])
  })

  it('asks no more of Redis to list and to search many threads than a few (C207)', async () => {
    const tapped = new TappedRedis(server.url)
    const other = createRedisStore({ redis: tapped, clock: createManualClock(), worker: 'w' })
    const asked = async () => {
      const names: string[] = []
      tapped.before = async ({ name }) => void names.push(name)
      const search = {
        said: termsIn('needle'),
        people: [],
        places: [],
        group: null,
        only: null,
        from: null,
        until: null,
      }
      expect((await other.search.find([workspace], search, null, 20)).found).toHaveLength(1)
      expect((await other.conversations.page([workspace], null, 2)).lines).toHaveLength(2)
      return names
    }
    const saying = (text: string) => ({
      kind: 'message' as const,
      text,
      addressed: true,
      forSomeoneElse: false,
    })
    const open = (n: number) => openThread(store, { thread: `t${n}`, keys: [`k${n}`], at: at + n })
    await openThread(store, { content: saying('a needle') })
    for (let n = 0; n < 3; n++) await open(n + 2)
    await asked()
    const few = await asked()
    for (let n = 5; n < 305; n++) await open(n)
    expect(await asked()).toEqual(few)
    tapped.disconnect()
  })

  it('keeps no word of what was deleted or is kept no longer (S24)', async () => {
    await store.conversations.remove(workspace, await openThread(store))
    await openThread(store, { thread: 't2', keys: ['k2'] })
    await store.retention.purge(at + 1)
    expect(await redis.zrange(keys.words.all, '0', '-1')).toEqual([])
    expect(await redis.keys('*:words')).toEqual([])
  })

  it('finds nothing by words that may be gone, however many threads are to be looked at anew (S24)', async () => {
    const id = await openThread(store)
    const others = Array.from({ length: 3_000 }, (_, n) => `c_${n}`)
    await redis.sadd(keys.words.stale, id, ...others)
    await redis.del(keys.conversation(id).messages)
    await redis.hset(keys.conversation(id).row, 'title', '""')
    expect(await find('offsite')).toEqual([])
  })

  it('is rid of the words, too, where erasing was interrupted once the message was gone (S24)', async () => {
    const id = await openThread(store)
    await redis.del(keys.conversation(id).messages)
    await redis.hset(keys.conversation(id).row, 'title', '""')
    expect(await find('offsite')).toEqual([id])
    await store.privacy.erase(workspace, ana.id)
    expect(await find('offsite')).toEqual([])
  })

  it('remembers no event whose message it could not write, so that it comes again (I2, P4, C63)', async () => {
    await redis.config('SET', 'maxmemory', '1')
    await expect(store.inbox.accept(eventOf(), opening)).rejects.toThrow(NotWritten)
    await redis.config('SET', 'maxmemory', '0')
    expect((await store.inbox.accept(eventOf(), opening)).kind).toBe('accepted')
  })

  it('writes of a task only what changed, and of its lists only the new ends', async () => {
    const { run } = await openRun(store)
    const lease = await claim(store, itemOf('run', run.id))
    const before = taskOf({
      observations: [observationOf(1)],
      planItems: [{ text: 'find venues', done: false }],
    })
    await store.commits.commit(lease, changeOf({ task: { before: null, after: before } }))
    // Marks that a write of the whole task would wipe out.
    const { row, growing } = keys.run(run.id)
    await redis.hset(row, 'task.planItems', '"untouched"')
    await redis.lset(growing('observations'), 0, '"untouched"')
    const after = {
      ...before,
      currentPlanIndex: 1,
      observations: [...before.observations, observationOf(2)],
    }
    await store.commits.commit(lease, changeOf({ task: { before, after } }))
    expect(await redis.hmget(row, 'task.planItems', 'task.currentPlanIndex')).toEqual([
      '"untouched"',
      '1',
    ])
    expect(await redis.lrange(growing('observations'), 0, -1)).toEqual([
      '"untouched"',
      JSON.stringify(observationOf(2)),
    ])
  })

  it('is read no further than needed: the tasks of listed runs stay where they are', async () => {
    const { run } = await openRun(store)
    await redis.hset(keys.run(run.id).row, 'task.version', 'no JSON')
    expect(await store.runs.list(workspace, 10)).toEqual([run])
  })

  it('answers a claim that is sent again after a cancel with no lease of the canceled (P6, P8)', async () => {
    const { conversationId, run } = await openRun(store)
    const { row } = keys.run(run.id)
    const send = () =>
      redis.eval(scripts.claim, 2, row, keys.due('run'), 0, 10_000, 'w', 'nonce', run.id)
    const fence = Number(await send())
    expect(Number(await send()), 'the same again').toBe(fence)
    await commitOnce(store, itemOf('conversation', conversationId), {
      runs: [{ id: run.id, patch: { status: 'canceled' }, fenceOff: true }],
    })
    const raised = Number(await redis.hget(row, '~fence'))
    expect(raised).toBeGreaterThan(fence)
    expect(Number(await send()), 'a lease of its own').toBeGreaterThan(raised)
  })

  it('looks no more for an item whose row is gone', async () => {
    await redis.sadd('clew:workspaces', workspace)
    await redis.zadd(keys.due('run'), 0, 'r_gone')
    expect(await store.leases.due(10)).toEqual([itemOf('run', 'r_gone')])
    expect(await store.leases.claim(itemOf('run', 'r_gone'), 1_000)).toBeNull()
    expect(await store.leases.due(10)).toEqual([])
  })

  it('makes a workspace known with every event, also when Redis has lost it (R144)', async () => {
    await store.inbox.accept(messageEvent(1), opening)
    await redis.del('clew:workspaces')
    await store.inbox.accept(messageEvent(2), opening)
    expect(await store.leases.due(10)).toHaveLength(1)
  })

  it('stays when something was said after a purge had looked', async () => {
    const id = await openThread(store)
    const tapped = new TappedRedis(server.url)
    const purging = createRedisStore({
      redis: tapped,
      clock: createManualClock({ name: 'purge' }),
      worker: 'w',
    })
    tapped.before = async ({ name }) => {
      if (name === 'lrange') await redis.zadd(keys.conversations, at + day, id)
    }
    expect(await purging.retention.purge(at + 1)).toBe(0)
    expect(await store.conversations.list(workspace, 10)).toHaveLength(1)
    tapped.disconnect()
  })

  it('is all gone when a conversation is removed, but for what ends by itself', async () => {
    const { conversationId, run } = await openRun(store)
    const drive = itemOf('run', run.id)
    await commitOnce(store, drive, {
      conversationId,
      task: {
        before: null,
        after: taskOf({
          observations: [observationOf(1)],
          clarifications: [{ step: 1, question: null, text: 'x', author: ana }],
          conclusions: [{ step: 1, item: 'x', text: null, ok: true }],
        }),
      },
      messages: [lineOf(1)],
      outcomes: [{ messageId: 'm_1', outcome: { kind: 'answered' } }],
      ask: questionOf(1),
      deliveries: [deliveryOf(1, conversationId)],
      progress: run.id,
      trace: [run.id, conversationId].map((of) => ({
        of,
        entry: { at, what: { kind: 'task_done' } },
      })),
    })
    await commitOnce(store, drive, {
      conversationId,
      answered: { question: questionOf(1), answer: 'Lisbon', author: ana, at },
      inputs: [{ runId: run.id, input: { kind: 'continue', entryId: 'e_1' } }],
      runs: [{ id: run.id, patch: { status: 'succeeded', endedAt: at } }],
    })
    const out = await claim(store, itemOf('outbox', conversationId))
    const [shown = null] = (await store.outbox.next(out)).progress
    expect(await store.leases.release(out, { done: { sent: ['d_1'], shown } })).toBe('released')
    expect(await store.retention.purge(at + 1)).toBe(1)
    const left = (await redis.keys('*')).filter((key) => !key.startsWith(keys.seen('')))
    expect(left).toEqual(['clew:workspaces'])
  })

  it('ends the same when erasing a person is interrupted anywhere and done again (C118)', async () => {
    const tapped = new TappedRedis(server.url)
    const interrupted = createRedisStore({ redis: tapped, clock: createManualClock(), worker: 'w' })
    for (const at of [0, 2, 4, 7, 10, 12, 14, 16, 18]) {
      await redis.flushall()
      const threads = await lived(store)
      let writes = 0
      tapped.before = async ({ script }) => {
        if ((script === 'amend' || script === 'eraseRun') && writes++ >= at)
          throw new Error('killed')
      }
      await expect(interrupted.privacy.erase(workspace, ana.id)).rejects.toThrow('killed')
      await store.privacy.erase(workspace, ana.id)
      await isGone(store, threads)
    }
    tapped.disconnect()
  })
})
