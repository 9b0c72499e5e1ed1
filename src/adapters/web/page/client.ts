import { assertNever } from '../../../agent/domain/assert.ts'
import type { ProgressView } from '../../../agent/domain/progress.ts'
import type { ConversationLine, ConversationView } from '../views.ts'
import { type Answer, type Api, createApi } from './api.ts'
import { keep, newId } from './browser-storage.ts'
import { keepLanguage, type Language, vocabularies } from './language.ts'
import { createOutbox, type Outbox, type Unsent } from './outbox.ts'
import { hashOf, type Route, routeOf } from './route.ts'
import { firstState, type State } from './state.ts'
import { createStore, type Store } from './store.ts'
import { listen, type Told } from './stream.ts'
import { debounced } from './timers.ts'

const pageSize = 200

/** What the functions of this file share. */
interface Session {
  store: Store<State>
  api: Api
  outbox: Outbox
  /** Messages of the thread that are asked for. */
  shown: number
  /** Of each run, as last told. */
  statuses: Map<string, string>
  refreshList: () => void
  refreshView: () => void
}

export type Client = ReturnType<typeof createClient>

/** Everything the page knows and does, without how it looks. */
export function createClient() {
  const store = createStore(firstState())
  const { set } = store
  const api = createApi(() => store.get().language)
  const outbox = createOutbox({
    post: (path, body) => api.ask('POST', path, body),
    changed: (unsent) => set({ unsent }),
    away: (cause) => noteConnection(session, { kind: 'away', cause }),
    sent: (item, conversationId) => arrived(session, item, conversationId),
    refused: (item, message) => refused(session, item, message),
  })
  const session: Session = {
    ...{ store, api, outbox, shown: pageSize, statuses: new Map() },
    refreshList: debounced(() => fetchList(session)),
    refreshView: debounced(() => fetchView(session)),
  }

  return {
    store,
    api,
    say: (conversationId: string | null, text: string) => say(session, conversationId, text),
    answer: (questionId: string, given: Given) => answer(session, questionId, given),
    control: (runId: string, action: 'cancel' | 'continue' | 'retry') => control(session, runId, action),
    discard: (unsentId: string) => outbox.remove(unsentId),
    suggest: (suggestion: State['suggestion']) => set({ suggestion }),
    earlier() {
      session.shown += pageSize * 2
      session.refreshView()
    },
    dismiss: (noteId: string) => set({ notes: store.get().notes.filter(({ id }) => id !== noteId) }),
    introduce(name: string) {
      const person = { ...store.get().person, name: name.trim().slice(0, 80) }
      keep('name', person.name)
      set({ person })
    },
    speak(language: Language) {
      keepLanguage(language)
      set({ language })
    },
    sender: () => senderOf(store.get()),
    start: () => start(session),
  }
}

function start(session: Session): void {
  const { store, outbox, refreshView } = session
  store.set({ unsent: outbox.items() })
  addEventListener('hashchange', () => arrive(session))
  addEventListener('online', () => refreshAll(session))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshView()
  })
  refreshAll(session)
  listen(store.get().person.id, (told) => hear(session, told))
}

/** Who asks, in what language and zone. The name is the one that others see; until one is given, the word for it in this person's language. */
function senderOf({ person, language }: State) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const author = { id: person.id, name: person.name || vocabularies[language].you }
  return { author, locale: language, timeZone }
}

/* What people do. */

function say({ store, outbox }: Session, conversationId: string | null, text: string): void {
  const id = newId()
  const path = conversationId === null ? '/api/conversations' : `/api/conversations/${conversationId}/messages`
  const body = { text, clientMessageId: id, ...senderOf(store.get()) }
  outbox.add({ id, kind: 'message', conversationId, questionId: null, path, body, text })
}

type Given = { choice: string } | { text: string }

function answer({ store, outbox }: Session, questionId: string, given: Given): void {
  const id = newId()
  const { route } = store.get()
  const conversationId = route.view === 'thread' ? route.id : null
  const body = { ...given, clientMessageId: id, author: senderOf(store.get()).author }
  const text = 'choice' in given ? given.choice : given.text
  outbox.add({
    id,
    kind: 'answer',
    conversationId,
    questionId,
    path: `/api/questions/${questionId}/answer`,
    body,
    text,
  })
}

async function control(session: Session, runId: string, action: string): Promise<void> {
  const { store, api } = session
  store.set({ pressed: { ...store.get().pressed, [runId]: action } })
  const answer = await api.ask('POST', `/api/runs/${runId}/${action}`, { author: senderOf(store.get()).author })
  if (answer.kind === 'ok') return
  const { [runId]: _, ...pressed } = store.get().pressed
  store.set({ pressed })
  if (answer.kind === 'refused') tell(session, answer.message)
  noteConnection(session, answer)
  session.refreshView()
}

