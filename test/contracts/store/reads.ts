import { expect, it } from 'vitest'
import { isUnread } from '../../../src/agent/domain/conversation.ts'
import type { Parts } from '../store.ts'
import {
  at,
  commitOnce,
  conversationOf,
  itemOf,
  lineOf,
  messageEvent,
  opening,
  openRun,
  openThread,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from './rows.ts'

export function describeReads(parts: Parts) {
  const conversation = async (id: string) =>
    (await parts.store.conversations.state(workspace, id, 0))?.conversation ?? conversationOf()

  it('knows nothing that is not there', async () => {
    const { conversations, runs } = parts.store
    expect(await conversations.state(workspace, 'c_none', 10)).toBeNull()
    expect(await runs.state(workspace, 'r_none')).toBeNull()
    expect(await conversations.question(workspace, 'q_none')).toBeNull()
    expect(await conversations.list(workspace, 10)).toEqual([])
    expect(await runs.list(workspace, 10)).toEqual([])
    expect(await runs.trace(workspace, 'r_none')).toEqual([])
    expect(await conversations.markRead(workspace, 'c_none', at)).toBe(false)
    expect(await conversations.state(workspace, 'c_none', 10), 'still nothing').toBeNull()
  })

  it('opens an empty conversation once (R106)', async () => {
    const { conversations } = parts.store
    const first = conversationOf({ address: { workspace, channel: 'general', thread: 't9' } })
    await conversations.open(first)
    await conversations.open({ ...first, title: 'again' })
    expect(await conversation(first.id)).toEqual(first)
    expect(isUnread(first)).toBe(true)
  })

  it('pages through the conversations of several workspaces, newest first, each once (C192)', async () => {
    const ids: string[] = []
    for (const [n, home] of [workspace, 'slack:T1', workspace, 'slack:T1', workspace].entries())
      ids.unshift(
        await openThread(parts.store, {
          workspace: home,
          thread: `p${n}`,
          keys: [`p${n}`],
          at: at + Math.floor(n / 2),
        }),
      )
    const seen: string[] = []
    for (let before: { at: number; id: string } | null = null, pages = 0; pages < 9; pages++) {
      const { lines, next } = await parts.store.conversations.page(
        [workspace, 'slack:T1'],
        before,
        2,
      )
      seen.push(...lines.map(({ conversation }) => conversation.id))
      if (next === null) break
      before = next
    }
    expect(seen).toHaveLength(5)
    expect([seen[0], new Set(seen.slice(1, 3)), new Set(seen.slice(3))]).toEqual([
      ids[0],
      new Set(ids.slice(1, 3)),
      new Set(ids.slice(3)),
    ])
  })

  it('takes nothing from a conversation that is opened again', async () => {
    const id = await openThread(parts.store)
    await commitOnce(parts.store, itemOf('conversation', id), {
      conversation: { id, patch: { foreground: 'r_1' } },
    })
    await Promise.all(
      Array.from({ length: 5 }, () => parts.open().conversations.open(conversationOf({ id }))),
    )
    expect((await conversation(id)).foreground).toBe('r_1')
  })

  it('marks as read, and never as less read than before (R107, R108)', async () => {
    const id = await openThread(parts.store)
    await commitOnce(parts.store, itemOf('conversation', id), {
      at: at + 10,
      conversationId: id,
      messages: [lineOf(1)],
    })
    expect(isUnread(await conversation(id))).toBe(true)
    expect(await parts.store.conversations.markRead(workspace, id, at + 10)).toBe(true)
    expect(isUnread(await conversation(id))).toBe(false)
    expect(await parts.store.conversations.markRead(workspace, id, at + 5)).toBe(true)
    expect((await conversation(id)).lastReadAt).toBe(at + 10)
  })

  it('lists conversations, the newest first', async () => {
    const ids = []
    for (let n = 1; n <= 3; n++)
      ids.push(await openThread(parts.store, { thread: `t${n}`, keys: [`k${n}`], at: at + n }))
    await commitOnce(parts.store, itemOf('conversation', ids[0] ?? ''), {
      at: at + 10,
      conversationId: ids[0] ?? '',
      messages: [lineOf(1)],
    })
    const listed = async (limit: number) =>
      (await parts.store.conversations.list(workspace, limit)).map(
        ({ conversation }) => conversation.id,
      )
    expect(await listed(10)).toEqual([ids[0], ids[2], ids[1]])
    expect(await listed(2)).toEqual([ids[0], ids[2]])
  })

  it('reads the newest messages with what became of them, oldest first', async () => {
    const ids = []
    for (let n = 1; n <= 5; n++)
      ids.push((await parts.store.inbox.accept(messageEvent(n), opening)).entry.messageId ?? '')
    const { conversationId } = await parts.store.inbox.accept(messageEvent(5), opening)
    const outcomes = ids.map((messageId) => ({ messageId, outcome: { kind: 'answered' as const } }))
    await commitOnce(parts.store, itemOf('conversation', conversationId), {
      conversationId,
      outcomes,
    })
    const state = await parts.store.conversations.state(workspace, conversationId, 2)
    expect(state?.messages.map(({ text }) => text)).toEqual(['message 4', 'message 5'])
    expect(Object.keys(state?.outcomes ?? {}).sort()).toEqual(ids.slice(3).sort())
    const none = await parts.store.conversations.state(workspace, conversationId, 0)
    expect([none?.messages, none?.outcomes]).toEqual([[], {}])
  })

  it('lists runs, the newest first, also of one conversation (R115)', async () => {
    const { store } = parts
    const { conversationId } = await openRun(store)
    const elsewhere = await openThread(store, { thread: 't2', keys: ['x'] })
    await commitOnce(store, itemOf('conversation', conversationId), {
      create: [2, 3].map((n) => runOf({ id: `r_${n}`, conversationId, createdAt: at + n })),
    })
    await commitOnce(store, itemOf('conversation', elsewhere), {
      create: [runOf({ id: 'r_4', conversationId: elsewhere, createdAt: at + 4 })],
    })
    await commitOnce(store, itemOf('run', 'r_3'), { task: { before: null, after: taskOf() } })
    const ids = async (limit: number, of?: string) =>
      (await store.runs.list(workspace, limit, of)).map(({ id }) => id)
    expect(await ids(10)).toEqual(['r_4', 'r_3', 'r_2', 'r_1'])
    expect(await ids(2)).toEqual(['r_4', 'r_3'])
    expect(await ids(10, conversationId)).toEqual(['r_3', 'r_2', 'r_1'])
    expect(await ids(1, conversationId)).toEqual(['r_3'])
    expect(await store.runs.list(workspace, 1, conversationId)).toEqual([
      runOf({ id: 'r_3', conversationId, createdAt: at + 3 }),
    ])
  })

  it('lists a run with the conversation that it opened (R106, R148)', async () => {
    const { store } = parts
    const { run } = await openRun(store, { conversationId: null })
    const opened = conversationOf()
    await commitOnce(store, itemOf('run', run.id), {
      conversation: { open: opened },
      runs: [{ id: run.id, patch: { conversationId: opened.id } }],
    })
    expect((await store.runs.list(workspace, 10, opened.id)).map(({ id }) => id)).toEqual([run.id])
    expect(await conversation(opened.id)).toEqual(opened)
  })

  it('keeps a trace in order, of a run and of a conversation (R119)', async () => {
    const { conversationId, run } = await openRun(parts.store)
    const entry = (n: number) => ({
      at: at + n,
      what: { kind: 'said' as const, messageId: `m_${n}` },
    })
    for (let n = 1; n <= 3; n++)
      await commitOnce(parts.store, itemOf('run', run.id), {
        trace: [
          { of: run.id, entry: entry(n) },
          { of: conversationId, entry: entry(10 + n) },
        ],
      })
    expect(await parts.store.runs.trace(workspace, run.id)).toEqual([1, 2, 3].map(entry))
    expect(await parts.store.runs.trace(workspace, conversationId)).toEqual([11, 12, 13].map(entry))
  })

  it('shows nothing of one conversation in another, nor of one workspace in another (R142, S5)', async () => {
    const { store } = parts
    const { conversationId, run } = await openRun(store)
    await commitOnce(store, itemOf('run', run.id), {
      conversationId,
      ask: questionOf(1),
      messages: [lineOf(1)],
      conversation: { id: conversationId, patch: { foreground: run.id } },
    })
    const other = await openThread(store, { thread: 't2', keys: ['x'] })
    const state = await store.conversations.state(workspace, other, 100)
    expect(state).toMatchObject({ questions: [], answered: [], inbox: [], foreground: null })
    expect(state?.messages).toHaveLength(1)
    expect(await store.runs.list(workspace, 10, other)).toEqual([])
    for (const home of ['web:other', 'web']) {
      expect(await store.conversations.state(home, conversationId, 100)).toBeNull()
      expect(await store.conversations.question(home, 'q_1')).toBeNull()
      expect(await store.runs.state(home, run.id)).toBeNull()
      expect(await store.conversations.markRead(home, conversationId, at)).toBe(false)
      expect(await store.leases.claim(itemOf('run', run.id, home), 10_000)).toBeNull()
    }
  })

  it('says whether it answers', async () => {
    expect(await parts.store.health()).toMatchObject({ ok: true })
    const other = parts.open()
    await other.close()
    expect(await other.health()).toMatchObject({ ok: false })
  })
}
