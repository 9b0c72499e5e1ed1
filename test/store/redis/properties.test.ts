import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { assistantMessage } from '../../../src/agent/domain/message.ts'
import type { Lease, Store } from '../../../src/agent/ports/store.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import {
  at,
  eventOf,
  itemOf,
  messageEvent,
  opening,
  openRun,
  workspace,
} from '../../contracts/store/rows.ts'
import type { StoreBench } from '../../contracts/store.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { runs } from '../../support/runs.ts'
import { benchOn } from './bench.ts'

describeWith('redis-server', 'histories', (program) => {
  let server: RedisServer
  let bench: StoreBench & { raw: { flushall(): Promise<unknown> } }
  let stores: Store[]
  beforeAll(async () => {
    server = await startRedis(program)
    bench = await benchOn(server.url)
    stores = [1, 2, 3].map((n) => bench.open(`worker-${n}`))
  })
  beforeEach(() => bench.raw.flushall())
  afterAll(async () => {
    await bench.close()
    await server.stop()
  })
  const storeOf = (n: number): Store => stores[n % stores.length] ?? bench.open()

  it('of deliveries, 1 to 6 times each, in any order, twins among them, make one entry of each gesture (P3, I1, I11)', async () => {
    /** The names under which one gesture may come; one of them is always there. */
    const forms = [
      [['m'], ['m', 'c'], ['c', 'm']],
      [['m', 'c'], ['m2', 'c'], ['c']],
    ]
    const gesture = fc.record({
      kind: fc.nat(1),
      thread: fc.nat(2),
      deliveries: fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }),
    })
    const history = fc.array(gesture, { minLength: 1, maxLength: 6 }).chain((gestures) => {
      const all = gestures.flatMap(({ kind, thread, deliveries }, g) =>
        deliveries.map((form) => ({ g, kind, thread, form })),
      )
      const order = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })
      return fc.record({
        gestures: fc.constant(gestures),
        order,
        atOnce: fc.integer({ min: 1, max: 6 }),
      })
    })
    const property = fc.asyncProperty(history, async ({ gestures, order, atOnce }) => {
      await bench.raw.flushall()
      const events = order.map(({ g, kind, thread, form }): InboundEvent => {
        const names = forms[kind]?.[form] ?? ['m']
        return messageEvent(g, { thread: `t${thread}`, keys: names.map((name) => `${name}${g}`) })
      })
      const accepted = []
      for (let start = 0; start < events.length; start += atOnce) {
        const batch = events.slice(start, start + atOnce)
        accepted.push(
          ...(await Promise.all(batch.map((event, n) => storeOf(n).inbox.accept(event, opening)))),
        )
      }
      expect(accepted.filter(({ kind }) => kind === 'accepted')).toHaveLength(gestures.length)
      const ids = new Set(accepted.map(({ conversationId }) => conversationId))
      const states = await Promise.all(
        [...ids].map((id) => storeOf(0).conversations.state(workspace, id, 100)),
      )
      const taken = states.flatMap((state) => state?.inbox.map(({ id }) => id) ?? [])
      expect(taken).toHaveLength(gestures.length)
      expect(new Set(taken)).toEqual(new Set(accepted.map(({ entry }) => entry.id)))
    })
    await fc.assert(property, { numRuns: runs() })
  })

  /** What workers and people do, one atomic step at a time, in any order; a worker may stop anywhere for ever, or for long. */
  const interleavings = fc.array(
    fc.record({
      who: fc.nat(5),
      does: fc.oneof(
        { weight: 12, arbitrary: fc.constant('next' as const) },
        { weight: 1, arbitrary: fc.constant('crash' as const) },
        { weight: 1, arbitrary: fc.constant('pause' as const) },
      ),
    }),
    { minLength: 10, maxLength: 80 },
  )

  it('of enqueue, drain, release and crash strand nothing, and take every message once and in order (P5, I5, R150)', async () => {
    const property = fc.asyncProperty(interleavings, async (steps) => {
      await bench.raw.flushall()
      const { conversationId } = await storeOf(0).inbox.accept(eventOf({ keys: ['m0'] }), opening)
      const item = itemOf('conversation', conversationId)
      const taken: string[] = []
      let sent = 1
      const workers = [1, 2, 3].map((n) => createWorker(storeOf(n), item, taken))
      for (const { who, does } of steps) {
        const worker = workers[who]
        if (does === 'pause') await bench.clock.advance(11_000)
        else if (worker === undefined)
          await storeOf(who).inbox.accept(messageEvent(sent++, { keys: [`m${sent - 1}`] }), opening)
        else if (does === 'crash') worker.crash()
        else await worker.step()
      }
      // Everybody is gone; only what is due brings the rest to light.
      await bench.clock.advance(11_000)
      const last = createWorker(storeOf(0), item, taken)
      while (last.isBusy() || (await storeOf(0).leases.due(10)).length > 0) await last.step()
      expect(taken).toEqual(Array.from({ length: sent }, (_, n) => `m${n}`))
    })
    await fc.assert(property, { numRuns: runs() })
  })

  it('with pauses longer than the lease hold no stale commit (P6, I8)', async () => {
    const property = fc.asyncProperty(interleavings, async (steps) => {
      await bench.raw.flushall()
      const { conversationId, run } = await openRun(storeOf(0))
      const item = itemOf('run', run.id)
      const written: string[] = []
      let newest = 0
      let commits = 0
      const leases: (Lease | null)[] = [null, null, null, null, null, null]
      for (const { who, does } of steps) {
        const store = storeOf(who)
        const lease = leases[who] ?? null
        if (does === 'pause') await bench.clock.advance(11_000)
        else if (does === 'crash') leases[who] = null
        else if (lease === null) {
          const claimed = await store.leases.claim(item, 10_000)
          leases[who] = claimed
          if (claimed !== null) newest = claimed.fence
        } else {
          const text = `${lease.fence}:${commits++}`
          const message = assistantMessage({ kind: 'run', refId: run.id }, text, text, at)
          const change = { id: `k${text}`, at, conversationId, messages: [message] }
          const committed = await store.commits.commit(lease, change)
          expect(committed.kind, `under ${lease.fence} of ${newest}`).toBe(
            lease.fence === newest ? 'committed' : 'fenced',
          )
          if (committed.kind === 'committed') written.push(text)
          else leases[who] = null
        }
      }
      const state = await storeOf(0).conversations.state(workspace, conversationId, 200)
      expect(state?.messages.slice(1).map(({ text }) => text)).toEqual(written)
    })
    await fc.assert(property, { numRuns: runs() })
  })
})

