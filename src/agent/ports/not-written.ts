/**
 * The store says that it did not carry a write out: nothing of it is kept. The message says why and
 * what an operator can do. After anything else that a write throws, it may or may not have been
 * kept.
 */
export class NotWritten extends Error {
  override readonly name = 'NotWritten'
  /** As of every store that is away: the same write may work later. */
  readonly code = 'away'
}
