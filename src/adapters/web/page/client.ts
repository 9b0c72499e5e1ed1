import type { Opinion } from '../../../agent/domain/feedback.ts'
import type { NeedView } from '../views.ts'
import { createApi } from './api.ts'
import { type Attached, sendAhead } from './attached.ts'
import { keep, newId } from './browser-storage.ts'
import {
  fetchList,
  fetchNeeds,
  fetchView,
  noteConnection,
  refreshing,
  type Session,
  tell,
} from './fetches.ts'
import { hear, refreshAll, refreshHealth } from './hearing.ts'
import type { Language } from './language.ts'
import { createNotifier } from './notifications.ts'
import { createOutbox, type Unsent } from './outbox.ts'
import { noteRecent } from './recent.ts'
import { removals } from './removal.ts'
import { hashOf, placeName, queryOf, type Route, routeOf, workspaceOf } from './route.ts'
import { type DialogName, firstState, pressName, type State, senderOf } from './state.ts'
import { createStore } from './store.ts'
import { listen } from './stream.ts'
import { heldMs } from './timers.ts'

const pageSize = 200
const needsStep = 20
const listStep = 50

export type Client = ReturnType<typeof createClient>

/** State and actions of the page, without its looks. */
export function createClient() {
  const store = createStore(firstState())
  const { set } = store
  const api = createApi(() => store.get().language)
  const outbox = createOutbox({
    post: (path, body) => api.ask('POST', path, body),
    upload: ({ id }) => sendAhead(api, id),
    changed: (unsent) => set({ unsent }),
    away: (cause) => noteConnection(session, { kind: 'away', cause }),
    sent: (item, conversationId) => arrived(session, item, conversationId),
    refused: (item, message) => refused(session, item, message),
  })
  const isHeard = () => session.isHeard
  const session: Session = {
    store,
    api,
    outbox,
    shown: pageSize,
    listed: listStep,
    needed: needsStep,
    statuses: new Map(),
    toldAt: new Map(),
    takenOff: new Set(),
    forgetting: undefined,
    isHeard: false,
    refreshList: refreshing(() => fetchList(session), isHeard),
    refreshNeeds: refreshing(async () => {
      const isAnswered = await fetchNeeds(session)
      if (isAnswered) await notify()
      return isAnswered
    }, isHeard),
    refreshView: refreshing(() => fetchView(session), isHeard),
  }

  const notify = createNotifier(session)
  const leaving = removals(session)
  return {
    store,
    api,
    ...sayings(session, leaving),
    ...presses(session),
    removals: leaving,
    /** Confirms in a sentence what was done. */
    tell: (text: string) => tell(session, text),
    discard: (unsentId: string) => outbox.remove(unsentId),
    suggest: (suggestion: State['suggestion']) => set({ suggestion }),
    /** Marks these words in the message that is opened next. */
    seek: (sought: string) => set({ sought }),
    older() {
      session.listed += listStep
      session.refreshList()
    },
    refresh: () => refreshAll(session),
    refreshNeeds: () => session.refreshNeeds(),
    refreshHealth: () => refreshHealth(session),
    go: (route: Route) => go(session, route),
    show: (dialog: DialogName | null) => set({ dialog }),
    edit: (edited: string | null) => set({ edited }),
    isGone: (id: string) => set({ withdrawn: [...store.get().withdrawn, id] }),
    leave(dialog: DialogName) {
      if (store.get().dialog === dialog) set({ dialog: null })
    },
    earlier() {
      session.shown += pageSize * 2
      session.refreshView()
    },
    dismiss: (noteId: string) =>
      set({ notes: store.get().notes.filter(({ id }) => id !== noteId) }),
    introduce(name: string) {
      const person = { ...store.get().person, name: name.trim().slice(0, 80) }
      keep('name', person.name)
      set({ person })
    },
    speak(language: Language) {
      keep('language', language)
      set({ language })
    },
    sender: () => senderOf(store.get()),
    start: () => start(session),
  }
}

function start(session: Session) {
  const { store, outbox, refreshView } = session
  store.set({ unsent: outbox.items() })
  noteRecent(placeName(store.get().route))
  addEventListener('hashchange', () => arrive(session))
  addEventListener('online', () => refreshAll(session))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshView()
  })
  refreshAll(session)
  listen(store.get().person.id, (told) => hear(session, told))
}

/* Actions of people. */

export type AnswerInput = { choice: string; edited?: string } | { text: string }

/** A thread and its workspace. */
export interface Place {
  conversationId: string | null
  workspace?: string | undefined
}

/** The thread that is open. */
const placeOf = ({ route }: State): Place => ({
  conversationId: route.view === 'thread' ? route.id : null,
  workspace: workspaceOf(route),
})

/** An answer to a question; without `place`, one of the open thread. */
export interface GivenAnswer {
  questionId: string
  given: AnswerInput
  place?: Place | undefined
}

