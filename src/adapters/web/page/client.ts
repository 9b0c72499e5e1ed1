import { assertNever } from '../../../agent/domain/assert.ts'
import type { ProgressView } from '../../../agent/domain/progress.ts'
import type { ConversationView } from '../views.ts'
import { type Api, createApi } from './api.ts'
import { keep, newId } from './browser-storage.ts'
import { debounced } from './debounce.ts'
import { keepLanguage, type Language, vocabularies } from './language.ts'
import { createOutbox, type Unsent } from './outbox.ts'
import { hashOf, type Route, routeOf } from './route.ts'
import { firstState, type State } from './state.ts'
import { createStore, type Store } from './store.ts'
import { listen, type Told } from './stream.ts'

export interface Client {
  store: Store<State>
  api: Api
  say(conversationId: string | null, text: string): void
  answer(questionId: string, given: { choice: string } | { text: string }): void
  control(runId: string, action: 'cancel' | 'continue' | 'retry'): Promise<void>
  discard(unsentId: string): void
  suggest(suggestion: State['suggestion']): void
  earlier(): void
  dismiss(noteId: string): void
  introduce(name: string): void
  speak(language: Language): void
  go(route: Route): void
  /** Who asks, in what language and zone. */
  sender(): { author: { id: string; name: string }; locale: string; timeZone: string }
  start(): void
}

const pageSize = 200

