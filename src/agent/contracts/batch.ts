import { z } from 'zod'
import { askCard, callsProblem, inputText, type PlannedCall } from './calls.ts'
import { defineContract } from './contract.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** What the three requests of a round are told. */
export interface RoundInput extends LoopInput {
  /** The round that is planned or thought about, from 1, and how many there may be. */
  round: number
  maxRounds: number
  /** How many calls a round has; more are refused, and fewer are refused once (C112). */
  callsPerRound: { least: number; most: number }
  /** What people were told last. */
  lastSummary: string | null
}

/** R49: one round's calls. `reasoning` is never shown (R42). */
export const plan_tool_call = defineContract({
  reply: z.object({
    steps: z.array(
      z.object({
        tool: z.string(),
        arguments: z.string().describe("The tool's input, exactly in its grammar."),
        purpose: z.string().nullable().describe('What the call is for, in a few words for people, in their language.'),
      }),
    ),
    reasoning: z.string().nullable(),
    estimated_steps: z.number().nullable(),
  }),
  rules({ steps }, input: RoundInput) {
    const { most } = input.callsPerRound
    if (steps.length === 0) return 'steps is empty: plan at least one call (C19)'
    if (steps.length > most) return `每轮最多规划${most}个步骤 (at most ${most} steps a round)`
    const calls = steps.map((step) => ({ tool: step.tool, input: step.arguments }))
    return callsProblem(calls, input) ?? tooFew(calls, input)
  },
  /** C11: `args` says the same as `arguments`; what is given as an object is taken as its text. */
  tidy(value) {
    if (!isRecord(value) || !Array.isArray(value.steps)) return value
    return { reasoning: null, estimated_steps: null, ...value, steps: value.steps.map(tidyStep) }
  },
})

/** C112: so few calls are refused once; who says it again means it. A question cannot wait for more. */
function tooFew(calls: readonly PlannedCall[], { callsPerRound: { least }, refusal }: RoundInput): string | null {
  const asks = calls.some(({ tool }) => tool === askCard.name)
  if (calls.length >= least || asks || refusal?.startsWith(fewSteps) === true) return null
  return `${fewSteps}: plan at least ${least} calls, all that can be decided now; only if there is nothing more to do, send the same again`
}
const fewSteps = 'too few steps'

function tidyStep(step: unknown): unknown {
  if (!isRecord(step)) return step
  return { purpose: null, ...step, arguments: inputText(step.arguments ?? step.args) }
}

/** R53: two outputs, one for the next round and one for people. */
export const think = defineContract({
  reply: z.object({
    internal_analysis: z.string().nullable(),
    user_summary: z.string().describe('What people read, in their language.'),
    task_completed: z.boolean(),
    next_steps_preview: z.string().nullable().describe('What the next round will do, one step a line; null when done.'),
  }),
  rules: ({ user_summary }, _input: RoundInput) =>
    isBlank(user_summary) ? 'user_summary is required and must not be blank' : null,
})

/** R61: plain words, without any function. */
export const summary = defineContract({
  reply: z.object({ content: z.string() }),
  rules: ({ content }, _input: RoundInput) => (isBlank(content) ? 'content is empty' : null),
})
