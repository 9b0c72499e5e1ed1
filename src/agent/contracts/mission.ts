import { z } from 'zod'
import type { MissionStep, Report } from '../domain/mission.ts'
import { defineContract } from './contract.ts'
import { isBlank } from './forgiving.ts'
import type { LoopInput } from './input.ts'

/** Input of the three requests of a mission. */
export interface MissionInput extends LoopInput {
  steps: readonly MissionStep[]
  /** Notes of earlier evaluations for later steps; empty at first. */
  context: string
  /** The report that is judged; null where none is. */
  report: Report | null
  /** Retries of the current step that were used up, and how many there may be. */
  retries: number
  maxRetries: number
  /** True if a list without steps means that nothing is left to do; else it is refused (C31). */
  mayBeEmpty: boolean
  /** True if the goal of a mission that is over was reached; `null` while it goes on. */
  reached: boolean | null
}

const stepsMost = 12
const titleMost = 200
const textMost = 8_000

/** R124, R132: the steps that are left, in order. */
export const mission = defineContract({
  reply: z.object({
    steps: z.array(
      z.object({
        title: z.string().describe('A short name for people, in their language.'),
        description: z.string().describe('What the coding agent has to do, complete as it stands.'),
        constraints: z.string().describe('What it must keep to or leave alone.'),
        expected: z
          .string()
          .describe('What has to be true when it is done, and how that is checked.'),
      }),
    ),
  }),
  rules({ steps }, input: MissionInput) {
    if (steps.length === 0)
      return input.mayBeEmpty ? null : 'steps is empty: at least one step is needed'
    if (steps.length > stepsMost) return `at most ${stepsMost} steps`
    if (steps.some(({ title, description }) => isBlank(title) || isBlank(description)))
      return 'a step has no title or no description'
    if (steps.some(({ title }) => title.length > titleMost))
      return `a title has at most ${titleMost} characters`
    const isLong = steps.some(
      (step) => [step.description, step.constraints, step.expected].join('').length > textMost,
    )
    return isLong ? `a step has at most ${textMost} characters` : null
  },
})

/** R129. */
export const evaluate = defineContract({
  reply: z.object({
    decision: z.enum(['next', 'retry', 'replan', 'abort']),
    evidence: z
      .string()
      .describe(
        'What in the report this rests on, in one or two sentences for people, in their language.',
      ),
    instruction: z
      .string()
      .nullable()
      .describe('With "retry": what the agent has to do differently; else null.'),
    project_context: z
      .string()
      .nullable()
      .describe('What later steps must know of the project; null when nothing is new.'),
  }),
  rules: ({ evidence }, _input: MissionInput) =>
    isBlank(evidence) ? 'evidence is required and must not be blank' : null,
})

/** R138. */
export const mission_report = defineContract({
  reply: z.object({ report: z.string() }),
  rules: ({ report }, _input: MissionInput) => (isBlank(report) ? 'report is empty' : null),
  final: ({ report }) => report,
})
