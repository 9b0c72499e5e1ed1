import type { Conversation } from '../domain/conversation.ts'
import type { Proposal } from '../domain/fact.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'

/**
 * Something that waits for a person (C190), and since when, in milliseconds since the epoch. `name`
 * is its own in its workspace.
 */
export type Need = {
  workspace: string
  name: string
  at: number
  conversation: Conversation | null
} & (
  | { kind: 'question'; question: Question }
  | { kind: 'paused' | 'failed'; run: Run }
  | { kind: 'proposal'; proposal: Proposal }
  /** This version cannot read it; the thread, if it is known, has what can be (C256). */
  | { kind: 'unreadable'; conversationId: string | null }
)

/** Whose queue: a workspace's, or, of one person's own memory, that owner's in it. */
export interface NeedsOf {
  workspace: string
  owner?: string
}

/**
 * Index of what waits for people. It is written in the same commit as its cause.
 *
 * Contract: `list` returns at most `limit` needs of all these queues together, longest waiting
 * first, after the place that `after` names. `total` counts all of them.
 * A need that is gone is removed.
 */
export interface Needs {
  list(
    queues: readonly NeedsOf[],
    after: Pick<Need, 'at' | 'name'> | null,
    limit: number,
  ): Promise<{ needs: Need[]; total: number; next: Pick<Need, 'at' | 'name'> | null }>
  /**
   * Brings in some of what was written before there was an index. Answers true while there may be
   * more. Doing it again changes nothing.
   */
  build(): Promise<boolean>
}
