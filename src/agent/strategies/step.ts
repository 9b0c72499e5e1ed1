import { assertNever } from '../domain/assert.ts'
import { ceilingReached, type Limits, nothingSpent, type Spent } from '../domain/budget.ts'
import { normalised } from '../domain/same-item.ts'
import type { Conclusion, StepTask } from '../domain/task.ts'
import { alignPlan, planChange } from './plan.ts'
import { loopView } from './shared.ts'
import { narrateStep } from './step-trace.ts'
import type { Action, StepContract, Strategy, TaskEvent } from './strategy.ts'

/** Plans are tried three times; the tries do not count as steps (C8, R24). */
const planAttempts = 3
/** Refusals after the threshold until Clew itself asks or closes the item (C5). */
const refusedStops = 2
/** A question beyond this many is handed to the replan, and so is this repetition of one (F2). */
const questionsMost = 6
const repeatsMost = 2
/** Longer results are cut (F1). */
const observationMost = 10_000
/** Of what a thought calls its step; it is a name, not a place to think aloud (R42). */
const stepNameMost = 200
const choicesMost = 5

/** F2: for the replan, which writes the report in the person's language. */
const enoughAsked =
  'Nothing more is asked about this. Go on with what is known; say sorry for the questions in the report, and that commands such as /todo and /help work at any time.'

type Event = TaskEvent<StepContract>

const noFailures: StepTask['failures'] = { tool: 0, contract: 0, unavailable: 0, repeatedQuestion: 0, refusedStops: 0 }

/** Plan once, then thought – act – observe for each item, and a replan after every item and every clarification (R4). */
export const step: Strategy<StepTask, StepContract> = { start, next, apply, view, narrate: narrateStep }

function start(goal: string, limits: Limits, unattended: boolean): StepTask {
  return {
    version: 1,
    strategy: 'step',
    goal,
    unattended,
    limits,
    spent: nothingSpent,
    allowanceFrom: nothingSpent,
    planInitialized: false,
    planItems: [],
    currentPlanIndex: 0,
    awaitingClarification: false,
    needsReplan: false,
    lastThought: null,
    intent: null,
    lastQuestion: null,
    questionsAsked: 0,
    failures: noFailures,
    refusal: null,
    lastChange: null,
    clarificationsPlanned: 0,
    settled: null,
    observations: [],
    clarifications: [],
    conclusions: [],
  }
}

/** The head of the loop. A decided tool call still runs when its thought was the last allowed step (R20, C7). */
function next(task: StepTask): Action<StepContract> {
  if (task.settled !== null) return settledAction(task.settled)
  if (task.awaitingClarification) return { kind: 'wait' }
  const ceiling = ceilingReached(task.limits, task.spent, task.allowanceFrom)
  if (ceiling !== null) return { kind: 'pause', reason: ceiling }
  if (task.intent !== null) return { kind: 'call_tool', ...task.intent }
  if (task.spent.steps >= task.limits.maxSteps) return { kind: 'pause', reason: 'steps' }
  if (!task.planInitialized) return { kind: 'call_model', contract: 'plan' }
  return { kind: 'call_model', contract: task.needsReplan ? 'replan' : 'thought' }
}

function settledAction(settled: NonNullable<StepTask['settled']>): Action<StepContract> {
  switch (settled.kind) {
    case 'finished':
      return { kind: 'finish', ok: settled.ok, text: settled.text }
    case 'gave_up':
      return { kind: 'give_up', reason: settled.reason }
    case 'paused':
      return { kind: 'pause', reason: settled.reason }
    default:
      return assertNever(settled)
  }
}

/** R17: after these failures a thought may only ask or close its item. */
export function mustStop(task: StepTask): boolean {
  return task.failures.tool >= task.limits.maxToolFailures || task.failures.contract >= task.limits.maxContractFailures
}