/* What became of it. */

function arrived(session: Session, item: Unsent, conversationId: string): void {
  const { route } = session.store.get()
  if (item.conversationId === null) {
    if (route.view !== 'thread') go(session, { view: 'thread', id: conversationId })
    session.outbox.remove(item.id)
  }
  session.refreshView()
  session.refreshList()
}

/** A message stays where it is, with its text; an answer came too late, and the card shows the other one. */
function refused(session: Session, item: Unsent, message: string): void {
  if (item.kind === 'message') return
  session.outbox.remove(item.id)
  tell(session, message)
  session.refreshView()
}

function tell({ store }: Session, text: string): void {
  store.set({ notes: [...store.get().notes, { id: newId(), text }] })
}

/* What the server says. */

function hear(session: Session, told: Told): void {
  const { set } = session.store
  switch (told.kind) {
    case 'fresh':
      set({ connection: 'ok' })
      refreshAll(session)
      break
    case 'store_away':
      set({ connection: 'store' })
      break
    case 'cut':
      set({ connection: 'cut' })
      break
    case 'progress':
      advance(session, told.conversationId, told.progress)
      break
    case 'delivery':
      if (told.delivery.body.kind === 'private') tell(session, told.delivery.body.text)
      refreshFor(session, told.conversationId)
      break
    case 'changed':
      refreshFor(session, told.conversationId)
      break
    default:
      assertNever(told)
  }
}

/** A plan moves on often and is drawn as it is told; only a run in a new state is worth a fetch. */
function advance(session: Session, conversationId: string, progress: ProgressView): void {
  const { live, route } = session.store.get()
  const { runId, status } = progress
  const changed = session.statuses.get(runId) !== status
  session.statuses.set(runId, status)
  if (route.view === 'thread' && route.id === conversationId)
    session.store.set({ live: { ...live, [runId]: progress } })
  if (changed) refreshFor(session, conversationId)
}

function refreshFor({ store, refreshList, refreshView }: Session, conversationId: string): void {
  const { route } = store.get()
  refreshList()
  if (route.view === 'thread' && route.id === conversationId) refreshView()
}

function refreshAll({ store, api, outbox, refreshList, refreshView }: Session): void {
  refreshList()
  refreshView()
  outbox.flush()
  void api.health().then((health) => {
    if (health?.model !== undefined) store.set({ health })
  })
}

async function fetchList(session: Session): Promise<void> {
  const answer = await session.api.ask<{ conversations: ConversationLine[] }>('GET', '/api/conversations')
  if (answer.kind === 'ok') session.store.set({ conversations: answer.value.conversations })
  noteConnection(session, answer)
}

async function fetchView(session: Session): Promise<void> {
  const { store, api, outbox } = session
  const { route, live } = store.get()
  if (route.view !== 'thread') return
  const answer = await api.ask<ConversationView>('GET', `/api/conversations/${route.id}?messages=${session.shown}`)
  const now = store.get()
  if (now.route.view !== 'thread' || now.route.id !== route.id) return
  noteConnection(session, answer)
  if (answer.kind === 'refused') store.set({ view: 'missing' })
  if (answer.kind !== 'ok') return
  const view = answer.value
  // What was told before the question was asked is older than the answer.
  const newer = Object.entries(now.live).filter(([id, progress]) => live[id] !== progress)
  store.set({ view, live: Object.fromEntries(newer), pressed: {} })
  for (const item of outbox.items()) if (item.state === 'sent' && isShown(item, view)) outbox.remove(item.id)
  if (!view.unread || document.visibilityState !== 'visible') return
  const read = await api.ask('POST', `/api/conversations/${view.id}/read`, {})
  if (read.kind === 'ok') session.refreshList()
}

function noteConnection({ store }: Session, answer: Answer<unknown>): void {
  if (answer.kind === 'away') store.set({ connection: answer.cause === 'store' ? 'store' : 'cut' })
  else if (store.get().connection !== 'ok') store.set({ connection: 'ok' })
}

/** Whether the view already shows what was sent: the message, or the answered question. */
function isShown(item: Unsent, view: ConversationView): boolean {
  if (item.kind === 'answer') return view.question?.id !== item.questionId
  return view.messages.some(({ id }) => id === item.messageId)
}

/* Where it is. */

function go(session: Session, route: Route): void {
  if (location.hash !== hashOf(route)) location.hash = hashOf(route)
  else arrive(session)
}

function arrive(session: Session): void {
  const route = routeOf(location.hash)
  const { view } = session.store.get()
  const same = route.view === 'thread' && typeof view === 'object' && view?.id === route.id
  session.shown = pageSize
  session.store.set({ route, ...(same ? {} : { view: null, live: {} }) })
  session.refreshView()
}
