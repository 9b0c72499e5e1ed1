import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Notes } from './banner.tsx'
import { usePage } from './context.ts'
import { Button, PaletteButton } from './controls.tsx'
import { useMenu } from './effects.ts'
import {
  bars,
  calendar,
  clew,
  clock,
  help,
  lines,
  list,
  mark,
  person,
  plug,
  plus,
} from './icons.tsx'
import { Line } from './line.tsx'
import { NeedsSummary } from './needs-summary.tsx'
import { archived, SearchBox, SearchResults } from './search.tsx'
import { signedIn } from './signed-in.ts'

/**
 * Sidebar with all threads, newest first, and the current person. `isAlone` is true on phones,
 * where it fills the screen.
 */
export function Sidebar({ isAlone }: { isAlone: boolean }) {
  const { client, state, words } = usePage()
  const { route } = state
  const [query, setQuery] = useState('')
  const [isWanted, want] = useState(false)
  const search = (typed: string) => {
    setQuery(typed)
    want(false)
  }
  const list = usePlaceKept(isAlone)
  const Heading = isAlone ? 'h1' : 'div'
  return (
    <div class="sidebar" role={isAlone ? 'main' : 'complementary'}>
      <div class="top">
        <Heading>
          <a class="brand" href="#/" aria-label="Clew">
            {clew(30)}
            <span>Clew</span>
          </a>
        </Heading>
        <Rehearsal />
        <a
          class="button new"
          href="#/new"
          title={`${words.newThread} (n)`}
          aria-keyshortcuts="n"
          onClick={() => location.hash === '#/new' && client.go({ view: 'new' })}
          aria-current={route.view === 'new' || route.view === 'list' ? 'page' : undefined}
        >
          {plus}
          <span>{words.newThread}</span>
        </a>
      </div>
      {!isAlone && <Places />}
      <SearchBox query={query} search={search} want={() => want(true)} />
      {!isAlone && query.trim() === '' && <NeedsSummary />}
      <nav aria-label={words.threads} ref={list}>
        {query.trim() !== '' ? (
          <SearchResults query={query} search={search} isWanted={isWanted} />
        ) : (
          <>
            {isAlone && <Places />}
            {isAlone && <NeedsSummary />}
            <Threads search={search} />
          </>
        )}
      </nav>
      {isAlone && <Notes />}
      <div class="bottom row unbroken">
        <button
          type="button"
          class="quiet who"
          onClick={() => client.show('settings')}
          title={words.actions.settings}
        >
          {person}
          <span>{state.person.name || words.you}</span>
        </button>
        <a
          class="nav-link square"
          href="#/manual"
          title={words.setup.manualTitle}
          aria-label={words.setup.manualTitle}
        >
          {help}
        </a>
        <PaletteButton />
      </div>
    </div>
  )
}

/**
 * Keeps the place in the list while a phone shows something else (C694), and shows the line of the
 * open thread.
 */
function usePlaceKept(isAlone: boolean) {
  const { route } = usePage().state
  const list = useRef<HTMLElement>(null)
  const place = useRef(0)
  useEffect(() => {
    const box = list.current
    const look = () => {
      // What is hidden has no place.
      if (box?.offsetParent) place.current = box.scrollTop
    }
    box?.addEventListener('scroll', look, { passive: true })
    return () => box?.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    if (list.current !== null && isAlone) list.current.scrollTop = place.current
  }, [isAlone])
  useEffect(() => {
    list.current?.querySelector('.line[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [route])
  return list
}

function Threads({ search }: { search: (query: string) => void }) {
  const { client, state, words } = usePage()
  const { conversations } = state
  return (
    <>
      {conversations === null && <p class="hint">{words.loading}</p>}
      {conversations?.length === 0 && <p class="hint">{words.noThreads}</p>}
      {(['working', 'done'] as const).map((group) => (
        <Group key={group} group={group} />
      ))}
      {state.untold && <p class="hint">{words.errors.platform_away}</p>}
      {state.hasOlder && <Button class="quiet" onClick={client.older} label={words.olderThreads} />}
      <Button class="quiet small" onClick={() => search(archived)} label={words.search.archived} />
    </>
  )
}

const operators = [
  { view: 'costs', icon: bars },
  { view: 'audit', icon: lines },
  { view: 'setup', icon: plug },
] as const
/** Pages beside the threads. */
export const places = [
  { view: 'schedules', icon: clock },
  { view: 'calendar', icon: calendar },
  { view: 'todos', icon: list },
  { view: 'memory', icon: mark },
  ...(signedIn.member === null ? operators : []),
] as const

export function Places() {
  const { state, words } = usePage()
  return (
    <ul class="lists small">
      {places.map(({ view, icon }) => (
        <li key={view}>
          <a
            class="nav-link row unbroken"
            href={`#/${view}`}
            aria-current={state.route.view === view ? 'page' : undefined}
          >
            {icon}
            <span>{words[view].title}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Threads of one group (C192), by time. Its name is shown if there are others. */
function Group({ group }: { group: 'working' | 'done' }) {
  const { state, words } = usePage()
  const lines =
    state.conversations?.filter((line) => (line.group === 'done') === (group === 'done')) ?? []
  if (lines.length === 0) return null
  const isOnly = lines.length === state.conversations?.length
  return (
    <section data-group={group} aria-label={words.groups[group]}>
      {!isOnly && <h2 class="small group">{words.groups[group]}</h2>}
      <ul>
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </section>
  )
}

/** Notice that no model is connected, with how to connect one. */
function Rehearsal() {
  const { state, words } = usePage()
  const menu = useMenu()
  if (state.health?.model.rehearsal !== true) return null
  return (
    <details class="rehearsal" ref={menu.ref}>
      <summary class="tag waiting">{words.rehearsal.badge}</summary>
      <div class="card stack small">
        <p>{words.rehearsal.text}</p>
        <p>{words.rehearsal.how}</p>
        <p>
          <a href="#/setup">{words.setup.title}</a>
        </p>
      </div>
    </details>
  )
}
