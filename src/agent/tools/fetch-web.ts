import { texts } from '../../locales/texts.ts'
import { present } from '../domain/present.ts'
import type { Documents } from '../ports/documents.ts'
import type { Artifacts } from '../ports/store.ts'
import type { Tool } from '../ports/tool.ts'
import { type FetchDeps, type FetchProblem, fetchPage } from './fetch/fetch.ts'
import { targetOf } from './fetch/target.ts'
import { keptBeginning } from './keep-document.ts'

type Deps = FetchDeps & {
  documents: Documents
  /** Keeps long pages; they are not kept where it is left out. */
  artifacts?: Pick<Artifacts, 'keep'>
}

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
      const { url: name, readable } = fetched
      const { text, notes } = await keptBeginning(deps, { name, readable }, context)
      return {
        ok: true,
        text: present([words.page(name), fetched.isCut && words.cut, ...notes, text]).join('\n'),
      }
    },
  }
}

function sayProblem(problem: FetchProblem, locale: string): string {
  const { fetch, files } = texts(locale)
  if (problem.code === 'document')
    return files.problems[problem.problem](fetch.thePage, problem.encoding ?? '')
  return problem.code === 'status'
    ? fetch.problems.status(problem.status)
    : fetch.problems[problem.code]
}
