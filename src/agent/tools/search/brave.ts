import { z } from 'zod'
import { Text } from './hits.ts'
import type { SearchDeps, SearchProblem, SearchProvider } from './provider.ts'
import { problemOf, type Reply, retryAfter, searchWith } from './request.ts'

const BraveRow = z.object({ url: Text, title: Text, description: Text }).catch({})

/** `web` is missing when nothing was found. */
const Answer = z
  .object({ type: z.literal('search'), web: z.object({ results: z.array(BraveRow) }).nullish() })
  .transform(({ web }) => ({
    results: (web?.results ?? []).map(({ description, ...row }) => ({
      ...row,
      content: description,
    })),
  }))

/** Documented with a list `errors`; the service sends one `error`. */
const Failure = z.object({ code: z.string() })
const Failures = z.object({ error: Failure.optional(), errors: z.array(Failure).default([]) })

/** Brave's Web Search API (https://api-dashboard.search.brave.com/app/documentation/web-search). */
export function createBrave({
  key,
  url,
  ...deps
}: SearchDeps & { key: string; url?: string }): SearchProvider {
  const headers = { accept: 'application/json', 'x-subscription-token': key }
  return searchWith(deps, {
    name: 'Brave',
    setting: 'BRAVE_API_KEY',
    requestFor(text, limit) {
      const address = new URL(url ?? 'https://api.search.brave.com/res/v1/web/search')
      const isChinese = /\p{Script=Han}/u.test(text)
      address.search = new URLSearchParams({
        q: text,
        count: String(limit),
        result_filter: 'web',
        text_decorations: 'false',
        ...(isChinese ? { search_lang: 'zh-hans' } : {}),
      }).toString()
      return { url: address, init: { headers } }
    },
    problemIn: braveProblem,
    answer: Answer,
  })
}

/** A key that it does not know is a 422 like any other bad parameter; only the code tells. */
function braveProblem(reply: Reply): SearchProblem | null {
  const failure = Failures.safeParse(reply.body)
  const code = (failure.data?.error ?? failure.data?.errors[0])?.code ?? ''
  if (reply.status === 422 && code.startsWith('SUBSCRIPTION_TOKEN')) return { code: 'key_refused' }
  if (code === 'QUOTA_LIMITED' || code === 'USAGE_LIMIT_EXCEEDED') return { code: 'spent' }
  return reply.status === 429 ? limit(reply.headers) : problemOf(reply)
}

/**
 * `X-RateLimit-Remaining: 0, 1000` and `X-RateLimit-Reset: 1, 1419704`: one number for each window,
 * the second's first, the month's last.
 */
function limit(headers: Headers): SearchProblem {
  const numbers = (name: string) =>
    (headers.get(name) ?? '').split(',').map((part) => Number.parseInt(part, 10))
  const resets = numbers('x-ratelimit-reset')
  const waits = numbers('x-ratelimit-remaining').flatMap((left, index) =>
    left === 0 ? (resets[index] ?? []) : [],
  )
  const longest = Math.max(0, ...waits.filter(Number.isFinite))
  if (longest > 86_400) return { code: 'spent' }
  return {
    code: 'limited',
    retryAfterSeconds: retryAfter(headers) ?? (longest > 0 ? longest : null),
  }
}
