import type { Author } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'

/** Request to read something; instants are milliseconds since the epoch. */
export type ReadRequest =
  /** A thread or a message, by its link. */
  | { kind: 'thread'; link: string }
  /** This channel, without its threads; `by` is part of a name. */
  | { kind: 'history'; from: number; to: number; by: string | null }
  /** People of this workspace by a part of their names. */
  | { kind: 'people'; name: string }

/** Person who asked for the work, and the place. */
export interface Asker {
  workspace: string
  channel: string
  person: Author
}

export type ReadAnswer =
  /** Oldest first; `gap`: there is more than is read in one go. */
  | { kind: 'said'; said: readonly Overheard[]; gap: boolean }
  | { kind: 'people'; people: readonly Author[]; gap: boolean }
  | { kind: 'unreadable'; reason: 'not_a_link' | 'forbidden' | 'away' }

/**
 * Reads on a platform for a person (C159).
 *
 * Contract: what that person may not see now is `forbidden`, whatever Clew itself may see. Never
 * throws; ends soon after the signal aborts.
 */
export interface Reader {
  /** True if Clew can read this kind there, as far as the platform has told. */
  offers(workspace: string, kind: ReadRequest['kind']): boolean
  read(asker: Asker, request: ReadRequest, signal: AbortSignal): Promise<ReadAnswer>
}
