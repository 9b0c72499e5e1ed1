import { z } from 'zod'
import { Author } from './message.ts'
import { variant } from './variant.ts'

/** For whom a fact holds: one person, one thread, one channel, or everybody in the workspace. */
export const memoryScopes = ['me', 'thread', 'channel', 'team'] as const
export const MemoryScope = z.enum(memoryScopes)
export type MemoryScope = z.infer<typeof MemoryScope>

/** Where a fact comes from, so that anyone can look it up (F30). */
export const SourceRef = z.discriminatedUnion('kind', [
  variant('message', { conversationId: z.string(), messageId: z.string() }),
  variant('run', { conversationId: z.string().nullable(), runId: z.string() }),
  /** Somebody wrote it outside any thread. */
  variant('person', {}),
])
export type SourceRef = z.infer<typeof SourceRef>

/**
 * Fields that all records about a fact share. `key` names its subject; facts without a key never
 * replace another.
 */
const what = {
  version: z.literal(1),
  /** Counts per owner from 1; a proposal and the fact that it becomes have one number. */
  id: z.int().positive(),
  scope: MemoryScope,
  key: z.string().nullable(),
  text: z.string(),
  source: SourceRef,
}

/**
 * Something that may be remembered once a person has agreed:
 * `pending → accepted, rejected, expired`, once.
 */
export const Proposal = z.object({
  ...what,
  /** `keep_both`: a fact with the same key stays beside it; else it is replaced (F30). */
  policy: z.enum(['overwrite_latest', 'keep_both']),
  status: z.enum(['pending', 'accepted', 'rejected', 'expired']),
  proposedAt: z.number(),
  expiresAt: z.number(),
  /** Null while it is pending, and when only time decided. */
  decidedBy: Author.nullable(),
  decidedAt: z.number().nullable(),
  /** The fact that it became. */
  factId: z.int().nullable(),
})
export type Proposal = z.infer<typeof Proposal>

/**
 * Something that people agreed to have remembered: `active → revoked, archived → active`. Only
 * active ones are in prompts.
 */
export const Fact = z.object({
  ...what,
  status: z.enum(['active', 'revoked', 'archived']),
  /** Rises when another text takes the place of this one. */
  revision: z.int().positive(),
  acceptedBy: Author.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Fact = z.infer<typeof Fact>

/** Entry of the audit: every change of a proposal or a fact has exactly one. */
export const MemoryEvent = z.object({
  version: z.literal(1),
  at: z.number(),
  /** Null: Clew proposed it, or its time was over. */
  by: Author.nullable(),
  what: z.enum([
    'proposed',
    'added',
    'accepted',
    'rejected',
    'expired',
    'revoked',
    'archived',
    'restored',
  ]),
  id: z.int(),
  /** The fact that changed with it, where that has another number. */
  factId: z.int().nullable(),
  /** The fact's text before and after; null where it stayed. */
  diff: z.object({ before: z.string().nullable(), after: z.string() }).nullable(),
})
export type MemoryEvent = z.infer<typeof MemoryEvent>
