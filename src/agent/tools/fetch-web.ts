import { texts } from '../../locales/texts.ts'
import { textMost } from '../domain/document.ts'
import { type KeptDocument, outlineOf, partAt } from '../domain/kept-document.ts'
import type { Documents } from '../ports/documents.ts'
import type { Artifacts } from '../ports/store.ts'
import type { Tool, ToolContext } from '../ports/tool.ts'
import { type FetchDeps, type Fetched, type FetchProblem, fetchPage } from './fetch/fetch.ts'
import { targetOf } from './fetch/target.ts'

type Deps = FetchDeps & {
  documents: Documents
  /** Keeps long pages; they are not kept where it is left out. */
  artifacts?: Pick<Artifacts, 'keep'>
}
type Page = Extract<Fetched, { ok: true }>

/** The tool `fetch_web`. It changes nothing outside, so it may run again. */
export function createFetchTool(deps: Deps): Tool {
  return {
    name: 'fetch_web',
    effect: 'none',
    finds: true,
    description:
      'Gets a public web page and gives its readable text. The input is its address, for example https://example.org/page.',
    addressIn(input) {
      const read = targetOf(input)
      return read.ok ? read.target.url.href : null
    },
    async run(input, context) {
      const { locale, signal } = context
      const fetched = await fetchPage(input, deps, signal)
      const words = texts(locale).fetch
      if (!fetched.ok) return { ok: false, text: sayProblem(fetched.problem, locale) }
      const { title, gaps = [] } = fetched.readable
      const lacking = gaps.map(({ code, items }) =>
        texts(locale).files.gaps[code](items.join(', ')),
      )
      const { text, notes } = await beginning(deps, fetched, context)
      return {
        ok: true,
        text: [
          words.page(fetched.url),
          ...(title === '' ? [] : [title]),
          ...(fetched.isCut ? [words.cut] : []),
          ...lacking,
          ...notes,
          text,
        ].join('\n'),
      }
    },
  }
}

/** Length of the beginning that a result has of a page that is kept, and of one that is not. */
const mostCharacters = { kept: 20_000, unkept: 100_000 }

/** Keeps a page of which a result has only the beginning, with its tables (C885). */
async function beginning(
  { artifacts }: Deps,
  { url, readable }: Page,
  { workspace, conversationId, person, now, locale }: ToolContext,
): Promise<{ text: string; notes: string[] }> {
  const { text, sections = [], tables } = readable
  const { files, fetch } = texts(locale)
  const isLong = text.length > mostCharacters.kept
  const isMore = text.length >= textMost
  const page: KeptDocument = {
    version: 1,
    name: url,
    text: text.slice(0, textMost),
    sections,
    cells: tables?.cells,
    by: person?.id ?? '',
    at: now,
  }
  const isWanted = artifacts !== undefined && conversationId !== '' && (isLong || tables)
  const isKept = isWanted && (await artifacts.keep(workspace, conversationId, page))
  if (!isKept) {
    const shown = text.slice(0, mostCharacters.unkept)
    const isCut = shown.length < text.length
    const cut = isCut ? [files.cut(shown.length, text.length, isMore)] : []
    return { text: shown, notes: isWanted && isLong ? [...cut, fetch.notKept] : cut }
  }
  const rest = isLong
    ? [
        files.cut(mostCharacters.kept, text.length, isMore),
        files.kept(url, partAt(page, 0), outlineOf(page)),
      ]
    : []
  const calculated = tables === undefined ? [] : [files.tables(url, tables.outline)]
  return { text: text.slice(0, mostCharacters.kept), notes: [...rest, ...calculated] }
}

function sayProblem(problem: FetchProblem, locale: string): string {
  const { fetch, files } = texts(locale)
  if (problem.code === 'document')
    return files.problems[problem.problem](fetch.thePage, problem.encoding ?? '')
  return problem.code === 'status'
    ? fetch.problems.status(problem.status)
    : fetch.problems[problem.code]()
}
