import { expect, it } from 'vitest'
import type { Change } from '../../../src/agent/ports/store.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  claim,
  commitOnce,
  conversationOf,
  deliveryOf,
  itemOf,
  lineOf,
  messageEvent,
  observationOf,
  opening,
  openRun,
  openThread,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from './rows.ts'

export function describeRetention(parts: Parts) {
  const before = at + 1_000
  const gone = async (id: string) =>
    (await parts.store.conversations.state(workspace, id, 10)) === null
  const ended = (id: string) => [{ id, patch: { status: 'succeeded' as const, endedAt: at } }]

  it('removes an old conversation with its runs, questions and traces, and nothing of another', async () => {
    const { store } = parts
    const { conversationId, run } = await openRun(store)
    await commitOnce(store, itemOf('run', run.id), {
      conversationId,
      task: { before: null, after: taskOf({ observations: [observationOf(1)] }) },
      ask: questionOf(1),
      answered: { question: questionOf(1), answer: 'Lisbon', author: ana, at },
      messages: [lineOf(1)],
      trace: [{ of: run.id, entry: { at, what: { kind: 'task_done' } } }],
    })
    await commitOnce(store, itemOf('run', run.id), { conversationId, ask: questionOf(2) })
    await commitOnce(store, itemOf('run', run.id), {
      conversationId,
      dropQuestions: [questionOf(2)],
      runs: ended(run.id),
    })
    const young = await openThread(store, { thread: 't2', keys: ['x'], at: before })
    expect(await store.retention.purge(before)).toBe(1)
    expect(await gone(conversationId)).toBe(true)
    expect(await store.runs.state(workspace, run.id)).toBeNull()
    expect(await store.conversations.question(workspace, 'q_2')).toBeNull()
    expect(await store.runs.trace(workspace, run.id)).toEqual([])
    expect(await store.conversations.question(workspace, 'q_1')).toBeNull()
    expect(await store.runs.list(workspace, 10)).toEqual([])
    expect(
      (await store.conversations.list(workspace, 10)).map(({ conversation }) => conversation.id),
    ).toEqual([young])
    expect(await store.retention.purge(before)).toBe(0)
  })

  it('removes what was overheard long ago, though its conversation stays, and nothing younger (C73)', async () => {
    const { store } = parts
    const id = await openThread(store, { at: before + 1_000 })
    const row = (key: string, when: number) => ({
      version: 1 as const,
      key,
      author: ana,
      text: key,
      at: when,
    })
    const change = { conversationId: id, overheard: [row('old', at), row('young', before)] }
    await commitOnce(store, itemOf('conversation', id), change)
    expect((await store.conversations.overheard(workspace, id)).map(({ key }) => key)).toEqual([
      'old',
      'young',
    ])
    for (const _ of [1, 2]) {
      await store.retention.purge(before)
      expect((await store.conversations.overheard(workspace, id)).map(({ key }) => key)).toEqual([
        'young',
      ])
    }
    await store.retention.purge(before + 1)
    expect(await gone(id)).toBe(false)
    expect(await store.conversations.overheard(workspace, id)).toEqual([])
  })

  const kept: [string, (conversationId: string) => Partial<Change>][] = [
    ['a run that waits', (id) => ({ create: [runOf({ conversationId: id })] })],
    [
      'a run that is paused',
      (id) => ({ create: [runOf({ conversationId: id, status: 'paused' })] }),
    ],
    [
      'an ended run beside one that works',
      (id) => ({
        create: [
          runOf({ conversationId: id, status: 'failed' }),
          runOf({ id: 'r_2', conversationId: id, status: 'running' }),
        ],
      }),
    ],
    ['an open question', (id) => ({ conversationId: id, ask: questionOf(1) })],
    ['something to be shown', (id) => ({ conversationId: id, deliveries: [deliveryOf(1, id)] })],
    ['progress to be shown', (id) => ({ conversationId: id, progress: 'r_1' })],
    ['a newer message', (id) => ({ at: before, conversationId: id, messages: [lineOf(1)] })],
  ]
  it.each(kept)('keeps an old conversation with %s', async (_, make) => {
    const id = await openThread(parts.store)
    await commitOnce(parts.store, itemOf('conversation', id), make(id))
    expect(await parts.store.retention.purge(before)).toBe(0)
    expect(await gone(id)).toBe(false)
  })

  it('keeps an old conversation in which a message waits for its turn', async () => {
    const { conversationId } = await parts.store.inbox.accept(messageEvent(1), opening)
    expect(await parts.store.retention.purge(before)).toBe(0)
    expect(await gone(conversationId)).toBe(false)
  })

  it('keeps an old conversation that somebody works on just now', async () => {
    const id = await openThread(parts.store)
    const lease = await claim(parts.store, itemOf('conversation', id))
    expect(await parts.store.retention.purge(before)).toBe(0)
    await parts.store.leases.release(lease)
    expect(await parts.store.retention.purge(before)).toBe(1)
  })

  it('forgets the thread of a conversation that it removes, so that a reply opens a new one (R141)', async () => {
    const { store } = parts
    const { run } = await openRun(store, { conversationId: null })
    const opened = conversationOf()
    await commitOnce(store, itemOf('run', run.id), {
      conversation: { open: opened },
      conversationId: opened.id,
      deliveries: [deliveryOf(1, opened.id)],
      runs: [
        { id: run.id, patch: { conversationId: opened.id, status: 'succeeded', endedAt: at } },
      ],
    })
    const lease = await claim(store, itemOf('outbox', opened.id))
    await store.outbox.sent(lease, 'd_1', 'new')
    await store.leases.release(lease)
    expect(await store.retention.purge(before)).toBe(2)
    expect(await store.inbox.knows(messageEvent(1, { thread: 'new' }))).toBeNull()
    const reply = await store.inbox.accept(messageEvent(2, { thread: 'new' }), opening)
    expect(reply.kind).toBe('accepted')
    expect(reply.conversationId).not.toBe(opened.id)
  })

  it('removes old runs that ended without a conversation, and no others', async () => {
    const { store } = parts
    const id = await openThread(store, { at: before + 1_000 })
    const lone = (n: number, patch: Parameters<typeof runOf>[0]) =>
      runOf({ id: `r_${n}`, ...patch })
    await commitOnce(store, itemOf('conversation', id), {
      create: [
        lone(1, { status: 'canceled', endedAt: at }),
        lone(2, { status: 'succeeded', endedAt: before }),
        lone(3, { status: 'queued' }),
        lone(4, { status: 'failed', endedAt: at, conversationId: id }),
      ],
    })
    expect(await store.retention.purge(before)).toBe(1)
    expect((await store.runs.list(workspace, 10)).map((run) => run.id).sort()).toEqual([
      'r_2',
      'r_3',
      'r_4',
    ])
    expect(await store.leases.claim(itemOf('run', 'r_1'), 1)).toBeNull()
  })

  it('gets past any number that must stay', async () => {
    const { store } = parts
    const threads = Array.from({ length: 250 }, (_, n) =>
      messageEvent(n, { thread: `t${n}`, at: at + n }),
    )
    const ids = await Promise.all(
      threads.map(async (event) => (await store.inbox.accept(event, opening)).conversationId),
    )
    const last = ids.at(-1) ?? ''
    await commitOnce(store, itemOf('conversation', last), { consume: 1 })
    expect(await store.retention.purge(before)).toBe(1)
    expect(await gone(last)).toBe(true)
  })

  it('loses no message that comes in at the same time (P5)', async () => {
    const { store } = parts
    const events = Array.from({ length: 30 }, (_, n) => ({ thread: `t${n}`, keys: [`a${n}`] }))
    const ids = await Promise.all(events.map((event) => openThread(store, event)))
    const late = events.map(({ thread }, n) => messageEvent(n, { thread, keys: [`b${n}`] }))
    const [, ...accepted] = await Promise.all([
      parts.open().retention.purge(before),
      ...late.map((event) => store.inbox.accept(event, opening)),
    ])
    for (const { conversationId, entry } of accepted) {
      const state = await store.conversations.state(workspace, conversationId, 10)
      expect(state?.inbox).toEqual([entry])
      expect(ids).toContain(conversationId)
    }
  })
}
