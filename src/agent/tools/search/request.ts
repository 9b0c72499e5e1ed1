import type { z } from 'zod'
import { jsonIn } from '../../domain/clean-text.ts'
import { hitsFrom, type Row } from './hits.ts'
import {
  type SearchDeps,
  type SearchProblem,
  type SearchProvider,
  searchTimeoutMs,
} from './provider.ts'

/** Three hits take a few kilobytes; SearXNG sends all of its page, which stays far below this. */
const longestBody = 2 * 1024 * 1024

/** Response of a service: any status, with a JSON body; `null` if the body is not JSON. */
export interface Reply {
  status: number
  headers: Headers
  body: unknown
}

/**
 * Sends one request and reads the response as JSON.
 *
 * Redirects are not followed: a key in a header of our own would travel along to whatever host they
 * name.
 *
 * @returns the reply, or the problem that left none.
 */
async function request(
  call: SearchDeps & { url: URL; init: RequestInit; signal: AbortSignal },
): Promise<{ ok: true; reply: Reply } | { ok: false; problem: SearchProblem }> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? searchTimeoutMs)
  try {
    const response = await call.fetch(call.url, {
      ...call.init,
      redirect: 'manual',
      signal: AbortSignal.any([call.signal, timeout]),
    })
    const { status, headers } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      return failed({ code: 'moved' })
    }
    const text = await readText(response)
    if (text === null) return failed({ code: 'unreadable' })
    return { ok: true, reply: { status, headers, body: jsonIn(text) } }
  } catch {
    // What fetch throws may name the address with its parameters; nothing of it is passed on.
    if (call.signal.aborted) return failed({ code: 'stopped' })
    return failed({ code: timeout.aborted ? 'timed_out' : 'unavailable' })
  }
}

/** Null when it is longer than anything that was asked for; the rest is then not even received. */
async function readText(response: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > longestBody) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** `Retry-After` in seconds (RFC 9110, 10.2.3); its other form, a date, is as good as none here. */
export function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  return /^\d{1,7}$/.test(value) ? Number(value) : null
}

/** Problem that a status means for all providers alike; `null` if the status is fine. */
export function problemOf({ status, headers }: Reply): SearchProblem | null {
  if (status === 429) return { code: 'limited', retryAfterSeconds: retryAfter(headers) }
  if (status === 401 || status === 403) return { code: 'key_refused' }
  if (status === 400 || status === 422) return { code: 'refused' }
  return status >= 200 && status < 300 ? null : { code: 'unavailable' }
}

/** Parts in which one service differs from the others. */
interface Service extends Pick<SearchProvider, 'name' | 'setting'> {
  requestFor(text: string, limit: number): { url: URL; init: RequestInit }
  /** Problem that a reply without an answer stands for; `null`: it has an answer. */
  problemIn(reply: Reply): SearchProblem | null
  /** `isPartial`: some that it asked have not answered. */
  answer: z.ZodType<{ results: Row[]; isPartial?: boolean }>
}

/** A provider whose service answers one request with JSON. */
export const searchWith = (
  deps: SearchDeps,
  { name, setting, requestFor, problemIn, answer }: Service,
): SearchProvider => ({
  name,
  setting,
  async search({ text, limit, signal }) {
    const outcome = await request({ ...deps, ...requestFor(text, limit), signal })
    if (!outcome.ok) return outcome
    const problem = problemIn(outcome.reply)
    if (problem !== null) return failed(problem)
    const read = answer.safeParse(outcome.reply.body)
    if (!read.success) return failed({ code: 'unreadable' })
    const hits = hitsFrom(read.data.results, limit)
    // Nothing found because nobody answered is not the same as nothing to be found.
    return hits.length === 0 && read.data.isPartial
      ? failed({ code: 'unavailable' })
      : { ok: true, hits }
  },
})

const failed = (problem: SearchProblem) => ({ ok: false, problem }) as const
