import { z } from 'zod'
import { type Limits, Spent } from './budget.ts'
import { million } from './money.ts'

/**
 * Runs that followed one another by themselves (R121): how many, for what, and what they have spent
 * together.
 */
export const Chain = z.object({
  /** Follow-ups since a person asked. */
  depth: z.int().positive(),
  goals: z.array(z.string()),
  /** Amounts that all runs before this one have spent. */
  spent: Spent,
})
export type Chain = z.infer<typeof Chain>

/**
 * Allowance that earlier runs have left (R121); `null` if a ceiling is reached and nothing more may
 * begin.
 */
export function leftOf(limits: Limits, spent: Spent): Limits | null {
  const { maxCost } = limits
  const left = {
    maxSteps: limits.maxSteps - spent.iterations,
    maxModelCalls: limits.maxModelCalls - spent.modelCalls,
    maxToolCalls: limits.maxToolCalls - spent.toolCalls,
    maxTokens: limits.maxTokens - spent.promptTokens - spent.completionTokens,
    maxWallMs: limits.maxWallMs - spent.activeMs,
    ...(maxCost === undefined ? {} : { maxCost: maxCost - (spent.cost ?? 0) / million }),
  }
  return Object.values(left).every((one) => one > 0) ? { ...limits, ...left } : null
}
