import { useEffect, useRef } from 'preact/hooks'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { back } from './icons.tsx'
import { ListPage } from './list-page.tsx'
import { hashOf } from './route.ts'

interface PageTitle {
  title: string
  language: string
}

/** Contents of the manual that comes with the package (C605). */
export function ManualContents() {
  const { words, state } = usePage()
  const { value, problem } = useFetched<{ pages: (PageTitle & { name: string })[] }>(
    '/api/manual',
    [state.language],
  )
  return (
    <ListPage
      title={words.setup.manualTitle}
      none=""
      count={value?.pages.length ?? null}
      problem={problem}
      form={<p class="hint">{words.setup.manualLead}</p>}
    >
      <ul class="stack">
        {value?.pages.map(({ name, title, language }) => (
          <li key={name}>
            <a href={hashOf({ view: 'manual', name })} lang={language}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

/** A page of the manual, from one of its headings on where the address names it. */
export function Manual({ name, part }: { name: string; part: string | undefined }) {
  const { words, state } = usePage()
  const { value: page, problem } = useFetched<PageTitle & { html: string; parts: string[] }>(
    `/api/manual/${name}`,
    [state.language],
  )
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const headings = text.current?.querySelectorAll('h2, h3, h4, h5')
    const place = page?.parts.indexOf(part ?? '') ?? -1
    headings?.[place]?.scrollIntoView()
  }, [page, part])
  const way = (
    <p>
      <a class="row tight" href={hashOf({ view: 'manual', name: null })}>
        {back()}
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
