import { z } from 'zod'
import { hitsFrom } from './hits.ts'
import type { SearchDeps, SearchProvider } from './provider.ts'
import { failed, problemOf, request } from './request.ts'

/** Of `searx/webutils.py`, `get_json_response`; engines that failed are pairs of name and reason. */
const Answer = z.object({
  results: z.array(
    z.object({ url: z.string().nullish(), title: z.string().nullish(), content: z.string().nullish() }).catch({}),
  ),
  unresponsive_engines: z.array(z.unknown()).catch([]),
})

/**
 * A SearXNG instance. Its operator has to allow the format: without `json` in `search.formats` it answers 403
 * (https://docs.searxng.org/dev/search_api.html).
 *
 * @param url where the instance is, with or without a path.
 */
export function createSearxng({ url, ...deps }: SearchDeps & { url: string }): SearchProvider {
  return {
    name: 'SearXNG',
    setting: 'SEARXNG_URL',
    async search({ text, limit, signal }) {
      const address = new URL('search', url.endsWith('/') ? url : `${url}/`)
      address.search = new URLSearchParams({ q: text, format: 'json', categories: 'general' }).toString()
      const outcome = await request({
        ...deps,
        url: address,
        init: { headers: { accept: 'application/json' } },
        signal,
      })
      if (!outcome.ok) return outcome
      const problem = problemOf(outcome.reply)
      if (problem !== null) return failed(problem.code === 'key_refused' ? { code: 'format_off' } : problem)
      const answer = Answer.safeParse(outcome.reply.body)
      if (!answer.success) return failed({ code: 'unreadable' })
      const { results, unresponsive_engines } = answer.data
      const hits = hitsFrom(
        results.map(({ content, ...row }) => ({ ...row, snippet: content })),
        limit,
      )
      // Nothing found because nobody answered is not the same as nothing to be found.
      if (hits.length === 0 && unresponsive_engines.length > 0) return failed({ code: 'unavailable' })
      return { ok: true, hits }
    },
  }
}
