import type { Kept } from '../../agent/domain/privacy.ts'
import type { Client } from './client.ts'

/**
 * Part of a row: field of a hash or member of a sorted set, its value when it was read, and its new
 * value. Without a new value it is deleted.
 */
export interface Part {
  name?: string
  was?: string
  now?: string
}

/**
 * Change of one row, limited to the parts that were read. `run` deletes the whole run; `words`
 * reindexes the thread without deleted messages.
 */
export type Edit =
  | { kind: 'hash' | 'list' | 'zset'; key: string; parts: readonly Part[] }
  | { kind: 'all'; key: string }
  | { kind: 'words'; id: string }
  | { kind: 'run'; id: string; conversationId: string | null }

/** A trace of a person: the report of it, and the edits that erase it. */
export interface PersonalTrace {
  kept?: Kept
  edits: readonly Edit[]
}

/** Search for one person's traces in one workspace. */
export interface Search {
  client: Client
  workspace: string
  person: string
}

/** A part as it was read. */
export type ReadPart = Part & { was: string }

/** Parts of a hash or a list. */
export const partsOf = (row: Record<string, string> | readonly string[]): ReadPart[] =>
  Array.isArray(row)
    ? row.map((was) => ({ was }))
    : Object.entries(row).map(([name, was]) => ({ name, was }))

/** Edit of these parts of a row; no edit without parts. */
export const amend = (
  kind: 'hash' | 'list' | 'zset',
  key: string,
  parts: readonly Part[],
): Edit[] => (parts.length === 0 ? [] : [{ kind, key, parts }])

export const erase = (key: string): Edit => ({ kind: 'all', key })
