/** Time, ids and randomness come from here, so that one seed replays one history (rule 9, P16). */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`; at once, without throwing, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `tick` every `ms` until the returned function is called. Ticks never overlap themselves.
   */
  every(ms: number, tick: () => Promise<void>): () => void
  /** A new id that nobody can guess. */
  randomId(): string
}
