/**
 * Page that was found. All three fields are plain text from the web: data, never instructions (S4).
 */
export interface SearchHit {
  title: string
  url: string
  snippet: string
}

/** Why there is no answer; the words for it are in `locales`. */
export type SearchProblem =
  | { code: 'limited'; retryAfterSeconds: number | null }
  | { code: 'key_refused' | 'spent' | 'format_off' | 'moved' | 'refused' | 'unavailable' }
  | { code: 'timed_out' | 'unreadable' | 'stopped' }

export type SearchOutcome = { ok: true; hits: SearchHit[] } | { ok: false; problem: SearchProblem }

export interface SearchQuery {
  text: string
  /** Number of hits wanted; a provider may give fewer. */
  limit: number
  signal: AbortSignal
}

/**
 * A service that searches the web.
 *
 * Contract: `search` never throws; it ends within its time-out and soon after the signal aborts;
 * neither its outcome nor anything else that leaves it holds the key (S7).
 */
export interface SearchProvider {
  /** As people know it. */
  readonly name: string
  /** The setting that the operator has to look at when it does not work. */
  readonly setting: string
  search(query: SearchQuery): Promise<SearchOutcome>
}

/** Dependencies of every provider. `fetch` is injected, so that tests and proxies can stand in. */
export interface SearchDeps {
  fetch: typeof fetch
  /** 10 s unless told otherwise. */
  timeoutMs?: number
}

export const searchTimeoutMs = 10_000
