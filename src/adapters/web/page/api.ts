import type { WebHealth } from '../deps.ts'

/**
 * Answer to a request. `away`: a retry may succeed; `refused`: it will not, and `message` says why.
 */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'away'; cause: 'network' | 'store' }
  | { kind: 'refused'; code: string; message: string }

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Api = ReturnType<typeof createApi>

/** Time limit of an upload, in ms: enough for the largest file over a slow line. */
const uploadMs = 300_000

/** Time limit of a trial under Set up, in ms, and its path. A model may have to be loaded first. */
const trialMs = 90_000
const slow = /^\/api\/setup\/form\//

/** Longest body that outlives its page, in characters: browsers allow 64 kB of all together. */
const keptAliveMost = 4_000

/**
 * The API over `fetch`. `language` is called for each request, so that refusals come in the page's
 * language.
 */
export function createApi(language: () => string) {
  const send = (path: string, init: RequestInit = {}, ms = 15_000) =>
    fetch(path, { ...init, signal: AbortSignal.timeout(ms) })

  async function answerOf<T>(sent: () => Promise<Response>): Promise<Answer<T>> {
    try {
      const response = await sent()
      const value = await response.json()
      if (response.ok) return { kind: 'ok', value }
      const { code, message } = value.error
      // The token changed or the cookie expired: reloading shows the sign-in page.
      if (response.status === 401) location.reload()
      if (response.status >= 500) return { kind: 'away', cause: 'store' }
      return { kind: 'refused', code, message }
    } catch {
      return { kind: 'away', cause: 'network' }
    }
  }
  const headers = (type: string | undefined) => ({
    'accept-language': language(),
    ...(type === undefined ? {} : { 'content-type': type }),
  })

  return {
    ask<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
      const type = body === undefined ? undefined : 'application/json'
      const sent = {
        method,
        // What was done last is also sent by a page that is being left, unless it is too long for
        // that.
        keepalive: method !== 'GET' && JSON.stringify(body ?? '').length < keptAliveMost,
        headers: headers(type),
        ...(body ? { body: JSON.stringify(body) } : {}),
      }
      return answerOf(() => send(path, sent, slow.test(path) ? trialMs : undefined))
    },
    /** Uploads a file ahead of its message. */
    upload(id: string, file: File): Promise<Answer<unknown>> {
      const type = file.type || 'application/octet-stream'
      const path = `/api/uploads/${id}?name=${encodeURIComponent(file.name)}`
      return answerOf(() =>
        send(path, { method: 'PUT', headers: headers(type), body: file }, uploadMs),
      )
    },
    /** Health report, even a bad one; for strangers one word. Null if there is no answer. */
    async health(): Promise<(WebHealth & { noWorker?: true; modelAway?: string }) | null> {
      try {
        return await (await send('/healthz')).json()
      } catch {
        return null
      }
    },
  }
}
