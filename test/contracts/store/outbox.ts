import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ProgressMark } from '../../../src/agent/ports/store.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  changeOf,
  claim,
  commitOnce,
  deliveryOf,
  itemOf,
  openRun,
  questionOf,
  workspace,
} from './rows.ts'

export function describeOutbox(parts: Parts) {
  /** An outbox with `n` deliveries, claimed by a worker of that name. */
  async function waiting(n: number) {
    const { conversationId, run } = await openRun(parts.store)
    const deliveries = Array.from({ length: n }, (_, index) =>
      deliveryOf(index + 1, conversationId),
    )
    await commitOnce(parts.store, itemOf('run', run.id), { conversationId, deliveries })
    const item = itemOf('outbox', conversationId)
    return { conversationId, run, item, lease: await claim(parts.store, item) }
  }

  it('is empty before anything is to be shown', async () => {
    const { lease } = await waiting(0)
    expect(await parts.store.outbox.next(lease)).toEqual({
      conversation: expect.objectContaining({ id: lease.item.id }),
      deliveries: [],
      damaged: null,
      tried: false,
      progress: [],
    })
  })

  it('gives up a delivery only when it was sent (R111)', async () => {
    const { lease } = await waiting(2)
    const first = async () => (await parts.store.outbox.next(lease)).deliveries[0]?.id
    expect([await first(), await first()]).toEqual(['d_1', 'd_1'])
    expect(await parts.store.outbox.sent(lease, 'd_2', null), 'not its turn').toBe(false)
    expect(await parts.store.outbox.sent(lease, 'd_1', null)).toBe(true)
    expect(await first()).toBe('d_2')
    expect(await parts.store.outbox.sent(lease, 'd_1', null), 'sent already').toBe(false)
    expect(await first()).toBe('d_2')
  })

  it('tells a successor that a delivery may have been sent already (P2)', async () => {
    const { item, lease } = await waiting(2)
    expect((await parts.store.outbox.next(lease)).tried).toBe(false)
    expect(await parts.store.outbox.trying(lease, 'd_1')).toBe(true)
    await parts.clock.advance(10_000)
    const other = parts.open('other')
    const successor = await claim(other, item)
    expect(await other.outbox.next(successor)).toMatchObject({
      deliveries: [{ id: 'd_1' }, { id: 'd_2' }],
      tried: true,
    })
    await other.outbox.sent(successor, 'd_1', null)
    expect(await other.outbox.next(successor)).toMatchObject({
      deliveries: [{ id: 'd_2' }],
      tried: false,
    })
  })

  it('puts a delivery that was given up back once, and tells what became of it; what cannot be read only counts (C230, P8)', async () => {
    const { store } = parts
    const { conversationId, lease } = await waiting(2)
    const of = async () => await store.backlog.of(workspace, at, 10)
    expect(await of()).toMatchObject({ outbox: { count: 2, since: at }, failed: [], aside: 0 })
    const row = JSON.stringify(deliveryOf(1, conversationId))
    const aside = { list: 'refused' as const, id: 'd_1', row, problem: 'is_archived' }
    await store.outbox.trying(lease, 'd_1')
    await store.commits.commit(
      lease,
      changeOf({ consume: 1, aside: [aside, { ...aside, id: 'd_9', row: 'torn' }] }),
    )
    expect(await of()).toMatchObject({
      outbox: { count: 1 },
      failed: [{ id: 'd_1', state: 'failed' }],
      aside: 1,
    })
    expect(await store.backlog.sendAgain(workspace, 'd_1', at)).toEqual({
      conversationId,
      known: false,
    })
    expect(await store.backlog.sendAgain(workspace, 'd_1', at + 1)).toEqual({
      conversationId,
      known: true,
    })
    expect(await store.backlog.sendAgain(workspace, 'd_9', at)).toBeNull()
    const { deliveries, tried } = await store.outbox.next(lease)
    expect([deliveries.map(({ id }) => id), tried]).toEqual([['d_2', 'd_1'], false])
    expect((await of()).failed).toMatchObject([{ id: 'd_1', state: 'waiting', refused: true }])
    await store.outbox.sent(lease, 'd_2', null)
    // It was refused before, so nobody has to look for it (P2).
    expect(await store.outbox.next(lease)).toMatchObject({
      deliveries: [{ id: 'd_1' }],
      tried: false,
    })
    await store.outbox.sent(lease, 'd_1', null)
    expect((await of()).failed).toMatchObject([{ id: 'd_1', state: 'sent' }])
    await store.commits.commit(lease, changeOf({ at: at + 5, aside: [aside] }))
    expect((await of()).failed, 'given up anew').toMatchObject([
      { id: 'd_1', at: at + 5, state: 'failed' },
    ])
  })

  it('asks nobody again what was answered meanwhile (C220, C230)', async () => {
    const { store } = parts
    const { conversationId, run, lease } = await waiting(0)
    const item = itemOf('run', run.id)
    const [one, two] = [questionOf(1, run.id), questionOf(2, run.id)]
    for (const ask of [one, two]) await commitOnce(store, item, { conversationId, ask })
    const aside = [one, two].map((question, at) => {
      const body = { kind: 'question' as const, question, runId: run.id }
      const row = JSON.stringify({ ...deliveryOf(at + 1, conversationId), body })
      return { list: 'refused' as const, id: `d_${at + 1}`, row, problem: 'gone' }
    })
    await store.commits.commit(lease, changeOf({ aside }))
    await commitOnce(store, item, {
      conversationId,
      answered: { question: one, answer: 'Lisbon', author: ana, at },
    })
    const { failed } = await store.backlog.of(workspace, at, 10)
    expect(failed.map(({ id, state }) => `${id} ${state}`).sort()).toEqual([
      'd_1 over',
      'd_2 failed',
    ])
    expect(await store.backlog.sendAgain(workspace, 'd_1', at)).toEqual({
      conversationId,
      known: true,
    })
    expect(await store.backlog.sendAgain(workspace, 'd_2', at)).toEqual({
      conversationId,
      known: false,
    })
    expect((await store.outbox.next(lease)).deliveries.map(({ id }) => id)).toEqual(['d_2'])
  })

  it('forgets what was given up with its thread (C230, C205)', async () => {
    const { store } = parts
    const { conversationId, run, item, lease } = await waiting(1)
    const aside = {
      list: 'refused' as const,
      id: 'd_1',
      row: JSON.stringify(deliveryOf(1, conversationId)),
      problem: 'gone',
    }
    await store.commits.commit(lease, changeOf({ consume: 1, aside: [aside] }))
    await store.leases.release(lease)
    await commitOnce(store, itemOf('run', run.id), {
      runs: [{ id: run.id, patch: { status: 'canceled' } }],
    })
    const turn = await claim(store, itemOf('conversation', conversationId))
    await store.commits.commit(turn, changeOf({ id: 'k_read', consume: 1 }))
    await store.leases.release(turn)
    expect(await store.conversations.remove(item.workspace, conversationId)).toBe('removed')
    expect(await store.backlog.of(workspace, at, 10)).toMatchObject({ failed: [], aside: 0 })
    expect(await store.backlog.sendAgain(workspace, 'd_1', at)).toBeNull()
  })

  it('lets nobody send, or take off, whose lease was taken over (P6, I8)', async () => {
    const { item, lease } = await waiting(1)
    await parts.clock.advance(10_000)
    const other = parts.open('other')
    const successor = await claim(other, item)
    expect(await parts.store.outbox.trying(lease, 'd_1')).toBe(false)
    expect(await parts.store.outbox.sent(lease, 'd_1', null)).toBe(false)
    expect(await other.outbox.next(successor)).toMatchObject({
      deliveries: [{ id: 'd_1' }],
      tried: false,
    })
  })

  it('lets nobody send what is not first in line', async () => {
    const { lease } = await waiting(2)
    expect(await parts.store.outbox.trying(lease, 'd_2')).toBe(false)
    expect((await parts.store.outbox.next(lease)).tried).toBe(false)
  })

  it('knows a delivery by its own id and by none that stands in it', async () => {
    const { conversationId, run, lease } = await waiting(0)
    const question = { ...questionOf(1), runId: run.id }
    const body = { kind: 'question' as const, question, runId: run.id }
    await commitOnce(parts.store, itemOf('run', run.id), {
      conversationId,
      deliveries: [{ ...deliveryOf(1, conversationId), body }],
    })
    expect(await parts.store.outbox.sent(lease, 'q_1', null)).toBe(false)
    expect(await parts.store.outbox.sent(lease, 'd_1', null)).toBe(true)
  })

  it('takes a mark off unless the progress changed again meanwhile (C49)', async () => {
    const { conversationId, run, lease } = await waiting(0)
    const change = () =>
      commitOnce(parts.store, itemOf('run', run.id), { conversationId, progress: run.id })
    const marks = async () => (await parts.store.outbox.next(lease)).progress
    const shown = (mark: ProgressMark) =>
      parts.store.leases.release(lease, { done: { sent: [], shown: mark } })
    await change()
    const [old] = await marks()
    await change()
    if (old !== undefined) expect(await shown(old)).toBe('more')
    const [fresh] = await marks()
    expect(fresh).toMatchObject({ runId: run.id })
    if (fresh !== undefined) expect(await shown(fresh)).toBe('released')
    expect(await marks()).toEqual([])
    // Marks that were taken off are forgotten: an old one, sent again late, is none of the new ones.
    await change()
    for (const mark of [old, fresh]) if (mark !== undefined) expect(await shown(mark)).toBe('more')
    expect(await marks()).toHaveLength(1)
  })

  it('lets what has ended go at once, on the budget of what goes on, and nobody wait for the dead (C49, C86, C441)', async () => {
    const everyMs = 1_500
    const waiter = fc.record({
      arrives: fc.nat(3_000),
      diesAfter: fc.option(fc.nat(2), { nil: Infinity, freq: 3 }),
    })
    const crowd = fc.record({
      ended: fc.array(waiter, { minLength: 40, maxLength: 40 }),
      running: fc.array(waiter, { minLength: 20, maxLength: 60 }),
    })
    let histories = 0
    const property = fc.asyncProperty(crowd, async ({ ended, running }) => {
      const workspace = `test:line-${++histories}`
      const named = (isFirst: boolean) => (one: (typeof ended)[number], index: number) => ({
        ...{
          ...one,
          runId: `${isFirst ? 'ended' : 'running'}-${index}`,
          isFirst,
          asks: one.arrives,
          asked: 0,
        },
      })
      let waiting = [...ended.map(named(true)), ...running.map(named(false))]
      const went: { at: number; isFirst: boolean }[] = []
      while (waiting.some(({ isFirst }) => isFirst)) {
        const next = waiting.reduce((one, other) => (other.asks < one.asks ? other : one))
        if (next.asked > next.diesAfter) {
          waiting = waiting.filter((one) => one !== next)
          continue
        }
        const { runId, isFirst, asks: now } = next
        const at = await parts.store.outbox.reserve(workspace, { runId, everyMs, isFirst }, now)
        next.asks = at
        next.asked += 1
        if (at > now) continue
        const jumped = waiting.filter(
          (one) => one !== next && one.isFirst && one.asked > 0 && one.asked <= one.diesAfter,
        )
        if (!isFirst) expect(jumped).toEqual([])
        went.push({ at, isFirst })
        waiting = waiting.filter((one) => one !== next)
      }
      const atOnce = 20
      for (const [index, { at, isFirst }] of went.entries()) {
        // A place apart, but for those that ends took ahead of their time.
        const before = went[index - (isFirst ? atOnce + 1 : 1)]?.at ?? -everyMs
        expect(at - before).toBeGreaterThanOrEqual(everyMs)
      }
      // The dead cost a bounded time, however many they were.
      expect(went.at(-1)?.at ?? 0).toBeLessThan(3_000 + 40 * everyMs + 15_000)
    })
    await fc.assert(property, { numRuns: 10 })
  })
}