/** Everything the page knows and does, without how it looks. */
export function createClient(): Client {
  const store = createStore(firstState())
  const api = createApi(() => store.get().language)
  let shown = pageSize
  const toldStatus = new Map<string, string>()

  const outbox = createOutbox({
    post: api.post,
    changed: (unsent) => store.set({ unsent }),
    away: (cause) => noteConnection({ kind: 'away', cause }),
    sent(item, conversationId) {
      const { route } = store.get()
      if (item.conversationId === null && route.view !== 'thread') go({ view: 'thread', id: conversationId })
      if (item.conversationId === null) outbox.remove(item.id)
      refreshView()
      refreshList()
    },
    refused(item, message) {
      // A message stays where it is, with its text; an answer came too late, and the card shows the other one.
      if (item.kind === 'message') return
      outbox.remove(item.id)
      tell(message, item.conversationId)
      refreshView()
    },
  })

  const refreshList = debounced(async () => {
    const answer = await api.conversations()
    if (answer.kind === 'ok') store.set({ conversations: answer.value.conversations })
    noteConnection(answer)
  })

  const refreshView = debounced(async () => {
    const { route, live } = store.get()
    if (route.view !== 'thread') return
    const answer = await api.conversation(route.id, shown)
    const now = store.get()
    if (now.route.view !== 'thread' || now.route.id !== route.id) return
    noteConnection(answer)
    if (answer.kind === 'refused') store.set({ view: 'missing' })
    if (answer.kind !== 'ok') return
    const view = answer.value
    // What was told before the question was asked is older than the answer.
    const newer = Object.entries(now.live).filter(([id, progress]) => live[id] !== progress)
    store.set({ view, live: Object.fromEntries(newer), pressed: {} })
    for (const item of outbox.items()) if (item.state === 'sent' && isShown(item, view)) outbox.remove(item.id)
    if (view.unread && document.visibilityState === 'visible') await markRead(view)
  })

  async function markRead({ id }: ConversationView): Promise<void> {
    const answer = await api.post(`/api/conversations/${id}/read`, {})
    if (answer.kind === 'ok') refreshList()
  }

  function noteConnection(answer: { kind: string; cause?: string }): void {
    if (answer.kind === 'away') store.set({ connection: answer.cause === 'store' ? 'store' : 'cut' })
    else if (store.get().connection !== 'ok') store.set({ connection: 'ok' })
  }

  function refreshAll(): void {
    refreshList()
    refreshView()
    outbox.flush()
    void api.health().then((answer) => {
      if (answer.kind === 'ok' && answer.value.model !== undefined) store.set({ health: answer.value })
    })
  }

  function hear(told: Told): void {
    switch (told.kind) {
      case 'fresh':
        store.set({ connection: 'ok' })
        refreshAll()
        break
      case 'store_away':
        store.set({ connection: 'store' })
        break
      case 'cut':
        store.set({ connection: 'cut' })
        break
      case 'progress':
        advance(told.conversationId, told.progress)
        break
      case 'delivery':
        if (told.delivery.body.kind === 'private') tell(told.delivery.body.text, told.conversationId)
        refreshFor(told.conversationId)
        break
      case 'changed':
        refreshFor(told.conversationId)
        break
      default:
        assertNever(told)
    }
  }

  /** A plan moves on often and is drawn as it is told; only a run in a new state is worth a fetch. */
  function advance(conversationId: string, progress: ProgressView): void {
    const { live, route } = store.get()
    const { runId, status } = progress
    const changed = toldStatus.get(runId) !== status
    toldStatus.set(runId, status)
    if (route.view === 'thread' && route.id === conversationId) store.set({ live: { ...live, [runId]: progress } })
    if (changed) refreshFor(conversationId)
  }

  function refreshFor(conversationId: string): void {
    const { route } = store.get()
    refreshList()
    if (route.view === 'thread' && route.id === conversationId) refreshView()
  }

  function tell(text: string, conversationId: string | null): void {
    store.set({ notes: [...store.get().notes, { id: newId(), text, conversationId }] })
  }

  /** The name that others see; until one is given, the word for it in this person's language. */
  function author(): { id: string; name: string } {
    const { person, language } = store.get()
    return { id: person.id, name: person.name || vocabularies[language].you }
  }

  function sender() {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    return { author: author(), locale: store.get().language, timeZone }
  }

  function go(route: Route): void {
    if (location.hash !== hashOf(route)) location.hash = hashOf(route)
    else arrive()
  }

  function arrive(): void {
    const route = routeOf(location.hash)
    const { view } = store.get()
    const same = route.view === 'thread' && typeof view === 'object' && view?.id === route.id
    shown = pageSize
    store.set({ route, ...(same ? {} : { view: null, live: {} }) })
    refreshView()
  }

  return {
    store,
    api,
    say(conversationId, text) {
      const id = newId()
      const path = conversationId === null ? '/api/conversations' : `/api/conversations/${conversationId}/messages`
      const body = { text, clientMessageId: id, ...sender() }
      outbox.add({ id, kind: 'message', conversationId, questionId: null, path, body, text })
    },
    answer(questionId, given) {
      const id = newId()
      const { route } = store.get()
      const conversationId = route.view === 'thread' ? route.id : null
      const body = { ...given, clientMessageId: id, author: author() }
      const text = 'choice' in given ? given.choice : given.text
      const path = `/api/questions/${questionId}/answer`
      outbox.add({ id, kind: 'answer', conversationId, questionId, path, body, text })
    },
    async control(runId, action) {
      store.set({ pressed: { ...store.get().pressed, [runId]: action } })
      const answer = await api.post(`/api/runs/${runId}/${action}`, { author: author() })
      const { [runId]: _, ...pressed } = store.get().pressed
      if (answer.kind === 'ok') return
      store.set({ pressed })
      if (answer.kind === 'refused') tell(answer.message, null)
      noteConnection(answer)
      refreshView()
    },
    discard: (id) => outbox.remove(id),
    suggest: (suggestion) => store.set({ suggestion }),
    earlier() {
      shown += pageSize * 2
      refreshView()
    },
    dismiss: (id) => store.set({ notes: store.get().notes.filter((note) => note.id !== id) }),
    introduce(name) {
      const person = { ...store.get().person, name: name.trim().slice(0, 80) }
      keep('name', person.name)
      store.set({ person })
    },
    speak(language) {
      keepLanguage(language)
      store.set({ language })
    },
    go,
    sender,
    start() {
      store.set({ unsent: outbox.items() })
      addEventListener('hashchange', arrive)
      addEventListener('online', refreshAll)
      document.addEventListener('visibilitychange', () => {
        if (document.visibilityState === 'visible') refreshView()
      })
      refreshAll()
      listen(store.get().person.id, hear)
    },
  }
}

/** Whether the view already shows what was sent: the message, or the answered question. */
function isShown(item: Unsent, view: ConversationView): boolean {
  if (item.kind === 'answer') return view.question?.id !== item.questionId
  return view.messages.some(({ id }) => id === item.messageId)
}
