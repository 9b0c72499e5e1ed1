import { texts } from '../../locales/texts.ts'
import type { Documents } from '../ports/documents.ts'
import type { Tool } from '../ports/tool.ts'
import { type FetchDeps, type FetchProblem, fetchPage } from './fetch/fetch.ts'
import { targetOf } from './fetch/target.ts'

/** The tool `fetch_web`. It changes nothing outside, so it may run again. */
export function createFetchTool(deps: FetchDeps & { documents: Documents }): Tool {
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
    async run(input, { locale, signal }) {
      const fetched = await fetchPage(input, deps, signal)
      const words = texts(locale).fetch
      if (!fetched.ok) return { ok: false, text: sayProblem(fetched.problem, locale) }
      const { title, text, gaps = [] } = fetched.readable
      const lacking = gaps.map(({ code, items }) =>
        texts(locale).files.gaps[code](items.join(', ')),
      )
      return {
        ok: true,
        text: [
          words.page(fetched.url),
          ...(title === '' ? [] : [title]),
          ...(fetched.isCut ? [words.cut] : []),
          ...lacking,
          text,
        ].join('\n'),
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
    : fetch.problems[problem.code]()
}
