import type { ConversationLine, ConversationView, NeedView } from '../views.ts'
import type { Answer, Api } from './api.ts'
import { newId } from './browser-storage.ts'
import type { Outbox } from './outbox.ts'
import { queryOf } from './route.ts'
import { pressName, type State } from './state.ts'
import type { Store } from './store.ts'
import { createRetry, debounced } from './timers.ts'

/** State that the client's functions share. */
export interface Session {
  store: Store<State>
  api: Api
  outbox: Outbox
  /** Number of threads in the list to fetch. */
  listed: number
  /** Number of waiting entries to fetch. */
  needed: number
  /** Number of messages of the thread to fetch. */
  shown: number
  /** Last status of each run, from the stream. */
  statuses: Map<string, string>
  /** Entries that have left the queue since it was last fetched. */
  takenOff: Set<string>
  /** Time of the last private message to this person, by thread. */
  toldAt: Map<string, number>
  /** True while the stream is connected and its store answers. */
  isHeard: boolean
  /** Timer that drops a draft without updates. */
  forgetting: ReturnType<typeof setTimeout> | undefined
  refreshList: () => void
  refreshNeeds: () => void
  refreshView: () => void
}

/** Pauses between retries, in ms. They grow, so that a lasting failure is polled rarely. */
const askedAgainAfter = [500, 2_000, 8_000, 30_000]

/**
 * Fetches soon, once for any number of calls. A failed fetch is retried after a pause (C282), but
 * not while the page is disconnected: it fetches everything on reconnecting.
 *
 * @param fetch resolves to true if there was an answer.
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

/** Id of Clew's newest message. */
export const newestOf = (view: State['view']): string | null =>
  view?.messages.findLast(({ role }) => role === 'assistant')?.id ?? null

/** Fetches as many threads as the list shows (C192). */
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

type NeedsQueue = NonNullable<State['needs']>
type NeedsPage = NeedsQueue & { quiet: boolean }

/** Asks for the entries of the queue behind a place, page by page until there are `least`. */
export async function askNeeds(
  { api, store }: Pick<Session, 'api' | 'store'>,
  after: string,
  least: number,
): Promise<Answer<NeedsPage>> {
  const found: NeedsPage = { needs: [], total: 0, next: after, quiet: false }
  while (found.next !== null && found.needs.length < least) {
    const query = new URLSearchParams({
      limit: `${Math.min(least, 200)}`,
      author: store.get().person.id,
    })
    if (found.next !== '') query.set('after', found.next)
    const answer = await api.ask<NeedsPage>('GET', `/api/needs-you?${query}`)
    if (answer.kind !== 'ok') return answer
    Object.assign(found, answer.value, { needs: [...found.needs, ...answer.value.needs] })
  }
  return { kind: 'ok', value: found }
}

/**
 * C190: fetches the queue of waiting entries. Answers to entries that have left it have arrived.
 */
export async function fetchNeeds(session: Session): Promise<boolean> {
  session.takenOff.clear()
  const answer = await askNeeds(session, '', session.needed)
  if (answer.kind === 'ok') showNeeds(session, without(answer.value, session.takenOff))
  return answer.kind !== 'away'
}

/**
 * C265: removes entries at once, without fetching the queue. A fetch in flight may still hold them.
 */
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

function without(queue: NeedsQueue, names: ReadonlySet<string>): NeedsQueue {
  const needs = queue.needs.filter((need) => !names.has(pressName(need)))
  return { ...queue, needs, total: queue.total - queue.needs.length + needs.length }
}

function showNeeds(session: Session, needs: NeedsQueue) {
  const { store } = session
  store.set({ needs, pressed: stillPressed(store.get(), needs.needs) })
  forgetShown(session)
}

/** Presses that still count. An entry that left the queue, or waits anew, can be pressed again. */
function stillPressed({ needs, pressed }: State, now: readonly NeedView[]): State['pressed'] {
  const since = new Map(now.map((need) => [pressName(need), need.at]))
  const gone = needs?.needs.filter((need) => since.get(pressName(need)) !== need.at) ?? []
  const free = new Set(gone.flatMap((need) => [pressName(need), need.runId]))
  return Object.fromEntries(Object.entries(pressed).filter(([name]) => !free.has(name)))
}

/**
 * Frees a thread's buttons and answers when a private message says that a press had no effect. It
 * may arrive before the request's own answer.
 */
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
    `/api/conversations/${route.id}?messages=${session.shown}&author=${store.get().person.id}${queryOf(route.workspace).replace('?', '&')}${linked}`,
  )
  const now = store.get()
  if (now.route.view !== 'thread' || now.route.id !== route.id) return true
  noteConnection(session, answer)
  if (answer.kind === 'refused') store.set({ view: null, isMissing: true })
  if (answer.kind !== 'ok') return answer.kind === 'refused'
  const view = answer.value
  const draft = now.draft?.after === newestOf(view) ? now.draft : null
  // Progress from before this request is older than its answer.
  const newer = Object.entries(now.live).filter(([id, progress]) => live[id] !== progress)
  // An entry pressed in the queue stays marked until the queue is updated.
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

/**
 * Removes sent items once the page shows them: a message in its thread, an answer when its question
 * is no longer asked.
 */
function forgetShown({ store, outbox }: Session) {
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

/** Shows a notice until it is read or dismissed; the same one again takes its place. */
export function tell({ store }: Session, text: string, isPrivate = false): void {
  const others = store.get().notes.filter((note) => note.text !== text)
  store.set({ notes: [...others, { id: newId(), text, isPrivate }] })
}
