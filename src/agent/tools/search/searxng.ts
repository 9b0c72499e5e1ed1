import { z } from 'zod'
import { Row } from './hits.ts'
import type { SearchDeps, SearchProvider } from './provider.ts'
import { problemOf, searchWith } from './request.ts'

/**
 * Answer as `get_json_response` of `searx/webutils.py` writes it; engines that failed are pairs of
 * name and reason.
 */
const Answer = z
  .object({ results: z.array(Row), unresponsive_engines: z.array(z.unknown()).catch([]) })
  .transform(({ results, unresponsive_engines: silent }) => ({
    results,
    isPartial: silent.length > 0,
  }))

/**
 * A SearXNG instance. Its operator has to allow the format: without `json` in `search.formats` it
 * answers 403 (https://docs.searxng.org/dev/search_api.html).
 *
 * @param url where the instance is, with or without a path.
 */
export function createSearxng({ url, ...deps }: SearchDeps & { url: string }): SearchProvider {
  return searchWith(deps, {
    name: 'SearXNG',
    setting: 'SEARXNG_URL',
    requestFor(text) {
      const address = new URL('search', url.endsWith('/') ? url : `${url}/`)
      address.search = new URLSearchParams({
        q: text,
        format: 'json',
        categories: 'general',
      }).toString()
      return { url: address, init: { headers: { accept: 'application/json' } } }
    },
    problemIn(reply) {
      const problem = problemOf(reply)
      return problem?.code === 'key_refused' ? { code: 'format_off' } : problem
    },
    answer: Answer,
  })
}
