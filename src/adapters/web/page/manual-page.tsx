import { useEffect, useRef } from 'preact/hooks'
import { useFetched } from './api-hooks.ts'
import { usePage } from './context.ts'
import { back } from './icons.tsx'
import { ListPage } from './list-page.tsx'
import { hashOf } from './route.ts'

/** Contents of the manual that comes with the package (C605). */
export function ManualContents() {
  const { words } = usePage()
  const { value, problem } = useFetched<{ pages: { name: string; title: string }[] }>('/api/manual')
  return (
    <ListPage
      title={words.setup.manualTitle}
      none=""
      count={value?.pages.length ?? null}
      problem={problem}
      form={<p class="hint">{words.setup.manualLead}</p>}
    >
      <ul class="stack" lang="en" dir="ltr">
        {value?.pages.map(({ name, title }) => (
          <li key={name}>
            <a href={hashOf({ view: 'manual', name })}>{title}</a>
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

const named = (heading: Element): string =>
  (heading.textContent ?? '')
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** A page of the manual, from one of its headings on where the address names it. */
export function Manual({ name, part }: { name: string; part: string | undefined }) {
  const { words } = usePage()
  const { value: page, problem } = useFetched<{ title: string; html: string }>(
    `/api/manual/${name}`,
  )
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const headings = [...(text.current?.querySelectorAll('h2, h3, h4') ?? [])]
    headings.find((heading) => named(heading) === part)?.scrollIntoView()
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
        <div
          ref={text}
          class="text manual"
          lang="en"
          dir="ltr"
          dangerouslySetInnerHTML={{ __html: page.html }}
        />
      )}
    </ListPage>
  )
}
