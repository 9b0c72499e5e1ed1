import type { ContractReplies } from '../contracts.ts'
import { assertNever } from '../domain/assert.ts'
import type { Limits } from '../domain/budget.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import { sameItem } from '../domain/same-item.ts'
import type { Conclusion, PendingCall, StepTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import {
  accepted,
  answeredBefore,
  away,
  beginning,
  choicesOf,
  cut,
  ended,
  halted,
  loopView,
  noFailures,
  ownQuestion,
  question,
  questionsMost,
  rejected,
  say,
  spentOn,
  unusable,
} from './bookkeeping.ts'
import { effectOf, named } from './calls.ts'
import { actingOf, itemsOf, replannedOf } from './narration.ts'
import { closed, workedOn } from './parts.ts'
import { alignPlan, iterationAfter, planChange, withLeft } from './plan.ts'
import type { Action, Replied, StepContract, Strategy, TaskEvent } from './strategy.ts'
import { applyReply, type Replies, usual } from './usual-events.ts'

/** Plans are tried three times; the tries do not count as steps (C8, R24). */
const planAttempts = 3
/** Refusals after the threshold until Clew itself asks or closes the item (C5). */
const refusedStops = 2
/** A question that is repeated this often is handed to the replan (F2). */
const repeatsMost = 2
/** Length of a step's name in a thought, in characters; it is no place to think aloud (R42). */
const stepNameMost = 200

/** F2: for the replan, which writes the report in the person's language. */
const enoughAsked =
  'Nothing more is asked about this. Go on with what is known; say sorry for the questions in the report, and that commands such as /todo and /help work at any time.'

type Event = TaskEvent<StepContract>

/** Plan once, then thought – act – observe for each item, and a replan after every item and every clarification (R4). */
export const step: Strategy<StepTask, StepContract> = {
  ...{ start, next, apply, view, narrate },
  plan: { edited, isUntouched, firstIteration: iterationAfter, resumed },
  speaks: {
    contract: 'replan',
    words: ({ reply }) => ('say' in reply ? (reply.say ?? reply.response) : null),
  },
}

function start(goal: string, limits: Limits, unattended: boolean): StepTask {
  return {
    ...beginning(goal, limits, unattended),
    strategy: 'step',
    planInitialized: false,
    needsReplan: false,
    lastThought: null,
    clarificationsPlanned: 0,
  }
}

/** The head of the loop. A decided tool call still runs when its thought was the last allowed step (R20, C7). */
function next(task: StepTask): Action<StepContract> {
  const halt = halted(task)
  if (halt !== null) return halt
  if (task.intent !== null) return { kind: 'call_tool', ...named(task.intent) }
  if (task.spent.steps >= task.limits.maxSteps) return { kind: 'pause', reason: 'steps' }
  if (!task.planInitialized) return { kind: 'call_model', contract: 'plan' }
  return { kind: 'call_model', contract: task.needsReplan ? 'replan' : 'thought' }
}

/** R17: after these failures a thought may only ask or close its item. */
export function mustStop(task: StepTask): boolean {
  return (
    task.failures.tool >= task.limits.maxToolFailures ||
    task.failures.contract >= task.limits.maxContractFailures
  )
}

function apply(task: StepTask, event: Event): StepTask {
  switch (event.kind) {
    case 'replied':
      return applyReply(replies, heardFrom(accepted(task, event, stepsOf(event))), event)
    case 'refused':
      return applyRefusal(rejected(task, event, stepsOf(event)), event.contract, mustStop(task))
    case 'unavailable':
      return away(spentOn(task, event, stepsOf(event)), event)
    case 'answered': {
      // As the model put it, without the words that the thread shows around it: so a repetition is recognised (F2).
      const question = task.lastQuestion?.text ?? event.question
      return { ...usual(task, { ...event, question }), needsReplan: true }
    }
    case 'joined':
      // Whatever a person says makes the plan be looked at again (R6, C50).
      return { ...usual(task, event), needsReplan: true }
    case 'observed': {
      const told = usual(task, event)
      // C141: the thought said that this would end its item; it did if it worked.
      return event.ok && task.intent?.endsItem ? concludeItem(told, null, true) : told
    }
    case 'interrupted':
    case 'continued':
      return usual(task, event)
    default:
      return assertNever(event)
  }
}

const heardFrom = (task: StepTask): StepTask => ({
  ...task,
  failures: { ...task.failures, refusedStops: 0 },
})

/** Every attempt at a thought or replan is one step, accepted or not; a plan is none (R21, R22, R24). */
const stepsOf = ({ contract }: { contract: StepContract }) => (contract === 'plan' ? 0 : 1)

const replies: Replies<StepTask, StepContract> = {
  plan: (task, { plan }) => ({
    ...task,
    planInitialized: true,
    planItems: plan.map((text) => ({ text: text.trim(), done: false })),
  }),
  thought: applyThought,
  replan: applyReplan,
}

type ThoughtReply = ContractReplies['thought']

function applyThought(task: StepTask, reply: ThoughtReply): StepTask {
  const lastThought = { status: reply.status, currentStep: cut(reply.current_step, stepNameMost) }
  const planItems = reply.status === 'continue' ? withParts(task, reply) : task.planItems
  const thought: StepTask = { ...task, planItems, lastThought }
  switch (reply.status) {
    case 'continue':
      return reply.next_action === null
        ? thought
        : { ...thought, intent: intended(task, reply, reply.next_action) }
    case 'ask_user':
      return applyQuestion(thought, reply.question ?? '', reply.choices ?? [])
    case 'done':
      return concludeItem(thought, reply.response, true, reply.leads_to === 'replan')
    default:
      return assertNever(reply.status)
  }
}

function intended(
  task: StepTask,
  { leads_to }: ThoughtReply,
  call: { tool: string; input: string },
): PendingCall {
  const isLast = task.limits.callsEndItems === true && leads_to === 'item_done'
  return {
    step: task.spent.iterations,
    ...call,
    ...effectOf(task, call),
    ...(isLast ? { endsItem: true } : {}),
  }
}

/** C127: updates the parts of the item by the thought. */
function withParts(
  { planItems, currentPlanIndex: at }: StepTask,
  { parts, current_step: step }: ThoughtReply,
) {
  const item = planItems[at]
  const next = item && workedOn(item, { parts: parts ?? [], step })
  return next === undefined || next === item ? planItems : planItems.with(at, next)
}

/**
 * F2: asks a question, unless people answered it already. Too many questions are left to the
 * replan.
 */
function applyQuestion(task: StepTask, text: string, choices: string[]): StepTask {
  const earlier = answeredBefore(task, text)
  if (earlier === undefined && task.questionsAsked < questionsMost)
    return question(task, { text: text.trim(), choices: choicesOf(choices), reason: 'asked' })
  const repeated = task.failures.repeatedQuestion + 1
  const isEnough = earlier === undefined || repeated >= repeatsMost
  const why = earlier === undefined ? 'too many questions.' : `already answered: ${earlier.text}`
  const refused: StepTask = {
    ...task,
    failures: { ...task.failures, repeatedQuestion: repeated },
    observations: [
      ...task.observations,
      {
        step: task.spent.iterations,
        tool: 'ask_user',
        input: text,
        ok: false,
        result: isEnough ? `${why}\n${enoughAsked}` : why,
      },
    ],
  }
  return isEnough ? concludeItem(refused, null, false) : refused
}

/**
 * R13: closes the current item, moves the cursor on and leaves the rest to the replan. An item that failed is not done: the
 * replan may keep it, and what is left of it at the end is said.
 *
 * @param changes whether the model said that the plan has to change.
 */
function concludeItem(task: StepTask, text: string | null, ok: boolean, changes = false): StepTask {
  const index = task.currentPlanIndex
  const item = task.planItems[index]
  const conclusion: Conclusion = {
    step: task.spent.iterations,
    item: item?.text ?? task.goal,
    text,
    ok,
  }
  return {
    ...task,
    planItems: item === undefined ? task.planItems : task.planItems.with(index, closed(item, ok)),
    currentPlanIndex: Math.min(index + 1, task.planItems.length),
    needsReplan: !ok || changes || hasChanged(task),
    unplanned: (task.unplanned ?? 0) + 1,
    failures: noFailures,
    conclusions: [...task.conclusions, conclusion],
  }
}

/**
 * C142: true if an item that ended well still needs a replan: a call in it failed, a person wrote,
 * it was the last one (R14), or `replanSkips` were skipped.
 */
function hasChanged(task: StepTask): boolean {
  const since = task.conclusions.at(-1)?.step ?? -1
  return (
    (task.unplanned ?? 0) >= (task.limits.replanSkips ?? 0) ||
    task.planItems[task.currentPlanIndex + 1]?.done !== false ||
    task.clarifications.length > task.clarificationsPlanned ||
    task.observations.some(({ step, ok }) => step > since && !ok)
  )
}

/** R15: the new list, its cursor and the flag change together. */
function applyReplan(before: StepTask, reply: ContractReplies['replan']): StepTask {
  const task = say(before, reply.say)
  const looked: StepTask = {
    ...task,
    needsReplan: false,
    unplanned: 0,
    clarificationsPlanned: task.clarifications.length,
  }
  if (reply.status !== 'replanned')
    return { ...looked, settled: ended(reply.response, reply.status === 'given_up') }
  const { planItems: old, conclusions } =
    reply.reopen === 'items' ? withOpen(task, reply.plan) : task
  const { items, index } = alignPlan(old, reply.plan, conclusions)
  const because = task.clarifications.slice(task.clarificationsPlanned).at(-1) ?? null
  const change = planChange(task.planItems, items, because)
  // C197: what was changed before stays said until something changes again.
  const isNew =
    change !== null && (change.added.length + change.dropped.length > 0 || task.lastChange === null)
  const replanned: StepTask = {
    ...looked,
    planItems: items,
    currentPlanIndex: index,
    lastChange: isNew ? change : task.lastChange,
  }
  return reply.reopen === 'question' ? askedAgain(replanned) : replanned
}

/** C504: the items that a plan names are open, though they were done before. */
function withOpen({ planItems, conclusions }: StepTask, plan: readonly string[]) {
  const isNamed = (text: string) => plan.some((item) => sameItem(item, text))
  return {
    planItems: planItems.map((item) => (isNamed(item.text) ? { ...item, done: false } : item)),
    conclusions: conclusions.filter(({ item }) => !isNamed(item)),
  }
}

/** C504: the words that were taken for an answer were none: the question is put once more. */
function askedAgain(task: StepTask): StepTask {
  const last = task.clarifications.findLast(({ question }) => question !== null)
  if (last === undefined || last.question === null || task.questionsAsked >= questionsMost)
    return task
  const { question: text, choices = [] } = last
  return question(task, { text, choices: choicesOf(choices), reason: 'asked' })
}

/** @param stopped whether only asking or closing its item was left to it. */
function applyRefusal(task: StepTask, contract: StepContract, stopped: boolean): StepTask {
  const failures = {
    ...task.failures,
    refusedStops: task.failures.refusedStops + (stopped ? 1 : 0),
  }
  const refused: StepTask = { ...task, failures }
  if (contract === 'plan')
    return failures.contract < planAttempts
      ? refused
      : { ...refused, settled: { kind: 'gave_up', reason: 'no_plan' } }
  if (failures.refusedStops < refusedStops) return refused
  if (contract === 'replan') return isAllDone(refused) ? digested(refused) : unusable(refused)
  return task.unattended ? concludeItem(refused, null, false) : ownQuestion(refused, 'stuck')
}

/** Nothing is left but the words of the report. */
const isAllDone = ({ planItems, clarifications, clarificationsPlanned }: StepTask): boolean =>
  planItems.length > 0 &&
  planItems.every(({ done }) => done) &&
  clarifications.length === clarificationsPlanned

/** C338: a report that the model cannot word is the digest of what was done (R62). */
const digested = (task: StepTask): StepTask => ({
  ...task,
  settled: { kind: 'finished', ok: true, text: '' },
})

function view(task: StepTask) {
  return {
    ...loopView(task),
    currentItem: task.planItems[task.currentPlanIndex]?.text ?? task.goal,
    mustStop: mustStop(task),
    newClarifications: task.clarifications.slice(task.clarificationsPlanned),
    remainingPlan: task.planItems.filter((item) => !item.done).map((item) => item.text),
  }
}

/** The story of a reply (C57). */
function narrate(before: StepTask, event: Replied<StepContract>, after: StepTask): TraceEvent[] {
  const { iterations } = after.spent
  const index = before.currentPlanIndex
  switch (event.contract) {
    case 'plan':
      return [{ kind: 'planned', items: itemsOf(after) }]
    case 'replan':
      return after.settled?.kind === 'finished'
        ? [{ kind: 'task_done' }]
        : [replannedOf(before, after)]
    case 'thought': {
      const asks = after.awaitingClarification || event.reply.status === 'ask_user'
      const decision = after.intent !== null ? 'act' : asks ? 'ask' : 'step_done'
      return [{ kind: 'thought', decision, index, step: iterations }, ...actingOf(before, after)]
    }
    default:
      return assertNever(event)
  }
}

/** The plan reflects what the person said, so that calls for no other replan (C2), unless nothing is left (R14). */
function edited(task: StepTask, begun: number, { steps }: PlanEdit): StepTask {
  const planned = task.clarificationsPlanned
  const clarificationsPlanned = planned === task.clarifications.length ? planned + 1 : planned
  const planItems = withLeft(task.planItems, begun, steps)
  const isAtEnd = planItems[task.currentPlanIndex] === undefined
  return { ...task, planItems, clarificationsPlanned, needsReplan: task.needsReplan || isAtEnd }
}

function isUntouched({
  intent,
  awaitingClarification,
  observations,
  conclusions,
}: StepTask): boolean {
  const began = observations.some(({ step }) => step > (conclusions.at(-1)?.step ?? -1))
  return intent === null && !awaitingClarification && !began
}

function resumed({ unplanned: _, ...task }: StepTask): StepTask {
  const clarificationsPlanned = task.clarifications.length
  return {
    ...task,
    planInitialized: true,
    needsReplan: false,
    lastThought: null,
    clarificationsPlanned,
  }
}
