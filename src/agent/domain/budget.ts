import { z } from 'zod'

/**
 * What a task may spend. Counts are whole numbers; time is in milliseconds. What belongs to one strategy is absent from
 * tasks that were begun before there was that strategy, which then has its default.
 */
export const Limits = z.object({
  /** Thoughts, replans and tool calls until the task pauses (R20 to R24). A fresh allowance comes with every "continue". */
  maxSteps: z.number().int().positive(),
  /** Hard ceilings, the same for every strategy (C36). A person's "continue" grants them once more. */
  maxModelCalls: z.number().int().positive(),
  maxToolCalls: z.number().int().positive(),
  maxTokens: z.number().int().positive(),
  maxWallMs: z.number().int().positive(),
  /** In a row; then a thought may only ask or close its item (R17, C38). */
  maxToolFailures: z.number().int().positive(),
  maxContractFailures: z.number().int().positive(),
  /** In a row; then the task pauses and says that the model is away. */
  maxUnavailable: z.number().int().positive(),
  /** Of `batch`: rounds until the task pauses (R58), and how many calls a round has (R49, R59). */
  maxRounds: z.number().int().positive().optional(),
  callsPerRound: z.object({ least: z.number().int().positive(), most: z.number().int().positive() }).optional(),
  /** Of `batch`: a round that takes longer is thought about as it stands (R65). */
  maxRoundMs: z.number().int().positive().optional(),
  /** Of `free`: model calls until the task pauses (R87). */
  maxIterations: z.number().int().positive().optional(),
  /** Of `free`: whether words such as "next" may complete a step (C20). Markers always do. */
  transitions: z.boolean().optional(),
  /** Of `coding`: retries of one step (R131), and steps given up in a row until people are asked (R134). */
  maxRetries: z.number().int().nonnegative().optional(),
  maxFailedSteps: z.number().int().positive().optional(),
  /** What a million tokens of the model cost, in whatever currency the operator counts, and the most that a task may cost. */
  price: z.object({ prompt: z.number().nonnegative(), completion: z.number().nonnegative() }).optional(),
  maxCost: z.number().positive().optional(),
})
export type Limits = z.infer<typeof Limits>

/** What a task has spent. */
export const Spent = z.object({
  /** Since the start or the last "continue". */
  steps: z.number().int(),
  /** Since the start, over all pauses (C35). */
  iterations: z.number().int(),
  successfulSteps: z.number().int(),
  failedSteps: z.number().int(),
  modelCalls: z.number().int(),
  toolCalls: z.number().int(),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  pauses: z.number().int(),
  /** Milliseconds of work; waiting for a person is free. */
  activeMs: z.number().int(),
})
export type Spent = z.infer<typeof Spent>

const counts = Spent.keyof().options
export const nothingSpent: Spent = Spent.parse(Object.fromEntries(counts.map((count) => [count, 0])))

export function addSpent(spent: Spent, more: Partial<Spent>): Spent {
  const sum = { ...spent }
  for (const count of counts) sum[count] += more[count] ?? 0
  return sum
}

/** What one model call used. */
export interface Usage {
  promptTokens: number
  completionTokens: number
  /** Of the prompt's tokens, those that the provider had from before; absent: none, or nothing is known. */
  cachedTokens?: number
  /** How many requests it took, where it may be more than one (C8, C102); absent: one. */
  requests?: number
  /** Who answered last, where there are several; absent: the only one. */
  model?: string
}

export type Ceiling = 'model_calls' | 'tool_calls' | 'tokens' | 'cost' | 'time'

/** The first hard ceiling that has been reached since `from`, the state at the start or the last "continue"; or null. */
export function ceilingReached(limits: Limits, spent: Spent, from: Spent): Ceiling | null {
  if (spent.modelCalls - from.modelCalls >= limits.maxModelCalls) return 'model_calls'
  if (spent.toolCalls - from.toolCalls >= limits.maxToolCalls) return 'tool_calls'
  if (tokens(spent) - tokens(from) >= limits.maxTokens) return 'tokens'
  const [cost, before] = [costOf(limits, spent), costOf(limits, from)]
  if (cost !== null && before !== null && limits.maxCost !== undefined && cost - before >= limits.maxCost) return 'cost'
  if (spent.activeMs - from.activeMs >= limits.maxWallMs) return 'time'
  return null
}

/** What the model calls have cost by the price table; null where it has no price for the model. */
export function costOf({ price }: Pick<Limits, 'price'>, spent: Spent): number | null {
  if (price === undefined) return null
  return (spent.promptTokens * price.prompt + spent.completionTokens * price.completion) / 1_000_000
}

const tokens = (spent: Spent) => spent.promptTokens + spent.completionTokens
