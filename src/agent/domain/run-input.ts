import { z } from 'zod'
import { AttachedImage } from './attached-image.ts'
import { Author } from './message.ts'
import { PlanEdit } from './plan-edit.ts'
import { Question } from './question.ts'
import { variant } from './variant.ts'

/**
 * Something that a person said or did, for the run that has to take it in; it waits in the run's
 * mailbox.
 */
export const RunInput = z.discriminatedUnion('kind', [
  variant('answer', {
    entryId: z.string(),
    question: Question,
    text: z.string(),
    author: Author,
    /** The call as it was changed before it was approved. */
    edited: z.string().optional(),
  }),
  variant('joined', {
    entryId: z.string(),
    text: z.string(),
    author: Author,
    /** Attached images (C160); absent: none. */
    images: z.array(AttachedImage).optional(),
    /** Said under the open question, without answering it (C503). */
    aside: z.boolean().optional(),
  }),
  variant('continue', { entryId: z.string(), author: Author.optional() }),
  variant('plan_edit', {
    entryId: z.string(),
    author: Author.extend({ operator: z.boolean().optional() }),
    ...PlanEdit.shape,
  }),
  /** Something was overheard, or is no more: a sign to look again, and nothing to answer. */
  variant('overheard', { entryId: z.string() }),
  /**
   * For the run that gathers a group's results: a run came into the group, or has ended; `entryId`
   * is that run (C123).
   */
  variant('gathered', { entryId: z.string() }),
])
export type RunInput = z.infer<typeof RunInput>
