import { z } from 'zod'
import { Row } from './hits.ts'
import type { SearchDeps, SearchProvider } from './provider.ts'
import { problemOf, searchWith } from './request.ts'

const Answer = z.object({ results: z.array(Row) })

/** Statuses of Tavily's own: the plan's limit and the pay-as-you-go limit. */
const spent: readonly number[] = [432, 433]

/** Tavily's search (https://docs.tavily.com/documentation/api-reference/endpoint/search). */
export function createTavily({
  key,
  url,
  ...deps
}: SearchDeps & { key: string; url?: string }): SearchProvider {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
  }
  return searchWith(deps, {
    name: 'Tavily',
    setting: 'TAVILY_API_KEY',
    requestFor: (text, limit) => ({
      url: new URL(url ?? 'https://api.tavily.com/search'),
      init: {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: text, max_results: limit, search_depth: 'basic' }),
      },
    }),
    problemIn: (reply) => (spent.includes(reply.status) ? { code: 'spent' } : problemOf(reply)),
    answer: Answer,
  })
}
