import { expect, it } from 'vitest'
import { isUnread } from '../../../src/agent/domain/conversation.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Parts } from '../store.ts'
import {
  at,
  commitOnce,
  eventOf,
  itemOf,
  lineOf,
  messageEvent,
  opening,
  openThread,
  workspace,
} from './rows.ts'

export function describeInbox(parts: Parts) {
  const state = async (id: string, home = workspace) => {
    const found = await parts.store.conversations.state(home, id, 100)
    if (found === null) throw new Error(`there is no conversation ${id}`)
    return found
  }

  it('stores event, message and conversation, and makes them due (P4, R144)', async () => {
    const event = eventOf({ at: at + 5, timeZone: 'Asia/Tokyo' })
    const accepted = await parts.store.inbox.accept(event, opening)
    expect(accepted).toMatchObject({ kind: 'accepted', entry: { version: 1, event } })
    const found = await parts
      .open('after a restart')
      .conversations.state(workspace, accepted.conversationId, 10)
    expect(found).toEqual({
      conversation: {
        version: 1,
        id: accepted.conversationId,
        address: { workspace, channel: 'general', thread: 't1' },
        title: 'Plan the offsite',
        createdAt: at + 5,
        updatedAt: at + 5,
        lastReadAt: at + 5,
        foreground: null,
        locale: 'en',
        timeZone: 'Asia/Tokyo',
        remindAt: null,
      },
      messages: [
        expect.objectContaining({
          id: accepted.entry.messageId,
          role: 'user',
          text: 'Plan the offsite',
        }),
      ],
      outcomes: {},
      questions: [],
      answered: [],
      overheardCount: 0,
      inbox: [accepted.entry],
      foreground: null,
      broken: null,
      damaged: [],
    })
    expect(await parts.store.leases.due(10)).toEqual([
      itemOf('conversation', accepted.conversationId),
    ])
  })

  it('makes an event due at once, whatever the time on the platform (R144)', async () => {
    const { conversationId } = await parts.store.inbox.accept(
      eventOf({ at: at + 3_600_000 }),
      opening,
    )
    expect(await parts.store.leases.due(10)).toEqual([itemOf('conversation', conversationId)])
  })

  it('makes no message of a click', async () => {
    const content = { kind: 'answer', questionId: 'q_1', text: 'Lisbon' } as const
    const { entry, conversationId } = await parts.store.inbox.accept(eventOf({ content }), opening)
    const { messages, inbox } = await state(conversationId)
    expect({ messageId: entry.messageId, messages, waiting: inbox.length }).toEqual({
      messageId: null,
      messages: [],
      waiting: 1,
    })
  })

  it('takes an event once, however often it comes (P3, I3)', async () => {
    const first = await parts.store.inbox.accept(eventOf(), opening)
    for (let n = 0; n < 3; n++) {
      const again = await parts.open().inbox.accept(eventOf(), opening)
      expect(again).toMatchObject({ kind: 'duplicate', conversationId: first.conversationId })
      expect({ id: again.entry.id, messageId: again.entry.messageId }).toEqual({
        id: first.entry.id,
        messageId: first.entry.messageId,
      })
    }
    const { messages, inbox } = await state(first.conversationId)
    expect([messages.length, inbox.length]).toEqual([1, 1])
  })

  it('takes twins that race once (P3, I1)', async () => {
    const stores = Array.from({ length: 6 }, () => parts.open())
    const accepted = await Promise.all(
      stores.map((store, n) =>
        store.inbox.accept(eventOf({ keys: n % 2 ? ['m1', 'c1'] : ['c1'] }), opening),
      ),
    )
    expect(accepted.filter(({ kind }) => kind === 'accepted')).toHaveLength(1)
    expect(new Set(accepted.map(({ entry }) => entry.id)).size).toBe(1)
    expect((await state(accepted[0]?.conversationId ?? '')).inbox).toHaveLength(1)
  })

  it('knows one gesture under two times by its client message id, and from then on by either (I11)', async () => {
    const first = await parts.store.inbox.accept(eventOf({ keys: ['ts1', 'client1'] }), opening)
    const twin = await parts.store.inbox.accept(
      eventOf({ keys: ['ts2', 'client1'], thread: 'ts2' }),
      opening,
    )
    const later = await parts.store.inbox.accept(eventOf({ keys: ['ts2'], thread: 'ts2' }), opening)
    expect([twin.kind, later.kind]).toEqual(['duplicate', 'duplicate'])
    expect([twin.conversationId, later.conversationId]).toEqual([
      first.conversationId,
      first.conversationId,
    ])
    expect(
      await parts.store.inbox.knows(eventOf({ thread: 'ts2' })),
      'no second conversation',
    ).toBeNull()
  })

  it('tells equal keys of two workspaces apart (R142)', async () => {
    const here = await parts.store.inbox.accept(eventOf(), opening)
    const there = await parts.store.inbox.accept(eventOf({ workspace: 'web:other' }), opening)
    expect([here.kind, there.kind]).toEqual(['accepted', 'accepted'])
  })

  it('keeps the order in which messages arrived (R150)', async () => {
    const ids = []
    for (let n = 1; n <= 20; n++)
      ids.push(
        (await parts.store.inbox.accept(messageEvent(n, { at: at - n }), opening)).conversationId,
      )
    const { inbox, messages } = await state(ids[0] ?? '')
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index + 1}`)
    expect(messages.map(({ text }) => text)).toEqual(texts)
    expect(inbox.map(({ event }) => event.keys[0])).toEqual(
      texts.map((_, index) => `m${index + 1}`),
    )
  })

  it('loses none of the messages that arrive in one thread at once (R141, R150)', async () => {
    const stores = Array.from({ length: 5 }, () => parts.open())
    const events: InboundEvent[] = Array.from({ length: 50 }, (_, n) => messageEvent(n))
    const accepted = await Promise.all(
      events.map((event, n) => stores[n % 5]?.inbox.accept(event, opening)),
    )
    const ids = new Set(accepted.map((one) => one?.conversationId))
    expect(ids.size).toBe(1)
    const { inbox, messages } = await state([...ids][0] ?? '')
    expect(new Set(inbox.map(({ id }) => id)).size).toBe(50)
    expect(messages.map(({ source }) => source.refId)).toEqual(inbox.map(({ id }) => id))
  })

  it('shows a turn no more than the first hundred that wait', async () => {
    const events = Array.from({ length: 120 }, (_, n) => messageEvent(n))
    const [first] = await Promise.all(
      events.map((event) => parts.store.inbox.accept(event, opening)),
    )
    const { inbox } = await state(first?.conversationId ?? '')
    expect([inbox.length, inbox[0]?.event.keys[0]]).toEqual([100, 'm0'])
  })

  it('is read by the person who writes in it, and does not turn its time back (R107, C51)', async () => {
    const id = await openThread(parts.store)
    await commitOnce(parts.store, itemOf('conversation', id), {
      at: at + 100,
      conversationId: id,
      messages: [lineOf(1)],
    })
    expect(isUnread((await state(id)).conversation)).toBe(true)
    await parts.store.inbox.accept(messageEvent(2, { at: at + 50 }), opening)
    const late = (await state(id)).conversation
    expect([late.updatedAt, late.lastReadAt]).toEqual([at + 100, at + 50])
    await parts.store.inbox.accept(messageEvent(3, { at: at + 150 }), opening)
    const now = (await state(id)).conversation
    expect([now.updatedAt, now.lastReadAt, isUnread(now)]).toEqual([at + 150, at + 150, false])
  })

  it('knows the threads that Clew works in', async () => {
    expect(await parts.store.inbox.knows(eventOf())).toBeNull()
    await parts.store.inbox.accept(eventOf(), opening)
    expect(await parts.store.inbox.knows(eventOf({ keys: ['m2'] }))).toMatch(/^c_/)
    expect(await parts.store.inbox.knows(eventOf({ thread: 't2' }))).toBeNull()
    expect(await parts.store.inbox.knows(eventOf({ channel: 'other' }))).toBeNull()
    expect(await parts.store.inbox.knows(eventOf({ workspace: 'web:other' }))).toBeNull()
  })
}
