import type { ConversationLine, ConversationView, NeedView } from '../views.ts'
import type { Answer, Api } from './api.ts'
import { newId } from './browser-storage.ts'
import type { Outbox } from './outbox.ts'
import { queryOf } from './route.ts'
import { pressName, type State } from './state.ts'
import type { Store } from './store.ts'
import { createRetry, debounced } from './timers.ts'

/** What the functions of the client share. */
export interface Session {
  store: Store<State>
  api: Api
  outbox: Outbox
  /** Threads of the list that are asked for. */
  listed: number
  /** Things that wait for a person and are asked for. */
  needed: number
  /** Messages of the thread that are asked for. */
  shown: number
  /** Of each run, as last told. */
  statuses: Map<string, string>
  /** What has left the queue since it was last asked for. */
  takenOff: Set<string>
  /** When this person was last told something alone in a thread. */
  toldAt: Map<string, number>
  /** What the server tells is heard: the stream is connected, and its store is there. */
  isHeard: boolean
  /** Ends a draft that nobody goes on with. */
  forgetting: ReturnType<typeof setTimeout> | undefined
  refreshList: () => void
  refreshNeeds: () => void
  refreshView: () => void
}

/** What fails for good is not asked for all the time. */
const askedAgainAfter = [500, 2_000, 8_000, 30_000]

/**
 * Fetches soon, once for any number of calls. What was not answered is asked again after a pause (C282), though not by a page that is
 * cut off: it fetches everything when it is connected again.
 *
 * @param fetch says whether it was answered.
 */
export function refreshing(fetch: () => Promise<boolean>, isHeard: () => boolean): () => void {
  const retry = createRetry(() => isHeard() && refresh(), askedAgainAfter)
  const refresh = debounced(async () => {
    retry.cancel()
    if (await fetch()) retry.succeeded()
    else retry.later()
  })
  return refresh
}

/** Clew's newest message. */
export const newestOf = (view: State['view']): string | null =>
  view?.messages.findLast(({ role }) => role === 'assistant')?.id ?? null

/** As many pages as are shown (C192). */
export async function fetchList(session: Session): Promise<boolean> {
  const { api, store } = session
  const conversations: ConversationLine[] = []
  let next: string | null = ''
  let untold = false
  while (next !== null && conversations.length < session.listed) {
    const limit = Math.min(200, session.listed - conversations.length)
    const before: string = next === '' ? '' : `&before=${encodeURIComponent(next)}`
    const answer: Answer<{
      conversations: ConversationLine[]
      next: string | null
      away?: boolean
    }> = await api.ask('GET', `/api/conversations?limit=${limit}${before}`)
    noteConnection(session, answer)
    if (answer.kind !== 'ok') return answer.kind === 'refused'
    conversations.push(...answer.value.conversations)
    next = answer.value.next
    untold = answer.value.away === true
  }
  store.set({ conversations, untold, hasOlder: next !== null })
  return true
}

/** C190. What was answered here and is gone from the queue has arrived. */
export async function fetchNeeds(session: Session): Promise<boolean> {
  const { store, api, needed, takenOff } = session
  takenOff.clear()
  const needs: NonNullable<State['needs']> = { needs: [], total: 0, next: '' }
  while (needs.next !== null && needs.needs.length < needed) {
    const query = new URLSearchParams({
      limit: `${Math.min(needed, 200)}`,
      author: store.get().person.id,
    })
    if (needs.next !== '') query.set('after', needs.next)
    const answer = await api.ask<typeof needs>('GET', `/api/needs-you?${query}`)
    if (answer.kind !== 'ok') return answer.kind === 'refused'
    Object.assign(needs, answer.value, { needs: [...needs.needs, ...answer.value.needs] })
  }
  showNeeds(session, without(needs, takenOff))
  return true
}

type Shown = NonNullable<State['needs']>

/** C265: what is gone goes at once, without asking for the queue; an answer that was under way then still has it. */
export function takeOff(
  session: Session,
  { workspace, gone }: { workspace: string; gone: readonly string[] },
): void {
  const { store, takenOff } = session
  for (const name of gone) takenOff.add(pressName({ workspace, name }))
  const { needs } = store.get()
  const left = needs && without(needs, takenOff)
  if (left !== null && left.total !== needs?.total) showNeeds(session, left)
}

