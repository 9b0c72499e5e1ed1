import { z } from 'zod'
import { callsProblem, inputText } from './calls.ts'
import { isBlank, isRecord } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** What the three requests of a round are told. */
export interface RoundInput extends LoopInput {
  /** The round that is planned or thought about, from 1, and how many there may be. */
  round: number
  maxRounds: number
  /** How many calls a round should have; more than `most` are refused. */
  callsPerRound: { least: number; most: number }
  /** What people were told last. */
  lastSummary: string | null
}

/** R49: one round's calls. `reasoning` is never shown (R42). */
const planCallReply = z.object({
  steps: z.array(
    z.object({
      tool: z.string(),
      arguments: z.string().describe("The tool's input, exactly in its grammar."),
      purpose: z.string().nullable().describe('What the call is for, in a few words for people, in their language.'),
    }),
  ),
  reasoning: z.string().nullable(),
  estimated_steps: z.number().nullable(),
})

/** R53: two outputs, one for the next round and one for people. */
const thinkReply = z.object({
  internal_analysis: z.string().nullable(),
  user_summary: z.string().describe('What people read, in their language.'),
  task_completed: z.boolean(),
  next_steps_preview: z.string().nullable().describe('What the next round will do, one step a line; null when done.'),
})

/** R61: plain words, without any function. */
const summaryReply = z.object({ content: z.string() })

function planCallRules(reply: z.infer<typeof planCallReply>, input: RoundInput): string | null {
  const { most } = input.callsPerRound
  if (reply.steps.length === 0) return 'steps is empty: plan at least one call (C19)'
  if (reply.steps.length > most) return `每轮最多规划${most}个步骤 (at most ${most} steps a round)`
  return callsProblem(
    reply.steps.map((step) => ({ tool: step.tool, input: step.arguments })),
    input,
  )
}

function thinkRules(reply: z.infer<typeof thinkReply>): string | null {
  return isBlank(reply.user_summary) ? 'user_summary is required and must not be blank' : null
}

const summaryRules = ({ content }: z.infer<typeof summaryReply>): string | null =>
  isBlank(content) ? 'content is empty' : null

/** C11: `args` says the same as `arguments`; what is given as an object is taken as its text. */
function tidyPlanCall(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value.steps)) return value
  return { reasoning: null, estimated_steps: null, ...value, steps: value.steps.map(tidyStep) }
}

function tidyStep(step: unknown): unknown {
  if (!isRecord(step)) return step
  return { purpose: null, ...step, arguments: inputText(step.arguments ?? step.args) }
}

export const batchContracts = {
  plan_tool_call: { reply: planCallReply, rules: planCallRules, tidy: tidyPlanCall },
  think: { reply: thinkReply, rules: thinkRules },
  summary: { reply: summaryReply, rules: summaryRules },
}
export type BatchInputs = Record<keyof typeof batchContracts, RoundInput>
