import type { LoopInput } from '../contracts/input.ts'
import {
  addSpent,
  ceilingReached,
  type Limits,
  nothingSpent,
  type Spent,
  type Usage,
} from '../domain/budget.ts'
import { type FailureKind, passesByItself } from '../domain/model-failure.ts'
import { normalised } from '../domain/same-item.ts'
import type { Task } from '../domain/task.ts'
import type { Action } from './strategy.ts'

/** A request that is refused this often in a row is given up for now (R48, C19). */
export const refusalsMost = 3
/** A question beyond this many is refused (F2). */
export const questionsMost = 6
/** As many as every platform can show. */
const choicesMost = 99

export const noFailures: Task['failures'] = {
  tool: 0,
  contract: 0,
  unavailable: 0,
  repeatedQuestion: 0,
  refusedStops: 0,
}

/** Parts of a task that waits for the answer to a question of Clew's own, asked for this reason. */
export const waitingFor = (reason: NonNullable<Task['lastQuestion']>['reason']) => ({
  awaitingClarification: true,
  lastQuestion: { text: null, choices: [], reason },
})

/** The parts that every task begins with. */
export function beginning(goal: string, limits: Limits, unattended: boolean) {
  return {
    version: 1 as const,
    goal,
    unattended,
    limits,
    spent: nothingSpent,
    allowanceFrom: nothingSpent,
    planItems: [],
    currentPlanIndex: 0,
    awaitingClarification: false,
    intent: null,
    lastQuestion: null,
    questionsAsked: 0,
    failures: noFailures,
    refusal: null,
    lastChange: null,
    settled: null,
    observations: [],
    clarifications: [],
    conclusions: [],
  }
}

/**
 * Returns the move that comes before any strategy's own: an end, an open question or a hard ceiling
 * (C36). Null: none.
 */
export function halted(
  task: Task,
): Extract<Action, { kind: 'wait' | 'pause' | 'finish' | 'give_up' }> | null {
  const { settled } = task
  if (settled === null) {
    if (task.awaitingClarification) return { kind: 'wait' }
    const ceiling = ceilingReached(task.limits, task.spent, task.allowanceFrom)
    return ceiling === null ? null : { kind: 'pause', reason: ceiling }
  }
  if (settled.kind === 'finished') {
    const { ok, text, givenUp } = settled
    return { kind: 'finish', ok, text, givenUp }
  }
  if (settled.kind === 'gave_up') return { kind: 'give_up', reason: settled.reason }
  return { kind: 'pause', reason: settled.reason }
}

/**
 * A model call and what it took, without waits; every attempt is one (C8), and most count as a
 * step.
 */
export function spentOn<T extends Task>(
  task: T,
  event: { usage: Usage; ms: number },
  steps: 0 | 1 = 1,
): T {
  const { usage, ms } = event
  const { promptTokens, completionTokens, cachedTokens = 0, cost = 0, requests = 1 } = usage
  const counted = { steps: steps * requests, iterations: steps * requests, modelCalls: requests }
  return spend(task, {
    ...counted,
    promptTokens,
    completionTokens,
    cachedTokens,
    cost,
    activeMs: ms,
  })
}

export const spend = <T extends Task>(task: T, more: Partial<Spent>): T => ({
  ...task,
  spent: addSpent(task.spent, more),
})

/**
 * A reply that kept its contract, before anything else is made of it: it is counted and ends what
 * went wrong before.
 */
export function accepted<T extends Task>(
  task: T,
  event: Parameters<typeof spentOn>[1],
  steps: 0 | 1 = 1,
): T {
  const failures = { ...task.failures, contract: 0, unavailable: 0 }
  return { ...spentOn(task, event, steps), refusal: null, failures }
}

/** A reply that broke its contract, likewise: the model hears why with its next request. */
export function rejected<T extends Task>(task: T, event: Rejection, steps: 0 | 1 = 1): T {
  const failures = { ...task.failures, contract: task.failures.contract + 1 }
  return { ...spentOn(task, event, steps), refusal: event.problem, failures }
}
type Rejection = Parameters<typeof spentOn>[1] & { problem: string }

/** A reply that nobody gives any more: the task pauses, and a person's "continue" asks again. */
export const unusable = <T extends Task>(task: T): T => ({
  ...task,
  settled: { kind: 'paused', reason: 'model_unusable' },
})

/** People are told of a longer wait at once. */
const quietMs = 60_000

/**
 * The model stays away: tried again, then the task pauses and says so; at once where waiting cannot
 * help or takes long.
 */
