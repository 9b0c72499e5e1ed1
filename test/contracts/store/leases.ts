import { expect, it } from 'vitest'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import type { Parts } from '../store.ts'
import {
  changeOf,
  claim,
  commitOnce,
  deliveryOf,
  itemOf,
  messageEvent,
  opening,
  openRun,
  openThread,
} from './rows.ts'

export function describeLeases(parts: Parts) {
  /** An item of each kind with something in its mailbox, and one with nothing. */
  async function itemWithWork(kind: (typeof kinds)[number], waits: boolean): Promise<Item> {
    const { store } = parts
    const { conversationId, run } = await openRun(store)
    if (kind === 'conversation' && waits) await store.inbox.accept(messageEvent(2), opening)
    const inputs = [{ runId: run.id, input: { kind: 'continue' as const, entryId: 'e_2' } }]
    const deliveries = [deliveryOf(1, conversationId)]
    const waiting = { conversation: {}, run: { inputs }, outbox: { conversationId, deliveries } }[
      kind
    ]
    if (waits) await commitOnce(store, itemOf('conversation', conversationId), waiting)
    return itemOf(kind, kind === 'run' ? run.id : conversationId)
  }
  const kinds = ['conversation', 'run', 'outbox'] as const

  it('gives an item to one of many who claim it at once (P6, R103)', async () => {
    const { run } = await openRun(parts.store)
    const stores = Array.from({ length: 10 }, (_, n) => parts.open(`worker-${n}`))
    const leases = await Promise.all(
      stores.map((store) => store.leases.claim(itemOf('run', run.id), 10_000)),
    )
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
  })

  it('has no lease for what is not there', async () => {
    for (const kind of kinds)
      expect(await parts.store.leases.claim(itemOf(kind, 'nothing'), 10_000)).toBeNull()
  })

  it('lets nobody in before the lease ends, and then anybody under a higher fence (R103, P6)', async () => {
    const { store, clock } = parts
    const other = parts.open('other')
    const item = await itemWithWork('run', true)
    const first = await claim(store, item, 10_000)
    await clock.advance(9_999)
    expect(await other.leases.claim(item, 10_000)).toBeNull()
    await clock.advance(1)
    expect((await claim(other, item)).fence).toBeGreaterThan(first.fence)
    expect(await store.leases.renew(first, 10_000)).toBe(false)
    expect(await store.leases.release(first)).toBe('fenced')
  })

  it('holds a renewed lease for longer (R103, I4)', async () => {
    const { store, clock } = parts
    const item = await itemWithWork('run', true)
    const lease = await claim(store, item, 10_000)
    await clock.advance(9_000)
    expect(await store.leases.renew(lease, 10_000)).toBe(true)
    await clock.advance(9_999)
    expect(await parts.open('other').leases.claim(item, 10_000)).toBeNull()
    expect(await store.leases.renew(lease, 10_000)).toBe(true)
  })

  it('lets a park of a former owner change nothing (I8)', async () => {
    const { store, clock } = parts
    const item = await itemWithWork('run', true)
    const first = await claim(store, item, 10_000)
    await clock.advance(10_000)
    const second = await claim(store, item, 10_000)
    await store.leases.park(first, 0)
    expect(await store.leases.claim(item, 10_000)).toBeNull()
    expect(await store.leases.renew(second, 10_000)).toBe(true)
  })

  it.each(['released', 'parked'] as const)(
    'lets a renewal that comes late not take back what was %s (R103, P14)',
    async (how) => {
      const { store, clock } = parts
      const item = await itemWithWork('outbox', how === 'parked')
      const lease = await claim(store, item, 10_000)
      if (how === 'parked') await store.leases.park(lease, clock.now())
      else expect(await store.leases.release(lease)).toBe('released')
      expect(await store.leases.renew(lease, 10_000)).toBe(false)
      expect(await parts.open('other').leases.claim(item, 10_000)).not.toBeNull()
    },
  )

  it.each(kinds)('does not release a %s while something waits for it (P5, I5)', async (kind) => {
    const { store } = parts
    const item = await itemWithWork(kind, true)
    const lease = await claim(store, item)
    expect(await store.leases.release(lease)).toBe('more')
    expect(await parts.open('other').leases.claim(item, 10_000), 'still held').toBeNull()
    expect(await store.leases.renew(lease, 10_000)).toBe(true)
  })

  it.each(kinds)(
    'releases a %s for which nothing waits, until something comes (P5)',
    async (kind) => {
      const { store } = parts
      const item = await itemWithWork(kind, false)
      expect(await store.leases.release(await claim(store, item))).toBe('released')
      await parts.clock.advance(60_000)
      expect(await store.leases.due(10)).not.toContainEqual(item)
      await claim(parts.open('other'), item)
    },
  )

  it('releases a conversation until a time with what was seen in its inbox, and not with more (P5, C92)', async () => {
    const { store, clock } = parts
    const item = await itemWithWork('conversation', true)
    const lease = await claim(store, item)
    const wakeAt = clock.now() + 2_000
    expect(await store.leases.release(lease, { wakeAt })).toBe('more')
    expect(await store.leases.release(lease, { wakeAt, seen: 1 })).toBe('released')
    expect(await store.leases.due(10)).not.toContainEqual(item)
    await clock.advance(2_000)
    expect(await store.leases.due(10)).toContainEqual(item)
  })

  it('does not release an outbox whose progress is still to be shown, unless a time to do so is given', async () => {
    const { store, clock } = parts
    const { conversationId, run } = await openRun(store)
    await commitOnce(store, itemOf('run', run.id), { conversationId, progress: run.id })
    const item = itemOf('outbox', conversationId)
    const lease = await claim(store, item)
    expect(await store.leases.release(lease)).toBe('more')
    const wakeAt = clock.now() + 2_000
    expect(await store.leases.release(lease, { wakeAt })).toBe('released')
    expect(await store.leases.due(10)).not.toContainEqual(item)
    await clock.advance(2_000)
    expect(await store.leases.due(10)).toContainEqual(item)
  })

  it('does not release an outbox with a delivery, even where a time to wake at is given', async () => {
    const { store, clock } = parts
    const lease = await claim(store, await itemWithWork('outbox', true))
    expect(await store.leases.release(lease, { wakeAt: clock.now() + 2_000 })).toBe('more')
  })

  it('releases what is over, whatever it holds', async () => {
    const { store } = parts
    const item = await itemWithWork('run', true)
    expect(await store.leases.release(await claim(store, item), { over: true })).toBe('released')
    await parts.clock.advance(60_000)
    expect(await store.leases.due(10)).not.toContainEqual(item)
  })

  it('keeps everybody from a parked item until its time, mailbox or not', async () => {
    const { store, clock } = parts
    const item = await itemWithWork('run', true)
    await store.leases.park(await claim(store, item), clock.now() + 60_000)
    await clock.advance(59_999)
    expect(await store.leases.claim(item, 10_000)).toBeNull()
    expect(await store.leases.due(10)).not.toContainEqual(item)
    await clock.advance(1)
    expect(await store.leases.due(10)).toContainEqual(item)
    await claim(store, item)
  })

  it('finds the work of a worker that fell silent when its lease has ended (P14)', async () => {
    const { store, clock } = parts
    const item = await itemWithWork('run', false)
    await claim(store, item, 10_000)
    await clock.advance(9_999)
    expect(await store.leases.due(10)).not.toContainEqual(item)
    await clock.advance(1)
    expect(await store.leases.due(10)).toContainEqual(item)
  })

  it('finds what waits longest first, and hides no kind and no workspace behind a crowd of another', async () => {
    const { store, clock } = parts
    const first = await store.inbox.accept(messageEvent(0, { thread: 'w0', keys: ['w0'] }), opening)
    for (let n = 1; n <= 4; n++) {
      await clock.advance(1)
      await store.inbox.accept(messageEvent(n, { thread: `w${n}`, keys: [`w${n}`] }), opening)
    }
    await openThread(store, { thread: 'late', keys: ['late'] })
    const { conversationId } = await store.inbox.accept(
      messageEvent(7, { workspace: 'web:other' }),
      opening,
    )
    const { run } = await openRun(store)
    const due = await store.leases.due(2)
    expect(due).toHaveLength(4)
    expect(due).toContainEqual(itemOf('conversation', conversationId, 'web:other'))
    expect(due).toContainEqual(itemOf('run', run.id))
    const local = (items: Item[]) =>
      items.filter(({ kind, workspace }) => kind !== 'run' && workspace === 'web:local')
    expect(local(due)).toEqual(local(await store.leases.due(100)).slice(0, 2))
    expect(local(due)[0]).toEqual(itemOf('conversation', first.conversationId))
  })

  it('takes back at once what a dead process of the same name held, and nothing else (P14)', async () => {
    const { store } = parts
    const before = parts.open('laptop')
    const elsewhere = parts.open('laptop-2')
    const { conversationId, run } = await openRun(store)
    await claim(before, itemOf('run', run.id))
    await claim(elsewhere, itemOf('conversation', conversationId))

    const after = parts.open('laptop')
    const own = await claim(after, itemOf('outbox', conversationId))
    expect(await after.leases.reclaim()).toEqual([itemOf('run', run.id)])
    await claim(after, itemOf('run', run.id))
    expect(await after.leases.claim(itemOf('conversation', conversationId), 10_000)).toBeNull()
    expect(
      await elsewhere.leases.claim(itemOf('outbox', conversationId), 10_000),
      'not its own',
    ).toBeNull()
    expect(await after.leases.renew(own, 10_000)).toBe(true)
  })

  it('takes back nothing that was given up', async () => {
    const before = parts.open('laptop')
    const { run } = await openRun(parts.store)
    const item = itemOf('run', run.id)
    await before.leases.park(await claim(before, item), parts.clock.now() + 60_000)
    expect(await parts.open('laptop').leases.reclaim()).toEqual([])
    expect(await before.leases.claim(item, 10_000)).toBeNull()
  })

  it('counts the times that a run was taken from a worker that did not give it up (P14)', async () => {
    const { store, clock } = parts
    const { run } = await openRun(store)
    const item = itemOf('run', run.id)
    const attempts = async () => (await store.runs.state(item.workspace, run.id))?.run.attempts
    await store.leases.release(await claim(store, item))
    await store.leases.park(await claim(store, item), clock.now())
    await claim(store, item)
    expect(await attempts(), 'given up both times').toBe(0)
    for (const expected of [1, 2]) {
      await clock.advance(10_000)
      await claim(store, item)
      expect(await attempts()).toBe(expected)
    }
    const restarted = parts.open()
    expect(await restarted.leases.reclaim()).toEqual([item])
    await claim(restarted, item)
    expect(await attempts(), 'once in the time of a lease').toBe(2)
    await clock.advance(10_000)
    const lease = await claim(store, item)
    await store.commits.commit(lease, changeOf({ runs: [{ id: run.id, patch: { attempts: 0 } }] }))
    expect(await attempts()).toBe(0)
  })

  it('counts failures of one row in a row, and none of a lease that was taken over (P18)', async () => {
    const { store, clock } = parts
    const { run } = await openRun(store)
    const item = itemOf('run', run.id)
    const failing = async (row: string) => {
      const lease = await claim(store, item)
      const times = await store.leases.failed(lease, row)
      await clock.advance(10_000)
      return { lease, times }
    }
    const first = await failing('a')
    expect(first.times).toBe(1)
    expect((await failing('a')).times).toBe(2)
    expect((await failing('b')).times).toBe(1)
    expect((await failing('a')).times).toBe(1)
    expect(await store.leases.failed(first.lease, 'a')).toBe(0)
    expect((await store.runs.state(item.workspace, run.id))?.run.id, 'the row is as it was').toBe(
      run.id,
    )
  })
}
