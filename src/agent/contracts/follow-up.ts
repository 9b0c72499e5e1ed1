import { z } from 'zod'
import { sameItem } from '../domain/same-item.ts'
import { defineContract } from './contract.ts'
import type { MessageForModel, Surroundings } from './input.ts'

/** After a run: what was asked for and what came of it, and what is left to be allowed (R121). */
export interface FollowUpInput extends Surroundings {
  goal: string
  result: string
  /** Goals of the runs before it that followed one another. */
  earlier: readonly string[]
  recentMessages: readonly MessageForModel[]
  /** Runs that may still follow, this one included. */
  left: number
  refusal: string | null
}

export const follow_up = defineContract({
  reply: z.object({
    decision: z.enum(['next', 'close']),
    goal: z
      .string()
      .nullable()
      .describe('With "next": the whole next request with all its details; else null.'),
    title: z
      .string()
      .nullable()
      .describe('With "next": a short name for people, in their language.'),
    summary: z
      .string()
      .nullable()
      .describe('With "close": what it all came to, if that was not said yet; else null.'),
    reason: z.string().describe('One short sentence for the operator.'),
  }),
  rules({ decision, goal }, { goal: done, earlier }: FollowUpInput) {
    if (decision === 'close') return null
    if (goal === null || goal.trim() === '') return 'next needs a goal'
    const again = [done, ...earlier].some((one) => sameItem(one, goal))
    return again ? 'that was done already; name other work or close' : null
  },
})
