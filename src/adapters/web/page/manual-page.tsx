import { useEffect, useRef } from 'preact/hooks'
import { termsIn } from '../../../agent/domain/search-words.ts'
import type { manualPage, manualPages } from '../manual.ts'
import type { ManualHit } from '../manual-search.ts'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { typedInto } from './effects.ts'
import { back } from './icons.tsx'
import { keeper } from './kept.ts'
import { Marked } from './line.tsx'
import { ListPage } from './list-page.tsx'
import { hashOf } from './route.ts'

/** Pause after the last letter before a search, in ms. */
const typingMs = 150

interface ManualList {
  pages: ReturnType<typeof manualPages>
  found: ManualHit[]
}

const useQuery = keeper<string>()

/**
 * Contents of the manual that comes with the package, with a search over its sections (C605, C900).
 */
export function ManualContents() {
  const { words, state } = usePage()
  const { value: query, keep } = useQuery('manual', '')
  const asked = new URLSearchParams({ q: query.trim() })
  const { value, problem } = useFetched<ManualList>(
    `/api/manual?${asked}`,
    [state.language],
    query === '' ? 0 : typingMs,
  )
  const list = useRef<HTMLDivElement>(null)
  const openFirst = (event: Event) => {
    event.preventDefault()
    list.current?.querySelector('a')?.click()
  }
  const form = (
    <form class="stack" role="search" onSubmit={openFirst}>
      <p class="hint">{words.setup.manualLead}</p>
      <input
        type="search"
        value={query}
        maxlength={200}
        placeholder={words.setup.manualSearch}
        aria-label={words.setup.manualSearch}
        autocomplete="off"
        spellcheck={false}
        onInput={typedInto((typed) => keep(() => typed))}
        onKeyDown={({ key }) => key === 'Escape' && keep(() => '')}
      />
    </form>
  )
  return (
    <ListPage
      title={words.setup.manualTitle}
      none=""
      count={value?.pages.length ?? null}
      problem={problem}
      form={form}
    >
      <div ref={list}>
        {query.trim() !== '' && value !== null ? (
          <Hits hits={value.found} query={query} />
        ) : (
          <ul>
            {value?.pages.map(({ name, title, language }) => (
              <li key={name} class="entry">
                <a class="nav-link what" href={hashOf({ view: 'manual', name })} lang={language}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </ListPage>
  )
}

/** Sections that a search found, each leading to its heading. */
function Hits({ hits, query }: { hits: ManualList['found']; query: string }) {
  const { words } = usePage()
  const terms = termsIn(query)
  return (
    <>
      <p class={hits.length === 0 ? 'hint' : 'hidden'} role="status">
        {hits.length === 0 ? words.search.none(query) : words.setup.manualFound(hits.length)}
      </p>
      <ul>
        {hits.map(({ name, part, title, heading, text, language }) => (
          <li key={`${name} ${part}`} class="entry" lang={language}>
            <a
              class="nav-link what"
              href={hashOf({ view: 'manual', name, part: part ?? undefined })}
            >
              <span>
                <strong>
                  <Marked text={heading} terms={terms} />
                </strong>{' '}
                {part !== null && <small>{title}</small>}
              </span>
              <small class="one-line">
                <Marked text={text} terms={terms} />
              </small>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A page of the manual, from one of its headings on where the address names it. */
export function Manual({ name, part }: { name: string; part: string | undefined }) {
  const { words, state } = usePage()
  const { value: page, problem } = useFetched<ReturnType<typeof manualPage>>(
    `/api/manual/${name}`,
    [state.language],
  )
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const headings = text.current?.querySelectorAll<HTMLElement>('h2, h3, h4, h5')
    const place = page?.parts.indexOf(part ?? '') ?? -1
    const heading = headings?.[place]
    heading?.scrollIntoView()
    heading?.classList.add('linked')
    return () => heading?.classList.remove('linked')
  }, [page, part])
  const way = (
    <p>
      <a class="row tight" href="#/manual">
        {back}
        {words.setup.manualTitle}
      </a>
    </p>
  )
  return (
    <ListPage
      title={page?.title ?? words.setup.manualTitle}
      none=""
      count={page && 1}
      problem={problem}
      form={way}
    >
      {page !== null && (
        <>
          {page.language !== state.language && <p class="hint">{words.setup.manualEnglish}</p>}
          <div
            ref={text}
            class="text manual"
            lang={page.language}
            dir="ltr"
            dangerouslySetInnerHTML={{ __html: page.html }}
          />
        </>
      )}
    </ListPage>
  )
}
