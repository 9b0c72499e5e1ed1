/** A folder that an operator lets Clew read and search. */
export interface SearchFolder {
  name: string
  path: string
}

/**
 * The result of reading a whole folder; `left` are files that were left out as too big, not text,
 * secret or beyond the limits.
 */
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
 * Lines that hold a phrase: the first of them, how many there are, and how many files could not be
 * searched.
 */
export interface PhraseLines {
  hits: Hit[]
  lines: number
  left: number
}

/** File of a folder, by its path within it; times in ms. */
export interface FolderFile {
  path: string
  bytes: number
  changedAt: number
  /** When it came to be there. */
  addedAt: number
}

export type PathContents = { kind: 'file'; text: string } | { kind: 'folder'; names: string[] }

/**
 * Folders and repositories that can be searched in full text. Only folders of the operator's list
 * exist here; nothing outside of one is ever read, wherever a link leads.
 *
 * Contract: failures are values; throws when the index cannot be kept; ends soon after the signal
 * aborts.
 */
export interface Library {
  readonly names: readonly string[]
  /**
   * Files that a folder holds now, unread; null: it is not there, or there is none of that name.
   */
  files(name: string, signal: AbortSignal): Promise<FolderFile[] | null>
  /**
   * Reads a whole folder, by its name or path; a blank one is the only folder, if there is only
   * one.
   */
  index(wanted: string, signal: AbortSignal): Promise<Indexed>
  /**
   * The best first, at most `most`; a folder that was never read is read first. Null: there is no
   * folder of that name.
   */
  search(
    words: string,
    options: { name: string | null; most: number },
    signal: AbortSignal,
  ): Promise<Hit[] | null>
  /**
   * Every line that holds a phrase, in any case; at most `most` are shown. Null: there is no folder
   * of that name.
   */
  phrase(
    text: string,
    options: { name: string | null; most: number },
    signal: AbortSignal,
  ): Promise<PhraseLines | null>
  /**
   * A file, or the names in a folder, by its folder's name and the path within it. Null: there is
   * no such thing, or it is not shown.
   */
  read(path: string, signal: AbortSignal): Promise<PathContents | null>
}
