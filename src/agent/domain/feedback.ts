import { z } from 'zod'
import { feedbackReasons } from './feedback-reasons.ts'
import { Author } from './message.ts'

/** Opinion on a report. A reason, and words, come after the first press; absent: none was given. */
export const Opinion = z.object({
  good: z.boolean(),
  reason: z.enum(feedbackReasons).optional(),
  words: z.string().optional(),
})
export type Opinion = z.infer<typeof Opinion>

/** Rating of a report by one person. */
export const Feedback = z.object({ author: Author, at: z.number(), ...Opinion.shape })
export type Feedback = z.infer<typeof Feedback>

/** Private question to the person who rated a report, with buttons below its words. */
export const OpinionAsked = z.object({ about: z.enum(['reason', 'test']), runId: z.string() })
export type OpinionAsked = z.infer<typeof OpinionAsked>