function apply(task: StepTask, event: Event): StepTask {
  switch (event.kind) {
    case 'replied':
      return applyReply({ ...counted(task, event), refusal: null }, event)
    case 'refused':
      return applyRefusal(counted(task, event), event.contract, event.problem)
    case 'unavailable':
      return applyUnavailable(counted(task, event))
    case 'not_configured':
      return { ...task, settled: { kind: 'gave_up', reason: 'not_configured' } }
    case 'worn_out':
      return { ...task, settled: { kind: 'gave_up', reason: 'attempts' } }
    case 'observed':
      return applyObservation(task, event)
    case 'interrupted':
      return ask(applyObservation(task, { ok: false, result: 'outcome unknown', ms: 0 }), {
        text: null,
        choices: [],
        reason: 'outcome_unknown',
      })
    case 'answered': {
      // As the model put it, without the words that the thread shows around it: so a repetition is recognised (F2).
      const question = task.lastQuestion?.text ?? event.question
      return { ...heard(task, question, event), awaitingClarification: false, failures: noFailures }
    }
    case 'joined':
      // What is said just before the last word is spoken still counts: the plan is looked at once more (C50).
      return { ...heard(task, null, event), settled: task.settled?.kind === 'finished' ? null : task.settled }
    case 'expired':
      return { ...task, awaitingClarification: false, settled: { kind: 'paused', reason: 'unanswered' } }
    case 'continued':
      return {
        ...task,
        settled: null,
        failures: noFailures,
        spent: { ...task.spent, steps: 0, pauses: task.spent.pauses + 1 },
        allowanceFrom: task.spent,
      }
    default:
      return assertNever(event)
  }
}

/** Every attempt at a thought or replan is one step, accepted or not; a plan is none (R21, R22, R24). */
function counted(task: StepTask, event: Event & { kind: 'replied' | 'refused' | 'unavailable' }): StepTask {
  const steps = event.contract === 'plan' ? 0 : 1
  const spent: Spent = {
    ...task.spent,
    steps: task.spent.steps + steps,
    iterations: task.spent.iterations + steps,
    modelCalls: task.spent.modelCalls + 1,
    promptTokens: task.spent.promptTokens + event.usage.promptTokens,
    completionTokens: task.spent.completionTokens + event.usage.completionTokens,
    activeMs: task.spent.activeMs + event.ms + (event.kind === 'unavailable' ? event.waitMs : 0),
  }
  return { ...task, spent }
}

function applyReply(task: StepTask, event: Event & { kind: 'replied' }): StepTask {
  const heardFrom: StepTask = { ...task, failures: { ...task.failures, contract: 0, unavailable: 0, refusedStops: 0 } }
  switch (event.contract) {
    case 'plan':
      return {
        ...heardFrom,
        planInitialized: true,
        planItems: event.reply.plan.map((text) => ({ text: text.trim(), done: false })),
      }
    case 'thought':
      return applyThought(heardFrom, event.reply)
    case 'replan':
      return applyReplan(heardFrom, event.reply)
    default:
      return assertNever(event)
  }
}

type ThoughtReply = Extract<TaskEvent, { kind: 'replied'; contract: 'thought' }>['reply']
type ReplanReply = Extract<TaskEvent, { kind: 'replied'; contract: 'replan' }>['reply']

function applyThought(task: StepTask, reply: ThoughtReply): StepTask {
  const lastThought = { status: reply.status, currentStep: cut(reply.current_step, stepNameMost) }
  const thought: StepTask = { ...task, lastThought }
  switch (reply.status) {
    case 'continue':
      return reply.next_action === null
        ? thought
        : { ...thought, intent: { step: task.spent.iterations, ...reply.next_action } }
    case 'ask_user':
      return applyQuestion(thought, reply.question ?? '', reply.choices ?? [])
    case 'done':
      return concludeItem(thought, reply.response, true)
    default:
      return assertNever(reply.status)
  }
}

/** F2: what was answered is not asked again; too many questions are the replan's matter. */
function applyQuestion(task: StepTask, text: string, choices: string[]): StepTask {
  const earlier = task.clarifications.find((one) => one.question !== null && sameQuestion(one.question, text))
  if (earlier === undefined && task.questionsAsked < questionsMost)
    return ask(task, { text: text.trim(), choices: choicesOf(choices), reason: 'asked' })
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

/** What a person can press: a few different words. */
function choicesOf(choices: readonly string[]): string[] {
  const said = choices.map((choice) => choice.trim()).filter((choice) => choice !== '')
  return [...new Set(said)].slice(0, choicesMost)
}

function sameQuestion(a: string, b: string): boolean {
  const [one, other] = [normalised(a), normalised(b)]
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one))
}

function ask(task: StepTask, question: NonNullable<StepTask['lastQuestion']>): StepTask {
  return { ...task, awaitingClarification: true, lastQuestion: question, questionsAsked: task.questionsAsked + 1 }
}

/**
 * R13: closes the current item, moves the cursor on and leaves the rest to the replan. An item that failed is not done: the
 * replan may keep it, and what is left of it at the end is said.
 */
