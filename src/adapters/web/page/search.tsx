import { useEffect, useRef, useState } from 'preact/hooks'
import { termsIn } from '../../../agent/domain/search-words.ts'
import type { ConversationLine } from '../views.ts'
import type { Answer } from './api.ts'
import { usePage } from './context.ts'
import { Button, isMac } from './controls.tsx'
import { typedInto, usePageEvent } from './effects.ts'
import { find } from './icons.tsx'
import type { Words } from './language.ts'
import { Line } from './line.tsx'
import { Refusal } from './list-page.tsx'
import { problemOf } from './problem.ts'
import { ownZone } from './time.ts'

export interface SearchPage {
  conversations: readonly ConversationLine[]
  next: string | null
  words?: string
  /** Words in the singular, which found this where those that were typed found nothing. */
  instead?: string
  looked?: number
}

/** Pause after the last letter before a search, in ms. */
const typingMs = 150
const step = 20
/** Query behind "Archived threads". */
export const archived = 'is:archived'

/** Keys that focus the search box, as written on this machine's keyboard. */
const searchKey = isMac ? '⌘/' : 'Ctrl /'

/** True for `/` outside text fields, and for it with Ctrl or ⌘ everywhere. */
const isSearchKey = (event: KeyboardEvent) =>
  event.key === '/' && !event.altKey && (event.ctrlKey || event.metaKey || !isTyping(event.target))

/** C202: search box above the threads. `/` focuses it, Esc returns to all threads. */
export function SearchBox(props: {
  query: string
  search: (query: string) => void
  /** Opens the first result, as soon as it is there. */
  want: () => void
}) {
  const { query, search, want } = props
  const { words } = usePage()
  const box = useRef<HTMLInputElement>(null)
  usePageEvent('keydown', (event) => {
    if (!isSearchKey(event)) return
    event.preventDefault()
    // On a phone the threads may be hidden.
    if (box.current?.offsetParent === null) location.hash = '#/'
    requestAnimationFrame(() => box.current?.select())
  })
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') search('')
    if (event.key === 'ArrowDown') moveTo(event, 0)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    want()
  }
  return (
    <form class="search" role="search" onSubmit={submit}>
      {find}
      <input
        ref={box}
        type="search"
        value={query}
        maxlength={300}
        placeholder={words.search.label}
        aria-label={words.search.label}
        aria-keyshortcuts="Control+/ Meta+/ /"
        autocomplete="off"
        spellcheck={false}
        onInput={typedInto(search)}
        onKeyDown={press}
      />
      {query === '' && <kbd aria-hidden>{searchKey}</kbd>}
      <p class="hint filters">{words.search.hint}</p>
    </form>
  )
}

/** Moves the focus to a result, by its place among them; before the first is the box. */
function moveTo(event: Event, at: number) {
  event.preventDefault()
  const hits = document.querySelectorAll<HTMLElement>('.found a')
  if (at < 0) document.querySelector<HTMLElement>('.search input')?.focus()
  else hits[Math.min(at, hits.length - 1)]?.focus()
}

const isTyping = (target: EventTarget | null) =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable]') !== null)

/** Search results, in place of the threads. */
export function SearchResults({
  query,
  search,
  isWanted,
}: {
  query: string
  search: (query: string) => void
  isWanted: boolean
}) {
  const { words } = usePage()
  const { found, isCurrent, problem, more } = useFound(query)
  const count = found?.conversations.length ?? 0
  const terms = termsIn(found?.words ?? '')
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (isWanted && isCurrent) list.current?.querySelector('a')?.click()
  }, [isWanted, isCurrent])
  const press = (event: KeyboardEvent) => {
    const hits: (EventTarget | null)[] = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = hits.indexOf(event.target)
    if (event.key === 'ArrowDown') moveTo(event, at + 1)
    if (event.key === 'ArrowUp') moveTo(event, at - 1)
  }
  return (
    <section class="found" aria-label={words.search.label}>
      <div class="row unbroken">
        <p class="hint" role="status">
          {found === null ? problem === null && words.loading : outcomeOf(found, query, words)}
        </p>
        <Button class="quiet small end" onClick={() => search('')} label={words.search.clear} />
      </div>
      <Refusal text={problem} />
      {found?.next === null && count === 0 && query !== archived && (
        <p class="hint">{words.search.noneHint}</p>
      )}
      <ul ref={list} onKeyDown={press}>
        {found?.conversations.map((line) => (
          <Line key={line.id} line={line} sought={found.words} terms={terms} />
        ))}
      </ul>
      {found?.next != null && <Button class="quiet" onClick={more} label={words.search.more} />}
    </section>
  )
}

/** Sentence about what a search found, and about what it has not looked at. */
export function outcomeOf(
  { conversations: { length }, next, looked, instead }: SearchPage,
  query: string,
  { search }: Words,
): string {
  if (looked !== undefined) return search.partial(length, looked)
  const count = search.count(length, next !== null)
  if (instead !== undefined) return search.instead(query.trim(), instead, count)
  if (length > 0) return count
  return query === archived ? search.noneArchived : search.none(query)
}

/** Current search results, refreshed with the list. An empty query finds nothing. */
export function useFound(query: string) {
  const { client, state, words } = usePage()
  const [limit, setLimit] = useState(step)
  const [answer, setAnswer] = useState<Answer<SearchPage> | null>(null)
  const [answered, setAnswered] = useState('')
  useEffect(() => {
    const asked = new URLSearchParams({ q: query, timeZone: ownZone(), limit: `${limit}` })
    let isOld = false
    if (query.trim() === '') return setAnswer(null)
    const timer = setTimeout(async () => {
      const given = await client.api.ask<SearchPage>('GET', `/api/conversations?${asked}`)
      if (isOld) return
      setAnswer(given)
      setAnswered(query)
    }, typingMs)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [query, limit, state.language, state.conversations])
  useEffect(() => setLimit(step), [query])
  const problem = answer && problemOf(answer, words)
  return {
    found: answer?.kind === 'ok' ? answer.value : null,
    /** True if that is what was found for this very query. */
    isCurrent: answered === query,
    problem,
    more: () => setLimit(limit + 2 * step),
  }
}
