/** A folder that an operator lets Clew read and search. */
export interface SearchFolder {
  name: string
  path: string
}

/** The result of reading a whole folder; `left` are files that were left out as too big, not text, secret or beyond the limits. */
export type Indexed =
  | { ok: true; name: string; files: number; left: number }
  | { ok: false; problem: 'unknown' | 'missing' | 'empty' | 'stopped' }

export interface Hit {
  name: string
  /** Within the folder, with `/`. */
  path: string
  /** The excerpt's first line, from 1. */
  line: number
  excerpt: string
}

/**
 * Folders and repositories that can be searched in full text. Only folders of the operator's list exist here; nothing outside
 * of one is ever read, wherever a link leads.
 *
 * Contract: failures are values; throws when the index cannot be kept; ends soon after the signal aborts.
 */
export interface Library {
  readonly names: readonly string[]
  /** Reads a whole folder, by its name or path; a blank one is the only folder, if there is only one. */
  index(wanted: string, signal: AbortSignal): Promise<Indexed>
  /** The best first, at most `most`; a folder that was never read is read first. Null: there is no folder of that name. */
  search(
    words: string,
    options: { name: string | null; most: number },
    signal: AbortSignal,
  ): Promise<Hit[] | null>
}
