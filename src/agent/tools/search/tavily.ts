import { z } from 'zod'
import { hitsFrom } from './hits.ts'
import type { SearchDeps, SearchProvider } from './provider.ts'
import { failed, problemOf, request } from './request.ts'

const Answer = z.object({
  results: z.array(
    z.object({ url: z.string().nullish(), title: z.string().nullish(), content: z.string().nullish() }).catch({}),
  ),
})

/** Statuses of Tavily's own: the plan's limit and the pay-as-you-go limit. */
const spent: readonly number[] = [432, 433]

/** Tavily's search (https://docs.tavily.com/documentation/api-reference/endpoint/search). */
export function createTavily({ key, url, ...deps }: SearchDeps & { key: string; url?: string }): SearchProvider {
  return {
    name: 'Tavily',
    setting: 'TAVILY_API_KEY',
    async search({ text, limit, signal }) {
      const init = {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ query: text, max_results: limit, search_depth: 'basic' }),
      }
      const outcome = await request({ ...deps, url: new URL(url ?? 'https://api.tavily.com/search'), init, signal })
      if (!outcome.ok) return outcome
      if (spent.includes(outcome.reply.status)) return failed({ code: 'spent' })
      const problem = problemOf(outcome.reply)
      if (problem !== null) return failed(problem)
      const answer = Answer.safeParse(outcome.reply.body)
      if (!answer.success) return failed({ code: 'unreadable' })
      const rows = answer.data.results.map(({ content, ...row }) => ({ ...row, snippet: content }))
      return { ok: true, hits: hitsFrom(rows, limit) }
    },
  }
}
