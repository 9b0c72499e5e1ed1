import { assertNever } from '../domain/assert.ts'
import type { Limits } from '../domain/budget.ts'
import type { PlanEdit } from '../domain/plan-edit.ts'
import type { StepTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import {
  accepted,
  away,
  beginning,
  halted,
  loopView,
  ownQuestion,
  rejected,
  spentOn,
  unusable,
} from './bookkeeping.ts'
import { callAction, resultsIn } from './calls.ts'
import { actingOf, callsAndEnd, itemsOf, replannedOf } from './narration.ts'
import { iterationAfter, withLeft } from './plan.ts'
import { applyReplan } from './step-replan.ts'
import { afterCalls, applyThought, concludeItem, isCombined, withCalls } from './step-thought.ts'
import type { Action, Replied, StepContract, Strategy, TaskEvent } from './strategy.ts'
import { applyReply, type Replies, usual } from './usual-events.ts'

/** Plans are tried three times; the tries do not count as steps (C8, R24). */
const planAttempts = 3
/** Refusals after the threshold until Clew itself asks or closes the item (C5). */
const refusedStops = 2
type Event = TaskEvent<StepContract>

/**
 * Plan once, then thought – act – observe for each item, and a replan after every item and every
 * clarification (R4).
 */
export const step: Strategy<StepTask, StepContract> = {
  start,
  next,
  apply,
  view,
  narrate,
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
    queue: [],
    planInitialized: false,
    needsReplan: false,
    lastThought: null,
    clarificationsPlanned: 0,
  }
}

/**
 * The head of the loop. A decided tool call still runs when its thought was the last allowed step
 * (R20, C7).
 */
function next(task: StepTask): Action<StepContract> {
  const halt = halted(task)
  if (halt !== null) return halt
  if (task.intent !== null) return callAction({ ...task, intent: task.intent })
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
      // As the model put it, without the words that the thread shows around it: so a repetition is
      // recognised (F2).
      const question = task.lastQuestion?.text ?? event.question
      const told = usual(task, { ...event, question })
      // C508: the next thought takes it in, if there is an item to work on.
      const isTakenIn = isCombined(task) && task.planItems[task.currentPlanIndex] !== undefined
      return { ...told, needsReplan: task.needsReplan || !isTakenIn }
    }
    case 'joined':
      // Whatever a person says makes the plan be looked at again (R6, C50).
      return { ...usual(task, event), needsReplan: true }
    case 'observed':
      return afterCalls(task, usual(task, event), resultsIn(event))
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

/**
 * Every attempt at a thought or replan is one step, accepted or not; a plan is none (R21, R22,
 * R24).
 */
const stepsOf = ({ contract }: { contract: StepContract }) => (contract === 'plan' ? 0 : 1)

const replies: Replies<StepTask, StepContract> = {
  plan: (task, { plan, calls, leads_to }) =>
    withCalls(
      {
        ...task,
        planInitialized: true,
        planItems: plan.map((text) => ({ text: text.trim(), done: false })),
      },
      calls ?? [],
      leads_to,
    ),
  thought: applyThought,
  replan: applyReplan,
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
const isAllDone = ({ planItems, clarifications, clarificationsPlanned }: StepTask) =>
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
    combined: isCombined(task),
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
      return [{ kind: 'planned', items: itemsOf(after) }, ...actingOf(before, after)]
    case 'replan':
      return after.settled?.kind === 'finished'
        ? [{ kind: 'task_done' }]
        : [replannedOf(before, after)]
    case 'thought': {
      const asks = after.awaitingClarification || event.reply.status === 'ask_user'
      const isOver = after.conclusions.length > before.conclusions.length
      const goesOn = isOver || after.intent === null ? 'step_done' : 'act'
      const decision = asks ? 'ask' : goesOn
      return [{ kind: 'thought', decision, index, step: iterations }, ...callsAndEnd(before, after)]
    }
    default:
      return assertNever(event)
  }
}

/**
 * The plan reflects what the person said, so that calls for no other replan (C2), unless nothing is
 * left (R14).
 */
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
    queue: [],
    lastThought: null,
    clarificationsPlanned,
  }
}
