import type { ChainHead, KeptChange } from '../domain/audit.ts'
import type { Effect } from './effect.ts'

/**
 * The record of what Clew did, one chain a workspace (C710). Commits and writes add to it; nothing
 * changes it.
 *
 * Contract: rows are texts as they are stored, oldest first; `readRow` reads them.
 */
export interface Audit {
  /** At most `limit` rows that come after a number. */
  rows(workspace: string, after: number, limit: number): Promise<string[]>
  /** At most `limit` of the newest rows before a number, newest first; null: the newest of all. */
  newest(workspace: string, before: number | null, limit: number): Promise<string[]>
  /** At most `limit` of the newest rows of one thread and its runs. */
  ofThread(workspace: string, conversationId: string, limit: number): Promise<string[]>
  /** The newest row; null: there is none. */
  head(workspace: string): Promise<ChainHead | null>
  /** Every workspace. */
  workspaces(): Promise<string[]>
  /**
   * Adds the row of what people are about to do, once an effect (C893). Of its contents only a
   * keyed hash is kept.
   */
  append(effect: Effect, done: KeptChange, contents: string): Promise<void>
  /**
   * Removes the rows of a workspace from before a time, and adds one that says so. Answers their
   * number.
   */
  trim(workspace: string, before: number): Promise<number>
}
