import { assertNever } from '../../../agent/domain/assert.ts'
import type { ProgressView } from '../../../agent/domain/progress.ts'
import { newestOf, release, type Session, takeOff, tell } from './fetches.ts'
import { isLive } from './state.ts'
import type { ServerNotice } from './stream.ts'
import { ownTime } from './time.ts'

/** Lifetime of a draft without updates, in ms: longer than a dead worker goes unnoticed. */
const draftMs = 20_000

/** Applies a notice from the server to the page's state. */
export function hear(session: Session, told: ServerNotice): void {
  const { set } = session.store
  switch (told.kind) {
    case 'fresh':
      session.isHeard = true
      set({ connection: 'ok' })
      refreshAll(session)
      break
    case 'store_away':
      session.isHeard = false
      set({ connection: 'store' })
      break
    case 'cut':
      session.isHeard = false
      set({ connection: 'cut' })
      // Somebody who was signed out elsewhere gets the sign-in page (C262).
      if (told.isRefused) void session.api.ask('GET', '/api/session')
      break
    case 'progress':
      advance(session, told.conversationId, told.progress)
      break
    case 'delivery':
      if (told.delivery.body.kind === 'private') {
        tell(session, ownTime(told.delivery.body.text, session.store.get().language), true)
        release(session, told.conversationId)
      }
      refreshFor(session, told.conversationId)
      break
    case 'draft':
      sketch(session, told)
      break
    case 'news':
      takeOff(session, told)
      refreshFor(session, told.conversationId)
      break
    case 'changed':
      refreshFor(session, told.conversationId)
      break
    default:
      assertNever(told)
  }
}

/**
 * Applies progress. Plans change often and are drawn from the notice; only a new status of a run
 * causes a fetch.
 */
function advance(session: Session, conversationId: string, progress: ProgressView) {
  const { live, route } = session.store.get()
  const { runId, status } = progress
  const changed = session.statuses.get(runId) !== status
  if (isLive(status)) session.statuses.set(runId, status)
  else session.statuses.delete(runId)
  if (route.view === 'thread' && route.id === conversationId)
    session.store.set({ live: { ...live, [runId]: progress } })
  if (changed) refreshFor(session, conversationId)
}

/** C150: shows a draft until its message is there, it is withdrawn, or it gets no more updates. */
function sketch(
  session: Session,
  { conversationId, html }: Extract<ServerNotice, { kind: 'draft' }>,
) {
  const { store } = session
  const { route, view, draft } = store.get()
  if (route.view !== 'thread' || route.id !== conversationId) return
  clearTimeout(session.forgetting)
  if (html === null) {
    store.set({ draft: null })
    return
  }
  store.set({
    draft: {
      html,
      at: draft?.at ?? Date.now(),
      after: draft === null ? newestOf(view) : draft.after,
    },
  })
  session.forgetting = setTimeout(() => store.set({ draft: null }), draftMs)
}

function refreshFor(
  { store, refreshList, refreshNeeds, refreshView }: Session,
  conversationId: string,
) {
  const { route } = store.get()
  refreshList()
  refreshNeeds()
  if (route.view === 'thread' && route.id === conversationId) refreshView()
}

export function refreshAll({
  store,
  api,
  outbox,
  refreshList,
  refreshNeeds,
  refreshView,
}: Session): void {
  refreshList()
  refreshNeeds()
  refreshView()
  outbox.flush()
  refreshHealth({ store, api })
}

/** Reads again how Clew is; a member hears no more than whether worker and model do. */
export function refreshHealth({ store, api }: Pick<Session, 'store' | 'api'>): void {
  void api.health().then((health) => {
    if (health?.model !== undefined) store.set({ health })
    if (health !== null)
      store.set({ noWorker: health.noWorker === true, modelAway: health.modelAway ?? null })
  })
}