/** Messages and answers, which the outbox keeps until they have arrived. */
function sayings({ store, outbox }: Session, leaving: ReturnType<typeof removals>) {
  /** Sends what is held, so that a thread is read in the order in which it was said. */
  const release = () => {
    for (const { path, ms } of store.get().leaving) if (ms === heldMs) leaving.send(path)
  }
  return {
    /** Sends a message; without a thread it begins one. */
    say(conversationId: string | null, text: string, files: readonly Attached[] = []): void {
      release()
      const id = newId()
      const path =
        conversationId === null
          ? '/api/conversations'
          : `/api/conversations/${conversationId}/messages`
      const attached = files.length === 0 ? {} : { files }
      const body = { text, clientMessageId: id, ...attached, ...senderOf(store.get()) }
      const questionId = null
      outbox.add({
        id,
        kind: 'message',
        conversationId,
        questionId,
        path,
        body,
        text,
        ...attached,
      })
    },
    /** Answers questions, each as soon as it cannot be taken back any more (C692). */
    answer(answers: readonly GivenAnswer[], said: string): void {
      const ids = answers.map(({ questionId, given, place = placeOf(store.get()) }) => {
        const id = newId()
        const path = `/api/questions/${questionId}/answer${queryOf(place.workspace)}`
        const { author } = senderOf(store.get())
        const body = { ...given, clientMessageId: id, author }
        const text = 'choice' in given ? given.choice : given.text
        const { conversationId } = place
        outbox.add({ id, kind: 'answer', conversationId, questionId, path, body, text }, 'held')
        return id
      })
      leaving.remove({
        path: `answer ${ids[0]}`,
        text: said,
        ms: heldMs,
        send: (isLeft) => outbox.release(ids, isLeft),
        undo: () => ids.forEach(outbox.remove),
      })
    },
  }
}

/**
 * Button presses in the queue and in threads. Without `workspace` they are about the open thread.
 */
function presses(session: Session) {
  const pressOf = (
    runId: string,
    action: string,
    workspace: string | undefined,
    more?: object,
    name = runId,
  ) => {
    const query = queryOf(workspace ?? workspaceOf(session.store.get().route))
    return press(session, name, action, `/api/runs/${runId}/${action}${query}`, more)
  }
  return {
    control: (runId: string, action: 'cancel' | 'continue' | 'retry', workspace?: string) =>
      pressOf(runId, action, workspace),
    beginAgain: (runId: string, step: number | null, workspace?: string) =>
      pressOf(runId, 'again', workspace, {
        step: step ?? undefined,
        clientMessageId: newId(),
      }),
    keepTest: (runId: string, right: string) =>
      pressOf(runId, 'keep_test', undefined, { right }, `test ${runId}`),
    judge: (runId: string, opinion: Opinion) =>
      pressOf(runId, 'feedback', undefined, opinion, `opinion ${runId}`),
    decide(need: NeedView, verb: 'accept' | 'reject') {
      const { memory, workspace, conversationId } = need
      const path = `/api/memory/${memory}/${verb}?workspace=${encodeURIComponent(workspace)}`
      return press(session, pressName(need), verb, path, {
        conversationId,
        clientMessageId: newId(),
      })
    },
    see(need: NeedView) {
      const query = new URLSearchParams({ workspace: need.workspace, failed: 'seen' })
      const path = `/api/conversations/${need.conversationId}/read?${query}`
      return press(session, pressName(need), 'read', path)
    },
    moreNeeds() {
      session.needed += 1_000
      session.refreshNeeds()
    },
  }
}

/**
 * Presses a button about a run or another waiting thing. `name` marks it as pressed until it
 * changes.
 */
async function press(
  session: Session,
  name: string,
  action: string,
  path: string,
  more: object = {},
) {
  const { store, api } = session
  store.set({ pressed: { ...store.get().pressed, [name]: action } })
  const body = path.includes('/read') ? {} : { author: senderOf(store.get()).author, ...more }
  const answer = await api.ask('POST', path, body)
  if (answer.kind === 'ok') return
  const { [name]: _, ...pressed } = store.get().pressed
  store.set({ pressed })
  if (answer.kind === 'refused') tell(session, answer.message)
  noteConnection(session, answer)
  session.refreshNeeds()
  session.refreshView()
}

/* Outcomes of actions. */

function arrived(session: Session, item: Unsent, conversationId: string) {
  const { route } = session.store.get()
  // This name allows changing the message later (C249).
  if (item.kind === 'message') keep(`sent.${conversationId}`, `${item.messageId} ${item.id}`)
  if (item.conversationId === null) {
    if (route.view !== 'thread') go(session, { view: 'thread', id: conversationId })
    session.outbox.remove(item.id)
  }
  if (item.kind === 'answer' && (session.toldAt.get(conversationId) ?? 0) >= item.at)
    session.outbox.remove(item.id)
  session.refreshView()
  session.refreshList()
}

/**
 * Handles a refusal. A message stays in place, with its text. An answer is dropped: it came too
 * late, and the card shows the other one.
 */
function refused(session: Session, item: Unsent, message: string) {
  if (item.kind === 'message') return
  session.outbox.remove(item.id)
  tell(session, message)
  session.refreshNeeds()
  session.refreshView()
}

/* Navigation. */

function go(session: Session, route: Route) {
  if (location.hash !== hashOf(route)) location.hash = hashOf(route)
  else arrive(session)
}

/** State of the open thread before it is fetched. */
const unopened = { view: null, isMissing: false, live: {}, draft: null }

function arrive(session: Session) {
  const route = routeOf(location.hash)
  const { view, route: before, notes: shown } = session.store.get()
  // What only this person sees belongs to the place where it was said.
  const notes = hashOf(before) === hashOf(route) ? shown : []
  const same = route.view === 'thread' && view?.id === route.id
  session.shown = pageSize
  noteRecent(placeName(route))
  session.store.set({ route, notes, dialog: null, edited: null, ...(same ? {} : unopened) })
  session.refreshView()
}
