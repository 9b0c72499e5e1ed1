import type { Kept } from '../../agent/domain/privacy.ts'
import type { Client } from './client.ts'

/** A change of one row, of the part that was read. `run`: the run of this row goes as a whole; `words`: its thread is found no more by those that are gone. */
export type Edit =
  | { kind: 'hash' | 'list' | 'zset'; key: string; parts: readonly { name?: string; was?: string; now?: string }[] }
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
