import { expect, it } from 'vitest'
import { conversationIdOf } from '../../../src/agent/domain/conversation.ts'
import type { Parts } from '../store.ts'
import {
  changeOf,
  claim,
  commitOnce,
  conversationOf,
  deliveryOf,
  eventOf,
  itemOf,
  lineOf,
  messageEvent,
  opening,
  openRun,
  openThread,
  runOf,
  workspace,
} from './rows.ts'

/** R141: each thread belongs to exactly one conversation and back, whatever races. */
export function describeThreads(parts: Parts) {
  /** A run without a thread that has just opened its conversation; its report is the first delivery. */
  async function report(): Promise<string> {
    const { store } = parts
    const { run } = await openRun(store, { conversationId: null })
    const opened = conversationOf({ foreground: run.id })
    await commitOnce(store, itemOf('run', run.id), {
      conversation: { open: opened },
      conversationId: opened.id,
      messages: [lineOf(1)],
      deliveries: [deliveryOf(1, opened.id)],
      runs: [{ id: run.id, patch: { conversationId: opened.id, status: 'succeeded' } }],
    })
    return opened.id
  }
  const reply = (n: number) => messageEvent(n, { thread: 'new', keys: [`reply${n}`] })
  const quick = conversationIdOf(workspace, 'general', 'new')
  async function bind(id: string) {
    const lease = await claim(parts.store, itemOf('outbox', id))
    expect(await parts.store.outbox.sent(lease, 'd_1', 'new')).toBe(true)
    await parts.store.leases.release(lease, { over: true })
  }
  const state = async (id: string) => await parts.store.conversations.state(workspace, id, 100)

  it('gives every thread a conversation of its own (R141, R123)', async () => {
    const ids = await Promise.all([
      openThread(parts.store, { keys: ['a'] }),
      openThread(parts.store, { keys: ['b'], thread: 't2' }),
      openThread(parts.store, { keys: ['c'], channel: 'other' }),
      openThread(parts.store, { keys: ['d'], workspace: 'web:other' }),
    ])
    expect(new Set(ids).size).toBe(4)
  })

  it('takes replies in a thread that Clew opened to the conversation that opened it (R141, R148)', async () => {
    const id = await report()
    await bind(id)
    expect(await parts.store.inbox.knows(reply(1))).toBe(id)
    const accepted = await parts.open().inbox.accept(reply(1), opening)
    expect(accepted).toMatchObject({ kind: 'accepted', conversationId: id })
    expect(await parts.store.inbox.accept(reply(1), opening)).toMatchObject({
      kind: 'duplicate',
      conversationId: id,
    })
    const found = await state(id)
    expect(found?.conversation.address.thread).toBe('new')
    expect(found?.messages.map(({ text }) => text)).toEqual(['line 1', 'message 1'])
    expect(found?.inbox.map((entry) => entry.id)).toEqual([accepted.entry.id])
    expect(await state(quick)).toBeNull()
  })

  it.each([
    ['before', false],
    ['after', true],
  ])(
    'takes an answer that names no thread to its conversation, %s that is bound (C340a, C843)',
    async (_, isBound) => {
      const id = await report()
      if (isBound) await bind(id)
      const answer = { ...reply(1), thread: null, openedFor: id }
      expect((await parts.store.inbox.accept(answer, opening)).conversationId).toBe(id)
      const elsewhere = { ...reply(2), thread: null, openedFor: id, channel: 'other' }
      expect((await parts.store.inbox.accept(elsewhere, opening)).conversationId).not.toBe(id)
    },
  )

  it('moves a reply that came before the thread was bound to where it belongs (R141, R148)', async () => {
    const id = await report()
    const early = await parts.store.inbox.accept(reply(1), opening)
    expect(early.conversationId).toBe(quick)
    await bind(id)
    await parts.store.inbox.accept(reply(2), opening)
    const found = await state(id)
    expect(found?.messages.map(({ text }) => text)).toEqual(['line 1', 'message 1', 'message 2'])
    expect(found?.inbox.map(({ event }) => event.keys[0])).toEqual(['reply1', 'reply2'])
    expect(await state(quick)).toBeNull()
    expect(
      (await parts.store.conversations.list(workspace, 10)).map(
        ({ conversation }) => conversation.id,
      ),
    ).not.toContain(quick)
    const due = await parts.store.leases.due(10)
    expect(due).toContainEqual(itemOf('conversation', id))
    expect(due).not.toContainEqual(itemOf('conversation', quick))
  })

  it('refuses the commit of a turn whose message has moved over (R141, P6)', async () => {
    const id = await report()
    await parts.store.inbox.accept(reply(1), opening)
    const turn = await claim(parts.store, itemOf('conversation', quick))
    await bind(id)
    const change = { consume: 1, conversationId: quick, messages: [lineOf(2)] }
    expect(await parts.store.commits.commit(turn, changeOf(change))).toEqual({ kind: 'fenced' })
    expect(await parts.store.leases.release(turn)).toBe('fenced')
    expect(await state(quick)).toBeNull()
    expect((await state(id))?.inbox).toHaveLength(1)
  })

  it('leaves the thread with a reply of which something has come already (R141)', async () => {
    const id = await report()
    await parts.store.inbox.accept(reply(1), opening)
    const run = runOf({ id: 'r_2', conversationId: quick })
    await commitOnce(parts.store, itemOf('conversation', quick), { consume: 1, create: [run] })
    await bind(id)
    expect((await parts.store.inbox.accept(reply(2), opening)).conversationId).toBe(quick)
    expect(
      (await state(id))?.conversation.address.thread,
      'its next delivery goes there, too',
    ).toBe('new')
    expect((await state(id))?.inbox).toEqual([])
  })

  it('finds one conversation for all replies, whenever the thread is bound (R141)', async () => {
    const id = await report()
    const lease = await claim(parts.store, itemOf('outbox', id))
    const stores = Array.from({ length: 4 }, () => parts.open())
    await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => stores[n % 4]?.inbox.accept(reply(n), opening)),
      parts.open().outbox.sent(lease, 'd_1', 'new'),
      ...Array.from({ length: 20 }, (_, n) => stores[n % 4]?.inbox.accept(reply(100 + n), opening)),
    ])
    expect((await state(id))?.inbox).toHaveLength(40)
    expect(await state(quick)).toBeNull()
  })

  it('keeps a thread that is bound bound to the first (R141)', async () => {
    const first = await report()
    await bind(first)
    const second = conversationOf({ id: 'c_second' })
    await parts.store.conversations.open(second)
    const { run } = await openRun(parts.store, { id: 'r_3' })
    await commitOnce(parts.store, itemOf('run', run.id), {
      conversationId: second.id,
      deliveries: [deliveryOf(1, second.id)],
    })
    await bind(second.id)
    expect(
      (await parts.store.inbox.accept(eventOf({ thread: 'new', keys: ['x'] }), opening))
        .conversationId,
    ).toBe(first)
  })
}