export function away<T extends Task>(
  task: T,
  event: { failure?: FailureKind; waitMs: number; at?: number },
): T {
  const { failure: kind = 'unreachable', waitMs, at: since = 0 } = event
  const unavailable = task.failures.unavailable + 1
  const failed: T = { ...task, failures: { ...task.failures, unavailable } }
  const isShort = unavailable < task.limits.maxUnavailable && waitMs <= quietMs
  if (passesByItself(kind) && isShort) return failed
  return {
    ...failed,
    settled: { kind: 'paused', reason: 'model_unavailable', failure: { kind, waitMs, since } },
  }
}

/** The first `most` characters; never half of a surrogate pair. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Returns the choices for buttons: distinct, not empty, at most `choicesMost`. */
export function choicesOf(choices: readonly string[]): string[] {
  const said = choices.map((choice) => choice.trim()).filter((choice) => choice !== '')
  return [...new Set(said)].slice(0, choicesMost)
}

/** The end in the model's words; one that gave up did not reach the goal (C501). */
export const ended = (text: string | null, isGivenUp = false): Task['settled'] => ({
  kind: 'finished',
  ok: !isGivenUp,
  text: text ?? '',
  givenUp: isGivenUp || undefined,
})

/** Puts a question before people; nothing happens until it is answered (R11). */
export function question<T extends Task>(
  task: T,
  lastQuestion: NonNullable<Task['lastQuestion']>,
): T {
  return {
    ...task,
    awaitingClarification: true,
    lastQuestion,
    questionsAsked: task.questionsAsked + 1,
  }
}

/** A question of Clew's own, whose words and choices follow from its reason. */
export const ownQuestion = <T extends Task>(
  task: T,
  reason: 'stuck' | 'outcome_unknown' | 'mission_stuck' | 'plan_change',
): T => question(task, { text: null, choices: [], reason })

/** C502: gives the thread words beside the work; blank ones are none. */
export function say<T extends Task>(task: T, text: string | null): T {
  const words = text?.trim() ?? ''
  const said = { step: task.spent.iterations, text: words }
  return words === '' ? task : { ...task, said: [...(task.said ?? []), said] }
}

/**
 * F2: returns people's answer to the same question; undefined: none yet. One that asks back is none
 * (C503).
 */
export function answeredBefore(
  task: Task,
  text: string,
): Task['clarifications'][number] | undefined {
  return task.clarifications.find(
    (one) =>
      one.question !== null && !/[?？]\s*$/u.test(one.text) && sameQuestion(one.question, text),
  )
}

function sameQuestion(a: string, b: string): boolean {
  const [one, other] = [normalised(a), normalised(b)]
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one))
}

type PersonWords = Pick<Task['clarifications'][number], 'text' | 'author' | 'images'> & {
  choices?: readonly string[]
}

/** Adds a person's words to the task; the model reads them with its next request (C50). */
export function heard<T extends Task>(task: T, asked: string | null, said: PersonWords): T {
  const { text, author, images, choices = [] } = said
  const attached = images === undefined ? {} : { images }
  const offered = choices.length === 0 ? {} : { choices: [...choices] }
  const { iterations: step } = task.spent
  const clarification = { step, question: asked, ...offered, text, author, ...attached }
  return { ...task, clarifications: [...task.clarifications, clarification] }
}

/** C35: a fresh allowance; the totals go on counting. */
export function allowedAgain<T extends Task>(task: T): T {
  return {
    ...task,
    settled: null,
    failures: noFailures,
    spent: { ...task.spent, steps: 0, pauses: task.spent.pauses + 1 },
    allowanceFrom: task.spent,
  }
}

/** Question that is open while somebody's words beside it are answered; null: none. */
function openQuestion({
  aside,
  lastQuestion,
  intent,
}: Task): NonNullable<LoopInput['open']> | null {
  if (!aside || lastQuestion === null) return null
  const { text, choices, reason } = lastQuestion
  const call = intent === null ? '' : `: ${intent.tool} ${intent.input}`
  return { question: text ?? `(${reason.replaceAll('_', ' ')}${call})`, choices }
}

/** Returns the input that all requests of a task share (F3). */
export function loopView(task: Task) {
  return {
    goal: task.goal,
    planFirst: task.planFirst !== undefined,
    unattended: task.unattended,
    refusal: task.refusal,
    open: openQuestion(task),
    said: task.said ?? [],
    planItems: task.planItems,
    currentPlanIndex: task.currentPlanIndex,
    observations: task.observations,
    clarifications: task.clarifications,
    conclusions: task.conclusions,
    stepCount: task.spent.steps,
    maxSteps: task.limits.maxSteps,
    successfulSteps: task.spent.successfulSteps,
    failedSteps: task.spent.failedSteps,
  }
}