function concludeItem(task: StepTask, text: string | null, ok: boolean): StepTask {
  const index = task.currentPlanIndex
  const item = task.planItems[index]
  const conclusion: Conclusion = { step: task.spent.iterations, item: item?.text ?? task.goal, text, ok }
  return {
    ...task,
    planItems: item === undefined ? task.planItems : task.planItems.with(index, { ...item, done: ok }),
    currentPlanIndex: Math.min(index + 1, task.planItems.length),
    needsReplan: true,
    failures: noFailures,
    conclusions: [...task.conclusions, conclusion],
  }
}

/** R15: the new list, its cursor and the flag change together. */
function applyReplan(task: StepTask, reply: ReplanReply): StepTask {
  const replanned: StepTask = { ...task, needsReplan: false, clarificationsPlanned: task.clarifications.length }
  if (reply.status === 'done')
    return { ...replanned, settled: { kind: 'finished', ok: true, text: reply.response ?? '' } }
  const { items, index } = alignPlan(task.planItems, reply.plan, task.conclusions)
  const because = task.clarifications.slice(task.clarificationsPlanned).at(-1) ?? null
  return {
    ...replanned,
    planItems: items,
    currentPlanIndex: index,
    lastChange: planChange(task.planItems, items, because) ?? task.lastChange,
  }
}

function applyRefusal(task: StepTask, contract: StepContract, problem: string): StepTask {
  const stopped = mustStop(task)
  const failures = {
    ...task.failures,
    contract: task.failures.contract + 1,
    refusedStops: task.failures.refusedStops + (stopped ? 1 : 0),
  }
  const refused: StepTask = { ...task, failures, refusal: problem }
  if (contract === 'plan')
    return failures.contract < planAttempts ? refused : { ...refused, settled: { kind: 'gave_up', reason: 'no_plan' } }
  if (failures.refusedStops < refusedStops) return refused
  if (contract === 'replan') return { ...refused, settled: { kind: 'paused', reason: 'model_unusable' } }
  return task.unattended
    ? concludeItem(refused, null, false)
    : ask(refused, { text: null, choices: [], reason: 'stuck' })
}

/** Waiting for the model counts as time, so that one that stays away cannot hold a task beyond its ceiling. */
function applyUnavailable(task: StepTask): StepTask {
  const unavailable = task.failures.unavailable + 1
  const failed: StepTask = { ...task, failures: { ...task.failures, unavailable } }
  const isTimeUp = ceilingReached(task.limits, task.spent, task.allowanceFrom) === 'time'
  return unavailable < task.limits.maxUnavailable && !isTimeUp
    ? failed
    : { ...failed, settled: { kind: 'paused', reason: 'model_unavailable' } }
}

/** R8, R23: a failure is an observation too; only the count of failures in a row remembers it. */
function applyObservation(task: StepTask, event: { ok: boolean; result: string; ms: number }): StepTask {
  if (task.intent === null) return task
  const { spent, failures, intent } = task
  const result = cut(event.result, observationMost)
  return {
    ...task,
    intent: null,
    spent: {
      ...spent,
      steps: spent.steps + 1,
      iterations: spent.iterations + 1,
      toolCalls: spent.toolCalls + 1,
      successfulSteps: spent.successfulSteps + (event.ok ? 1 : 0),
      failedSteps: spent.failedSteps + (event.ok ? 0 : 1),
      activeMs: spent.activeMs + event.ms,
    },
    failures: { ...failures, tool: event.ok ? 0 : failures.tool + 1 },
    observations: [...task.observations, { ...intent, ok: event.ok, result }],
  }
}

/** The first `most` characters; never half of a surrogate pair. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** R6, C50: whatever a person says makes the plan be looked at again. */
function heard(
  task: StepTask,
  question: string | null,
  said: { text: string; author: StepTask['clarifications'][number]['author'] },
): StepTask {
  return {
    ...task,
    needsReplan: true,
    clarifications: [
      ...task.clarifications,
      { step: task.spent.iterations, question, text: said.text, author: said.author },
    ],
  }
}

function view(task: StepTask) {
  return {
    ...loopView(task),
    currentItem: task.planItems[task.currentPlanIndex]?.text ?? task.goal,
    mustStop: mustStop(task),
    newClarifications: task.clarifications.slice(task.clarificationsPlanned),
    remainingPlan: task.planItems.filter((item) => !item.done).map((item) => item.text),
  }
}
