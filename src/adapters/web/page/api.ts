import type { TraceEntry } from '../../../agent/domain/trace.ts'
import type { WebHealth } from '../deps.ts'
import type { ConversationLine, ConversationView } from '../views.ts'

/** What came of a request. `away`: it may work later as it is; `refused`: it will not, and `message` says why. */
export type Answer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'away'; cause: 'network' | 'store' }
  | { kind: 'refused'; code: string; message: string }

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface Api {
  conversations(): Promise<Answer<{ conversations: ConversationLine[] }>>
  conversation(id: string, messages: number): Promise<Answer<ConversationView>>
  trace(runId: string): Promise<Answer<{ trace: TraceEntry[] }>>
  health(): Promise<Answer<WebHealth>>
  post(path: string, body: object): Promise<Answer<{ id: string; messageId?: string | null }>>
  /** Anything else of the API: to-dos and schedules. */
  ask<T>(method: Method, path: string, body?: object): Promise<Answer<T>>
}

/** The API over `fetch`. `language` is asked for each time, so that refusals come in the language of the page. */
export function createApi(language: () => string): Api {
  async function call<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
    try {
      const headers = { 'accept-language': language(), ...(init.body ? { 'content-type': 'application/json' } : {}) }
      const response = await fetch(path, { ...init, headers, signal: AbortSignal.timeout(15_000) })
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
  }

  return {
    conversations: () => call('/api/conversations'),
    conversation: (id, messages) => call(`/api/conversations/${id}?messages=${messages}`),
    trace: (runId) => call(`/api/runs/${runId}/trace`),
    async health() {
      // An unhealthy report is a report too.
      try {
        const response = await fetch('/healthz', { signal: AbortSignal.timeout(15_000) })
        return { kind: 'ok', value: await response.json() }
      } catch {
        return { kind: 'away', cause: 'network' }
      }
    },
    ask: (method, path, body) => call(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  }
}
