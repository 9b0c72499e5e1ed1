import { useEffect } from 'preact/hooks'
import { assertNever } from '../../../agent/domain/assert.ts'
import { AuditPage } from './audit-page.tsx'
import { Banner, Notes, Spoken, useUndoKey } from './banner.tsx'
import { Calendar } from './calendar-page.tsx'
import type { Client } from './client.ts'
import { PageContext } from './context.ts'
import { Keys, useFocusKept, usePageKeys } from './keys.tsx'
import { vocabularies } from './language.ts'
import { Manual, ManualContents } from './manual-page.tsx'
import { phone, useMedia } from './media.ts'
import { Memory } from './memory-page.tsx'
import { Needs } from './needs.tsx'
import { Palette } from './palette.tsx'
import type { Route } from './route.ts'
import { Schedules } from './schedules-page.tsx'
import { Settings } from './settings.tsx'
import { Setup } from './setup-page.tsx'
import { Sidebar } from './sidebar.tsx'
import { waitingNow } from './snoozed.ts'
import { Start } from './start-page.tsx'
import type { State } from './state.ts'
import { useStore } from './store.ts'
import { Thread } from './thread.tsx'
import { Todos } from './todos-page.tsx'
import { Upkeep } from './upkeep-page.tsx'

export function App({ client }: { client: Client }) {
  const state = useStore(client.store)
  const words = vocabularies[state.language]
  const isPhone = useMedia(phone)
  const { route, view, conversations } = state
  usePageKeys(client)
  useUndoKey(client)
  useFocusKept(route, state.dialog)

  useEffect(() => {
    document.documentElement.lang = words.language
  }, [words])
  useEffect(() => {
    const waiting =
      waitingNow(state).total || (conversations?.filter((line) => line.unread).length ?? 0)
    const title = view !== null && route.view === 'thread' ? `${view.title} · ` : ''
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title}Clew`
  }, [state.needs, state.unsent, state.leaving, conversations, view, route])

  // Phones show only one of the two. An empty list is skipped for the page to begin a thread.
  const empty = conversations?.length === 0 && (state.needs?.total ?? 0) === 0
  const side = route.view === 'list' && !empty ? 'list' : 'main'
  return (
    <PageContext.Provider value={{ client, state, words }}>
      <a class="button primary skip" href="#main" onClick={focusMain}>
        {words.skip}
      </a>
      <div class="page" data-side={side}>
        <Sidebar isAlone={isPhone && side === 'list'} />
        <main id="main" tabindex={-1}>
          <Banner />
          <Main route={route} />
          {!isWritten(state) && <Notes />}
        </main>
      </div>
      <Spoken />
      {state.dialog === 'settings' && <Settings />}
      {state.dialog === 'keys' && <Keys />}
      {state.dialog === 'palette' && <Palette />}
    </PageContext.Provider>
  )
}

/** True if the current page ends with the box for messages, which has the notices above it. */
const isWritten = ({ route, isMissing }: State) =>
  route.view === 'thread'
    ? route.workspace === undefined && !isMissing
    : route.view === 'new' || route.view === 'list'

function Main({ route }: { route: Route }) {
  switch (route.view) {
    case 'thread':
      return <Thread key={route.id} id={route.id} />
    case 'schedules':
      return <Schedules />
    case 'needs':
      return <Needs />
    case 'todos':
      return <Todos />
    case 'memory':
      return <Memory />
    case 'calendar':
      return <Calendar />
    case 'setup':
      return <Setup />
    case 'manual':
      return route.name === null ? (
        <ManualContents />
      ) : (
        <Manual key={route.name} name={route.name} part={route.part} />
      )
    case 'costs':
      return <Upkeep />
    case 'audit':
      return <AuditPage />
    case 'list':
    case 'new':
      return <Start />
    default:
      return assertNever(route)
  }
}

/** Focuses the main part. The address names the thread, so a link cannot jump there by it. */
function focusMain(event: Event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
