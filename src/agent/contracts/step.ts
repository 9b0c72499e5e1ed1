import { z } from 'zod'
import { assertNever } from '../domain/assert.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Clarification } from '../domain/task.ts'
import { defineContract } from './contract.ts'
import { isBlank, isRecord, saysNothing } from './forgiving.ts'
import type { LoopInput, TaskInput } from './input.ts'

export interface ThoughtInput extends LoopInput {
  /** The goal itself when the plan is empty (C6). */
  currentItem: string
  /** After repeated failures only `ask_user` or `done` is accepted (R17). */
  mustStop: boolean
}

export interface ReplanInput extends LoopInput {
  /** What people said since the last plan or replan. */
  newClarifications: readonly Clarification[]
  /** The open items, in order. */
  remainingPlan: readonly string[]
}

/** R29: nothing else, above all no answer. */
export const plan = defineContract({
  reply: z.strictObject({ status: z.literal('planned'), plan: z.array(z.string()) }),
  rules: ({ plan: items }, _input: TaskInput) => (items.some(isBlank) ? 'a plan item is blank' : null),
})

const Thought = z.object({
  status: z.enum(['continue', 'ask_user', 'done']),
  current_step: z.string(),
  next_action: z.object({ tool: z.string(), input: z.string() }).nullable(),
  question: z.string().nullable(),
  choices: z.array(z.string()).nullable().describe('With a question: up to 5 short answers; else null.'),
  response: z.string().nullable(),
})
type Thought = z.infer<typeof Thought>

/** R30 to R33. */
export const thought = defineContract({
  reply: Thought,
  rules(reply, input: ThoughtInput) {
    switch (reply.status) {
      case 'continue':
        return continueProblem(reply, input)
      case 'ask_user':
        if (isBlank(reply.current_step) || isBlank(reply.question)) return 'ask_user needs current_step and question'
        if (reply.next_action !== null || !isBlank(reply.response))
          return 'ask_user must not carry next_action or response'
        return null
      case 'done':
        if (reply.next_action !== null || !isBlank(reply.question)) return 'done must not carry next_action or question'
        return null
      default:
        return assertNever(reply.status)
    }
  },
  /** A next action of blanks is none. */
  tidy: (value) => (isRecord(value) && saysNothing(value.next_action) ? { ...value, next_action: null } : value),
})

function continueProblem(reply: Thought, input: ThoughtInput): string | null {
  if (input.mustStop) return 'after these failures only ask_user or done is accepted'
  if (input.planItems.length === 0) return 'the plan is empty: only ask_user or done is accepted'
  if (isBlank(reply.current_step)) return 'continue needs current_step'
  if (reply.next_action === null || isBlank(reply.next_action.input))
    return 'continue needs next_action.tool and next_action.input'
  if (!isBlank(reply.question) || !isBlank(reply.response)) return 'continue must not carry question or response'
  const tool = reply.next_action.tool
  if (!input.tools.some((card) => card.name === tool))
    return `there is no tool "${tool}"; the tools are ${input.tools.map((card) => card.name).join(', ')}`
  const elsewhere = input.planItems.findIndex((item) => sameItem(item.text, reply.current_step))
  if (elsewhere !== -1 && elsewhere !== input.currentPlanIndex && !sameItem(input.currentItem, reply.current_step))
    return `the current step is "${input.currentItem}"; steps are worked in order`
  return null
}

/** R34. */
export const replan = defineContract({
  reply: z.object({
    status: z.enum(['replanned', 'done']),
    plan: z.array(z.string()),
    response: z.string().nullable(),
  }),
  rules({ status, plan: items, response }, _input: ReplanInput) {
    if (status === 'done') return isBlank(response) ? 'done needs a response' : null
    if (items.length === 0) return 'replanned needs a plan that is not empty'
    return items.some(isBlank) ? 'a plan item is blank' : null
  },
})