/** Takes a conversation's messages in turn, one call to the store a step, as `withLease` and the turn do. */
function createWorker(store: Store, item: Item, taken: string[]) {
  type At =
    | { kind: 'idle' }
    | { kind: 'look'; lease: Lease }
    | { kind: 'take'; lease: Lease; entry: { id: string; key: string } }
    | { kind: 'leave'; lease: Lease }
  let now: At = { kind: 'idle' }
  const next = async (): Promise<At> => {
    switch (now.kind) {
      case 'idle': {
        const lease = await store.leases.claim(item, 10_000)
        return lease === null ? now : { kind: 'look', lease }
      }
      case 'look': {
        const first = (await store.conversations.state(item.workspace, item.id, 0))?.inbox[0]
        if (first === undefined) return { kind: 'leave', lease: now.lease }
        return {
          kind: 'take',
          lease: now.lease,
          entry: { id: first.id, key: first.event.keys[0] ?? '' },
        }
      }
      case 'take': {
        const change = { id: `k_${now.entry.id}`, at: 0, consume: 1 }
        const { kind } = await store.commits.commit(now.lease, change)
        if (kind !== 'committed') return { kind: 'idle' }
        taken.push(now.entry.key)
        return { kind: 'look', lease: now.lease }
      }
      case 'leave': {
        const released = await store.leases.release(now.lease)
        return released === 'more' ? { kind: 'look', lease: now.lease } : { kind: 'idle' }
      }
    }
  }
  return {
    async step() {
      now = await next()
    },
    crash() {
      now = { kind: 'idle' }
    },
    isBusy: () => now.kind !== 'idle',
  }
}
