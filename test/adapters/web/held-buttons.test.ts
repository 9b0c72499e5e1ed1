import { afterEach, expect, it, vi } from 'vitest'
import type { Api } from '../../../src/adapters/web/page/api.ts'
import { keep } from '../../../src/adapters/web/page/browser-storage.ts'
import { fetchNeeds, fetchView, type Session } from '../../../src/adapters/web/page/fetches.ts'
import { createOutbox } from '../../../src/adapters/web/page/outbox.ts'
import type { State } from '../../../src/adapters/web/page/state.ts'
import { createStore } from '../../../src/adapters/web/page/store.ts'

const waits = (name: string, more: object = {}) =>
  ({
    name,
    workspace: 'web:local',
    at: 1,
    runId: null,
    conversationId: 'other',
    question: null,
    ...more,
  }) as never
const question = waits('q', { question: { id: 'q' } })
const paused = waits('p', { runId: 'r' })

/** A page with the thread `open` before it, which asks `asked`, and this queue of things that wait elsewhere. */
function openPage(queue: unknown[], asked: object | null = null) {
  const queued = () => ({ needs: [...queue], total: queue.length, next: null })
  const thread = { id: 'open', messages: [], question: asked, unread: false }
  const store = createStore({
    ...{
      route: { view: 'thread', id: 'open' },
      person: { id: 'ana', name: '' },
      needs: queued(),
      view: null,
    },
    ...{
      live: {},
      draft: null,
      pressed: { r: 'continue', 'opinion x': 'feedback' },
      connection: 'ok',
    },
  } as unknown as State)
  const ask = async (_method: string, path: string) =>
    ({ kind: 'ok', value: path.startsWith('/api/needs-you') ? queued() : thread }) as never
  const outbox = createOutbox({
    ...{
      post: async () => ({ kind: 'ok', value: { id: 'other' } }) as const,
      upload: async () => ask('', ''),
    },
    ...{
      changed: () => undefined,
      sent: () => undefined,
      refused: () => undefined,
      away: () => undefined,
    },
  })
  const session = {
    store,
    outbox,
    api: { ask } as unknown as Api,
    needed: 20,
    takenOff: new Set(),
  } as unknown as Session
  return { session, store, outbox, thread }
}

const answer = {
  id: 'a',
  kind: 'answer',
  conversationId: 'other',
  questionId: 'q',
  path: '/x',
  body: {},
  text: 'Blue',
} as const

afterEach(() => keep('unsent', ''))

it('holds what was answered in the queue until the queue has heard of it, whatever thread is open (C190)', async () => {
  const queue = [question]
  const { session, outbox } = openPage(queue)
  outbox.add(answer)
  await vi.waitFor(() => expect(outbox.items()).toMatchObject([{ state: 'sent' }]))
  await fetchView(session)
  expect(outbox.items(), 'the queue still offers it').toHaveLength(1)
  queue.pop()
  await fetchNeeds(session)
  expect(outbox.items()).toEqual([])
})

it('holds what was answered in a thread until the thread has heard of it (C190)', async () => {
  const { session, outbox, thread } = openPage([], { id: 'q' })
  outbox.add(answer)
  await vi.waitFor(() => expect(outbox.items()).toMatchObject([{ state: 'sent' }]))
  await fetchView(session)
  await fetchNeeds(session)
  expect(outbox.items(), 'the thread still asks it').toHaveLength(1)
  thread.question = null
  await fetchView(session)
  expect(outbox.items()).toEqual([])
})

it('holds a button that was pressed in the queue until the queue has heard of it (C190)', async () => {
  const queue = [paused]
  const { session, store } = openPage(queue)
  await fetchView(session)
  expect(store.get().pressed).toEqual({ r: 'continue' })
  queue.pop()
  await fetchNeeds(session)
  expect(store.get().pressed).toEqual({})
})
