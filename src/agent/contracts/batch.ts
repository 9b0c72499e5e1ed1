import { z } from 'zod'
import { callsProblem, inputText } from './calls.ts'
import { defineContract } from './contract.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** Input of the three requests of a round. */
export interface RoundInput extends LoopInput {
  /** The round that is planned or thought about, from 1, and how many there may be. */
  round: number
  maxRounds: number
  /** Most calls in a round (C112). */
  callsPerRound: { most: number }
  /** True if thinking about a round may plan the next one too (C143). */
  thinkPlans: boolean
  /** Last summary that people were given. */
  lastSummary: string | null
}

const Steps = z.array(
  z.object({ tool: z.string(), arguments: z.string(), purpose: z.string().nullable() }),
)

/** R49: calls of one round. `reasoning` is never shown (R42). */
export const plan_tool_call = defineContract({
  reply: z.object({
    steps: Steps,
    reasoning: z.string().nullable(),
    estimated_steps: z.number().nullable(),
  }),
  rules: ({ steps }, input: RoundInput) => stepsProblem(steps, input),
  /** C11: `args` says the same as `arguments`; what is given as an object is taken as its text. */
  tidy(value) {
    if (!isRecord(value) || !Array.isArray(value.steps)) return value
    return { reasoning: null, estimated_steps: null, ...value, steps: tidySteps(value.steps) }
  },
})

function stepsProblem(steps: z.infer<typeof Steps>, input: RoundInput): string | null {
  const { most } = input.callsPerRound
  if (steps.length === 0) return 'steps is empty: plan at least one call (C19)'
  if (steps.length > most) return `每轮最多规划${most}个步骤`
  const calls = steps.map((step) => ({ tool: step.tool, input: step.arguments }))
  return callsProblem(calls, input)
}

/**
 * Normalises calls. A call without a purpose has that of the call before, if both use the same
 * tool.
 */
function tidySteps(steps: readonly unknown[]): unknown[] {
  let before: Record<string, unknown> = { tool: null, purpose: null }
  return steps.map((step) => {
    if (!isRecord(step)) return step
    const purpose = step.purpose ?? (step.tool === before.tool ? before.purpose : null)
    before = { ...step, purpose, arguments: inputText(step.arguments ?? step.args) }
    return before
  })
}

/**
 * R53: two outputs, one for the next round and one for people; and the next round's calls, where
 * they are known (C143).
 */
export const think = defineContract({
  reply: z.object({
    internal_analysis: z.string().nullable(),
    // Before the words for people: only then they can be shown while they are written.
    task_completed: z.boolean(),
    given_up: z.boolean().nullable(),
    say: z.string().nullable().describe('A short answer to what a person asked now; else null.'),
    user_summary: z.string(),
    next_steps_preview: z.string().nullable(),
    next_round: Steps.nullable(),
  }),
  rules({ user_summary, task_completed, next_round }, input: RoundInput) {
    if (isBlank(user_summary)) return 'user_summary is required and must not be blank'
    return task_completed || next_round === null || !input.thinkPlans
      ? null
      : stepsProblem(next_round, input)
  },
  tidy(value) {
    if (!isRecord(value) || !Array.isArray(value.next_round)) return value
    return {
      ...value,
      next_round: value.next_round.length === 0 ? null : tidySteps(value.next_round),
    }
  },
  final: (partial) => (partial.task_completed === true ? partial.user_summary : null),
})

/** R61: plain words, without any function. */
export const summary = defineContract({
  reply: z.object({ content: z.string() }),
  rules: ({ content }, _input: RoundInput) => (isBlank(content) ? 'content is empty' : null),
})
