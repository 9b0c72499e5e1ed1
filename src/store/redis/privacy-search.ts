import type { Kept } from '../../agent/domain/privacy.ts'
import type { Client } from './client.ts'

/** Of a hash its field, of a sorted set its member; what was read of it, and what it is to be: left out, it goes. */
export interface Part {
  name?: string
  was?: string
  now?: string
}

/** A change of one row, of the part that was read. `run`: the run of this row goes as a whole; `words`: its thread is found no more by those that are gone. */
export type Edit =
  | { kind: 'hash' | 'list' | 'zset'; key: string; parts: readonly Part[] }
  | { kind: 'all'; key: string }
  | { kind: 'words'; id: string }
  | { kind: 'run'; id: string; conversationId: string | null }

/** What was found of a person: what is told of it, and what is done to erase it. */
export interface Found {
  kept?: Kept
  edits: readonly Edit[]
}

/** What is asked for: one person's traces in one workspace. */
export interface Search {
  client: Client
  workspace: string
  person: string
}

/** A part as it was read. */
export type ReadPart = Part & { was: string }

/** The parts of a hash or a list. */
export const partsOf = (row: Record<string, string> | readonly string[]): ReadPart[] =>
  Array.isArray(row)
    ? row.map((was) => ({ was }))
    : Object.entries(row).map(([name, was]) => ({ name, was }))

/** A change of these parts of a row: none where there are none. */
export const amend = (
  kind: 'hash' | 'list' | 'zset',
  key: string,
  parts: readonly Part[],
): Edit[] => (parts.length === 0 ? [] : [{ kind, key, parts }])

export const erase = (key: string): Edit => ({ kind: 'all', key })
