import { z } from 'zod'
import { unknownTemplate, withTemplates } from '../domain/plan-template.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Clarification } from '../domain/task.ts'
import { callsProblem, choicesProblem, type PlannedCall, tidyCall } from './calls.ts'
import { defineContract } from './contract.ts'
import { isBlank, isRecord, saysNothing } from './forgiving.ts'
import type { LoopInput, TaskInput } from './input.ts'

export interface ThoughtInput extends LoopInput {
  /**
   * C507: a reply may carry several calls and the next item's first move; false or absent: the
   * strict order.
   */
  combined?: boolean
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

const Call = z.object({ tool: z.string(), input: z.string() })
/** Number of calls that one reply may carry. */
const callsMost = 8

/** Error in the calls of a plan; null: none. */
function planCallsProblem(
  items: readonly string[],
  calls: readonly PlannedCall[],
  input: TaskInput & Pick<ThoughtInput, 'combined'>,
): string | null {
  if (calls.length === 0) return null
  if (!input.combined) return onlyOne
  if (items.length === 0) return 'an empty plan has no calls'
  return tooMany(calls) ?? callsProblem(calls, { tools: input.tools, unattended: true })
}

const onlyOne =
  'one move at a time: no calls beside a plan, one call a thought, none beside "done", and a replan ends the task'
const tooMany = (calls: readonly PlannedCall[]): string | null =>
  calls.length > callsMost ? `at most ${callsMost} calls at once` : null

/** R29: nothing else, above all no answer. A template's name stands for its steps (C124). */
export const plan = defineContract({
  reply: z.strictObject({
    status: z.literal('planned'),
    plan: z.array(z.string()),
    calls: z.array(Call).nullable().describe('First calls of the first item; else null.'),
    leads_to: z.enum(['item_done']).nullable(),
  }),
  rules({ plan: items, calls }, input: TaskInput & Pick<ThoughtInput, 'combined'>) {
    if (items.some(isBlank)) return 'a plan item is blank'
    const wrong = planCallsProblem(items, calls ?? [], input)
    if (wrong !== null) return wrong
    const templates = input.team?.templates ?? []
    const unknown = unknownTemplate(items, templates)
    if (unknown === null) return null
    return `there is no template ${unknown}; the templates are ${templates.map(({ name }) => `@${name}`).join(', ') || 'none'}`
  },
  tidy: (value) =>
    isRecord(value) && Array.isArray(value.calls)
      ? { ...value, calls: value.calls.map(tidyCall) }
      : value,
  fill: (reply, { team }) => ({ ...reply, plan: withTemplates(reply.plan, team?.templates ?? []) }),
})

const Thought = z.object({
  status: z.enum(['continue', 'ask_user', 'done']),
  current_step: z.string(),
  next_action: Call.nullable(),
  more_actions: z
    .array(Call)
    .nullable()
    .describe('Up to 7 further calls that need no result of each other; else null.'),
  question: z.string().nullable(),
  choices: z
    .array(z.string())
    .nullable()
    .describe('With a question: up to 5 short answers; else null.'),
  say: z.string().nullable().describe('A short answer to what a person asked now; else null.'),
  /**
   * `item_done`: calls that end their item if they succeed (C141). `replan`: the plan changes
   * (C142). `end`, `give_up`: the task is over (C511); before `response`, so that a report can be
   * shown while it is written.
   */
  leads_to: z.enum(['item_done', 'replan', 'end', 'give_up']).nullable(),
  response: z.string().nullable(),
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
    if (!input.combined && isSeveral(reply)) return onlyOne
    if (reply.status === 'continue') return continueProblem(reply, input)
    const hasCall = reply.next_action !== null
    if (reply.status === 'done') return doneProblem(reply, input)
    if (isBlank(reply.current_step) || isBlank(reply.question))
      return 'ask_user needs current_step and question'
    const tooLong = choicesProblem(reply.choices ?? [])
    if (tooLong !== null) return tooLong
    return hasCall || !isBlank(reply.response)
      ? 'ask_user must not carry next_action or response'
      : null
  },
  /** A next action of blanks is none. */
  tidy(value) {
    if (!isRecord(value)) return value
    const { next_action: next, more_actions: more, ...rest } = value
    const calls = [next, more].flat().filter((call) => !saysNothing(call))
    const [next_action = null, ...more_actions] = calls.map(tidyCall)
    return { ...rest, next_action, more_actions: more_actions.length === 0 ? null : more_actions }
  },
  final: ({ leads_to, response }) =>
    leads_to === 'end' || leads_to === 'give_up' ? response : null,
})

/** True if a reply does more than one thing, which the strict order has no place for. */
const isSeveral = ({ status, next_action, more_actions, leads_to }: Thought) =>
  more_actions !== null ||
  (status === 'done' && next_action !== null) ||
  (status === 'continue' && leads_to === 'replan') ||
  leads_to === 'end' ||
  leads_to === 'give_up'

function doneProblem(reply: Thought, input: ThoughtInput): string | null {
  if (!isBlank(reply.question)) return 'done must not carry a question'
  const isEnd = reply.leads_to === 'end' || reply.leads_to === 'give_up'
  if (isEnd && isBlank(reply.response)) return `"${reply.leads_to}" needs the report in response`
  const calls = callsIn(reply)
  if (calls.length === 0) return null
  if (isEnd || reply.leads_to === 'replan') return `"${reply.leads_to}" carries no call`
  if (input.planItems[input.currentPlanIndex + 1]?.done !== false)
    return 'there is no next item that a call could begin'
  return callsWrong(calls, input)
}

/** Calls that a thought decides, in the order in which they are made. */
export const callsIn = ({ next_action, more_actions }: Thought): PlannedCall[] =>
  next_action === null ? [] : [next_action, ...(more_actions ?? [])]

const callsWrong = (calls: readonly PlannedCall[], { tools }: ThoughtInput) =>
  tooMany(calls) ?? callsProblem(calls, { tools, unattended: true })

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

/**
 * True if a thought says an outcome that its call does not end. Beside a call that ends its item
 * models say it, and it counts for nothing (C531).
 */
const saysOutcomeEarly = ({ response, leads_to }: Thought) =>
  !isBlank(response) && leads_to !== 'item_done'

function continueProblem(reply: Thought, input: ThoughtInput): string | null {
  if (input.mustStop) return 'after these failures only ask_user or done is accepted'
  if (input.planItems.length === 0) return 'the plan is empty: only ask_user or done is accepted'
  if (isBlank(reply.current_step)) return 'continue needs current_step'
  if (reply.leads_to === 'end' || reply.leads_to === 'give_up')
    return `"${reply.leads_to}" belongs to done`
  if (reply.leads_to === 'replan')
    return reply.next_action && 'a continue that leads to a replan carries no call'
  if (reply.next_action === null || isBlank(reply.next_action.input))
    return 'continue needs next_action.tool and next_action.input'
  if (!isBlank(reply.question) || saysOutcomeEarly(reply))
    return 'continue must not carry question or response'
  const wrong = callsWrong(callsIn(reply), input)
  if (wrong !== null) return wrong
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
