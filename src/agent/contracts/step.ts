import { z } from 'zod'
import { unknownTemplate, withTemplates } from '../domain/plan-template.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Clarification } from '../domain/task.ts'
import { choicesProblem } from './calls.ts'
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
  /** Clarifications since the last plan or replan. */
  newClarifications: readonly Clarification[]
  /** The open items, in order. */
  remainingPlan: readonly string[]
}

/** R29: nothing else, above all no answer. A template's name stands for its steps (C124). */
export const plan = defineContract({
  reply: z.strictObject({ status: z.literal('planned'), plan: z.array(z.string()) }),
  rules({ plan: items }, { team }: TaskInput) {
    if (items.some(isBlank)) return 'a plan item is blank'
    const templates = team?.templates ?? []
    const unknown = unknownTemplate(items, templates)
    if (unknown === null) return null
    return `there is no template ${unknown}; the templates are ${templates.map(({ name }) => `@${name}`).join(', ') || 'none'}`
  },
  fill: (reply, { team }) => ({ ...reply, plan: withTemplates(reply.plan, team?.templates ?? []) }),
})

const Thought = z.object({
  status: z.enum(['continue', 'ask_user', 'done']),
  current_step: z.string(),
  next_action: z.object({ tool: z.string(), input: z.string() }).nullable(),
  question: z.string().nullable(),
  choices: z
    .array(z.string())
    .nullable()
    .describe('With a question: up to 5 short answers; else null.'),
  response: z.string().nullable(),
  /** `item_done`: a call that ends its item if it succeeds (C141). `replan`: what an item came to changes the plan (C142). */
  leads_to: z.enum(['item_done', 'replan']).nullable(),
  parts: z
    .array(z.string())
    .nullable()
    .describe(
      'With continue, where the item turns out to be several: its 2 to 6 sub-steps; else null.',
    ),
})
type Thought = z.infer<typeof Thought>

/** R30 to R33. */
export const thought = defineContract({
  reply: Thought,
  rules(reply, input: ThoughtInput) {
    const opening = partsProblem(reply, input)
    if (opening !== null) return opening
    if (reply.status === 'continue') return continueProblem(reply, input)
    const hasCall = reply.next_action !== null
    if (reply.status === 'done')
      return hasCall || !isBlank(reply.question)
        ? 'done must not carry next_action or question'
        : null
    if (isBlank(reply.current_step) || isBlank(reply.question))
      return 'ask_user needs current_step and question'
    const tooLong = choicesProblem(reply.choices ?? [])
    if (tooLong !== null) return tooLong
    return hasCall || !isBlank(reply.response)
      ? 'ask_user must not carry next_action or response'
      : null
  },
  /** A next action of blanks is none. */
  tidy: (value) =>
    isRecord(value) && saysNothing(value.next_action) ? { ...value, next_action: null } : value,
})

/**
 * C127: error in the parts of an item; `null`: none. An item is split once, and its parts have no
 * parts.
 */
function partsProblem({ status, parts, leads_to }: Thought, input: ThoughtInput): string | null {
  if (parts === null || parts.length === 0) return null
  if (status !== 'continue' || leads_to !== null)
    return 'only a continue that does not end its item may carry parts'
  if (partsOf(input) !== undefined)
    return 'this item has its parts already, and they have none of their own'
  return parts.length < 2 || parts.length > 6 || parts.some(isBlank)
    ? 'parts are 2 to 6 short texts'
    : null
}

const partsOf = ({ planItems, currentPlanIndex }: ThoughtInput) =>
  planItems[currentPlanIndex]?.parts

/** True if a thought says an outcome that its call does not end. Beside a call that ends its item models say it, and it counts for nothing (C531). */
const saysOutcomeEarly = ({ response, leads_to }: Thought): boolean =>
  !isBlank(response) && leads_to !== 'item_done'

function continueProblem(reply: Thought, input: ThoughtInput): string | null {
  if (input.mustStop) return 'after these failures only ask_user or done is accepted'
  if (input.planItems.length === 0) return 'the plan is empty: only ask_user or done is accepted'
  if (isBlank(reply.current_step)) return 'continue needs current_step'
  if (reply.next_action === null || isBlank(reply.next_action.input))
    return 'continue needs next_action.tool and next_action.input'
  if (!isBlank(reply.question) || saysOutcomeEarly(reply))
    return 'continue must not carry question or response'
  const tool = reply.next_action.tool
  if (!input.tools.some((card) => card.name === tool))
    return `there is no tool "${tool}"; the tools are ${input.tools.map((card) => card.name).join(', ')}`
  const own = [...(reply.parts ?? []), ...(partsOf(input) ?? []).map(({ text }) => text)]
  if (own.some((part) => sameItem(part, reply.current_step))) return null
  const elsewhere = input.planItems.findIndex((item) => sameItem(item.text, reply.current_step))
  if (
    elsewhere !== -1 &&
    elsewhere !== input.currentPlanIndex &&
    !sameItem(input.currentItem, reply.current_step)
  )
    return `the current step is "${input.currentItem}"; steps are worked in order`
  return null
}

/** R34. */
export const replan = defineContract({
  reply: z.object({
    status: z.enum(['replanned', 'done', 'given_up']),
    plan: z.array(z.string()),
    say: z.string().nullable().describe('A short answer to what a person asked now; else null.'),
    reopen: z
      .enum(['question', 'items'])
      .nullable()
      .describe('What was closed and is open again; else null.'),
    response: z.string().nullable(),
  }),
  rules({ status, plan: items, response }, { open }: ReplanInput) {
    if (open != null) return null
    if (status !== 'replanned') return isBlank(response) ? `${status} needs a response` : null
    if (items.length === 0) return 'replanned needs a plan that is not empty'
    return items.some(isBlank) ? 'a plan item is blank' : null
  },
  /** A model that says that something is open again need not say which. */
  tidy: (value) =>
    isRecord(value) && value.reopen === true ? { ...value, reopen: 'items' } : value,
  final: ({ status, response }) => (status === 'replanned' ? null : response),
})
