import { z } from 'zod'
import { million } from './money.ts'

/**
 * Limits on what a task may spend. Counts are whole numbers; time is in milliseconds. Limits of one
 * strategy are absent from tasks that are older than it; its defaults apply to them.
 */
export const Limits = z.object({
  /**
   * Thoughts, replans and tool calls until the task pauses (R20 to R24). A fresh allowance comes
   * with every "continue".
   */
  maxSteps: z.int().positive(),
  /**
   * Hard ceilings, the same for every strategy (C36). A person's "continue" grants them once more.
   */
  maxModelCalls: z.int().positive(),
  maxToolCalls: z.int().positive(),
  maxTokens: z.int().positive(),
  maxWallMs: z.int().positive(),
  /** In a row; then a thought may only ask or close its item (R17, C38). */
  maxToolFailures: z.int().positive(),
  maxContractFailures: z.int().positive(),
  /** In a row; then the task pauses and says that the model is away. */
  maxUnavailable: z.int().positive(),
  /** Rounds of a `batch` task until it pauses (R58), and calls in each round (R49, R59). */
  maxRounds: z.int().positive().optional(),
  callsPerRound: z.object({ most: z.int().positive() }).optional(),
  /**
   * True if thinking about a round of a `batch` task may plan the next one: a round is then one
   * request (C143).
   */
  thinkPlans: z.boolean().optional(),
  /**
   * True if a call of a `step` task may end its item without another thought (C141).
   * `replanSkips`: items in a row that may end without a replan if nothing changed (C142). 0 or
   * absent: none.
   */
  callsEndItems: z.boolean().optional(),
  replanSkips: z.int().nonnegative().optional(),
  /** Longest round of a `batch` task, in ms; a longer one is thought about as it stands (R65). */
  maxRoundMs: z.int().positive().optional(),
  /** Model calls of a `free` task until it pauses (R87). */
  maxIterations: z.int().positive().optional(),
  /** True if words such as "next" may complete a step of a `free` task (C20). Markers always do. */
  transitions: z.boolean().optional(),
  /**
   * Retries of one step of a `coding` task (R131). `maxFailedSteps`: steps given up in a row until
   * people are asked (R134).
   */
  maxRetries: z.int().nonnegative().optional(),
  maxFailedSteps: z.int().positive().optional(),
  /** The most that a task may cost, in the currency of the price table. */
  maxCost: z.number().positive().optional(),
})
export type Limits = z.infer<typeof Limits>

/** Amounts that a task has spent. */
export const Spent = z.object({
  /** Since the start or the last "continue". */
  steps: z.int(),
  /** Since the start, over all pauses (C35). */
  iterations: z.int(),
  successfulSteps: z.int(),
  failedSteps: z.int(),
  modelCalls: z.int(),
  toolCalls: z.int(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  /** Prompt tokens that came from a provider's cache (C130). */
  cachedTokens: z.int().optional(),
  /** In millionths, each call at the price of the model that answered it. */
  cost: z.int().optional(),
  pauses: z.int(),
  /** Milliseconds of work; waiting for a person is free. */
  activeMs: z.int(),
})
export type Spent = z.infer<typeof Spent>

const { cachedTokens: _cached, cost: _cost, ...always } = Spent.shape
const counts = z.object(always).keyof().options
const sometimes = ['cachedTokens', 'cost'] as const
export const nothingSpent: Spent = Spent.parse(
  Object.fromEntries(counts.map((count) => [count, 0])),
)

export function addSpent(spent: Spent, more: Partial<Spent>): Spent {
  const sum = { ...spent }
  for (const count of counts) sum[count] += more[count] ?? 0
  for (const count of sometimes) if (more[count]) sum[count] = (sum[count] ?? 0) + more[count]
  return sum
}

/** Tokens, cost and requests of one model call. */
export interface Usage {
  promptTokens: number
  completionTokens: number
  /** Prompt tokens that came from the provider's cache; absent: none, or unknown. */
  cachedTokens?: number
  /** Cost by the price table, in millionths; absent: the table has no price for the call (C130). */
  cost?: number
  /** Number of requests, where it may be more than one (C8, C102); absent: one. */
  requests?: number
  /** Model that answered last, where there are several; absent: the only one. */
  model?: string
  /** The endpoint did not count, so this is a guess (C354). */
  estimated?: boolean
}

export type Ceiling = 'model_calls' | 'tool_calls' | 'tokens' | 'cost' | 'time'

/**
 * The first hard ceiling that has been reached since `from`, the state at the start or the last
 * "continue"; or null.
 */
export function ceilingReached(limits: Limits, spent: Spent, from: Spent): Ceiling | null {
  if (spent.modelCalls - from.modelCalls >= limits.maxModelCalls) return 'model_calls'
  if (spent.toolCalls - from.toolCalls >= limits.maxToolCalls) return 'tool_calls'
  if (tokens(spent) - tokens(from) >= limits.maxTokens) return 'tokens'
  if (
    limits.maxCost !== undefined &&
    (spent.cost ?? 0) - (from.cost ?? 0) >= limits.maxCost * million
  )
    return 'cost'
  if (spent.activeMs - from.activeMs >= limits.maxWallMs) return 'time'
  return null
}

/** Prices of a million tokens of a model. Cached prompt tokens may have a price of their own. */
export interface Price {
  prompt: number
  completion: number
  cached?: number
}

/** Cost of a model call, in millionths (C130). */
export function costOf({ prompt, completion, cached = prompt }: Price, usage: Usage): number {
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage
  return Math.ceil(
    (promptTokens - cachedTokens) * prompt + cachedTokens * cached + completionTokens * completion,
  )
}

const tokens = (spent: Spent) => spent.promptTokens + spent.completionTokens
