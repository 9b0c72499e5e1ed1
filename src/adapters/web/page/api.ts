import type { WebHealth } from '../deps.ts'

/** What came of a request. `away`: it may work later as it is; `refused`: it will not, and `message` says why. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'away'; cause: 'network' | 'store' }
  | { kind: 'refused'; code: string; message: string }

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Api {
  ask<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
  /** Null: nobody answers. An unhealthy report is a report too. */
  health(): Promise<WebHealth | null>
}

/** The API over `fetch`. `language` is asked for each time, so that refusals come in the language of the page. */
export function createApi(language: () => string): Api {
  const send = (path: string, init: RequestInit = {}) => fetch(path, { ...init, signal: AbortSignal.timeout(15_000) })
  return {
    async ask(method, path, body) {
      try {
        const headers = { 'accept-language': language(), ...(body ? { 'content-type': 'application/json' } : {}) }
        const response = await send(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
        const value = await response.json()
        if (response.ok) return { kind: 'ok', value }
        const { code, message } = value.error
        // The token changed or the cookie ran out: the document shows the way in.
        if (response.status === 401) location.reload()
        if (response.status >= 500) return { kind: 'away', cause: 'store' }
        return { kind: 'refused', code, message }
      } catch {
        return { kind: 'away', cause: 'network' }
      }
    },
    async health() {
      try {
        return await (await send('/healthz')).json()
      } catch {
        return null
      }
    },
  }
}