function without(queue: Shown, names: ReadonlySet<string>): Shown {
  const needs = queue.needs.filter((need) => !names.has(pressName(need)))
  return { ...queue, needs, total: queue.total - queue.needs.length + needs.length }
}

function showNeeds(session: Session, needs: Shown): void {
  const { store } = session
  store.set({ needs, pressed: stillPressed(store.get(), needs.needs) })
  forgetShown(session)
}

/** What waits no more, or waits again, can be pressed again. */
function stillPressed({ needs, pressed }: State, now: readonly NeedView[]): State['pressed'] {
  const since = new Map(now.map((need) => [pressName(need), need.at]))
  const gone = needs?.needs.filter((need) => since.get(pressName(need)) !== need.at) ?? []
  const free = new Set(gone.flatMap((need) => [pressName(need), need.runId]))
  return Object.fromEntries(Object.entries(pressed).filter(([name]) => !free.has(name)))
}

/** What was pressed or answered there came to nothing, and can be again; it may be told before the request is answered. */
export function release({ store, outbox, toldAt }: Session, conversationId: string): void {
  toldAt.set(conversationId, Date.now())
  store.set({ pressed: {} })
  for (const { id, kind, state, conversationId: there } of outbox.items())
    if (kind === 'answer' && state === 'sent' && there === conversationId) outbox.remove(id)
}

export async function fetchView(session: Session): Promise<boolean> {
  const { store, api } = session
  const { route, live } = store.get()
  if (route.view !== 'thread') return true
  const linked = route.message === undefined ? '' : `&message=${route.message}`
  const answer = await api.ask<ConversationView>(
    'GET',
    `/api/conversations/${route.id}?messages=${session.shown}${queryOf(route.workspace).replace('?', '&')}${linked}`,
  )
  const now = store.get()
  if (now.route.view !== 'thread' || now.route.id !== route.id) return true
  noteConnection(session, answer)
  if (answer.kind === 'refused') store.set({ view: null, isMissing: true })
  if (answer.kind !== 'ok') return answer.kind === 'refused'
  const view = answer.value
  const draft = now.draft?.after === newestOf(view) ? now.draft : null
  // What was told before the question was asked is older than the answer.
  const newer = Object.entries(now.live).filter(([id, progress]) => live[id] !== progress)
  // What was pressed in the queue is held until the queue has heard of it.
  const waiting = new Set(now.needs?.needs.flatMap((need) => [pressName(need), need.runId]))
  const pressed = Object.fromEntries(
    Object.entries(now.pressed).filter(([name]) => waiting.has(name)),
  )
  store.set({ view, isMissing: false, draft, live: Object.fromEntries(newer), pressed })
  forgetShown(session)
  if (!view.unread || document.visibilityState !== 'visible') return true
  const read = await api.ask(
    'POST',
    `/api/conversations/${view.id}/read${queryOf(route.workspace)}`,
    {},
  )
  if (read.kind === 'ok') session.refreshList()
  return true
}

export function noteConnection({ store }: Session, answer: Answer<unknown>): void {
  if (answer.kind === 'away') store.set({ connection: answer.cause === 'store' ? 'store' : 'cut' })
  else if (store.get().connection !== 'ok') store.set({ connection: 'ok' })
}

/** What was sent is done with when its message is shown, or when neither the queue nor the thread asks its question any more. */
function forgetShown({ store, outbox }: Session): void {
  const { needs, view } = store.get()
  const asked = new Set([
    view?.question?.id,
    ...(needs?.needs.map(({ question }) => question?.id) ?? []),
  ])
  for (const { id, kind, state, questionId, messageId } of outbox.items()) {
    const isShown =
      kind === 'answer'
        ? !asked.has(questionId ?? '')
        : view?.messages.some(({ id }) => id === messageId)
    if (state === 'sent' && isShown) outbox.remove(id)
  }
}

/** Says something at the edge of the page until it is put away. */
export function tell({ store }: Session, text: string): void {
  store.set({ notes: [...store.get().notes, { id: newId(), text }] })
}
