import { readQuestion } from '../contracts/calls.ts'
import { assertNever } from '../domain/assert.ts'
import { ceilingReached, type Limits, nothingSpent } from '../domain/budget.ts'
import type { Author } from '../domain/message.ts'
import { normalised } from '../domain/same-item.ts'
import type { Observation, PendingCall, Task } from '../domain/task.ts'
import type { Action, Call, Observed, TaskEvent } from './strategy.ts'

/** A request that is refused this often in a row is given up for now (R48, C19). */
export const refusalsMost = 3
/** Longer results are cut (F1). */
export const observationMost = 10_000
/** A question beyond this many is refused (F2). */
export const questionsMost = 6
const choicesMost = 5

export const noFailures: Task['failures'] = {
  tool: 0,
  contract: 0,
  unavailable: 0,
  repeatedQuestion: 0,
  refusedStops: 0,
}

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

/** What comes before any strategy's own next move: an end, an open question, a hard ceiling (C36). */
export function halted(task: Task): Extract<Action, { kind: 'wait' | 'pause' | 'finish' | 'give_up' }> | null {
  const { settled } = task
  if (settled === null) {
    if (task.awaitingClarification) return { kind: 'wait' }
    const ceiling = ceilingReached(task.limits, task.spent, task.allowanceFrom)
    return ceiling === null ? null : { kind: 'pause', reason: ceiling }
  }
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

/** A model call and what it took; every attempt is one (C8), and most count as a step. */
export function spentOn<T extends Task>(
  task: T,
  event: TaskEvent & { kind: 'replied' | 'refused' | 'unavailable' },
  steps: 0 | 1 = 1,
): T {
  const { spent } = task
  return {
    ...task,
    spent: {
      ...spent,
      steps: spent.steps + steps,
      iterations: spent.iterations + steps,
      modelCalls: spent.modelCalls + 1,
      promptTokens: spent.promptTokens + event.usage.promptTokens,
      completionTokens: spent.completionTokens + event.usage.completionTokens,
      activeMs: spent.activeMs + event.ms + (event.kind === 'unavailable' ? event.waitMs : 0),
    },
  }
}

/** The model stays away: tried again, then the task pauses and says so. */
export function away<T extends Task>(task: T): T {
  const unavailable = task.failures.unavailable + 1
  const failed: T = { ...task, failures: { ...task.failures, unavailable } }
  const isTimeUp = ceilingReached(task.limits, task.spent, task.allowanceFrom) === 'time'
  return unavailable < task.limits.maxUnavailable && !isTimeUp
    ? failed
    : { ...failed, settled: { kind: 'paused', reason: 'model_unavailable' } }
}

type Queued = Extract<Task, { queue: unknown }>

/** Names the calls that a reply has decided; their numbers are used up whether they are made or not. */
export function queued<T extends Queued>(
  task: T,
  turn: number,
  calls: readonly { tool: string; input: string }[],
  said: string | null,
): T {
  const { iterations } = task.spent
  const pending = calls.map(
    (call, index): PendingCall => ({
      ...call,
      step: iterations + 1 + index,
      turn,
      ...(index === 0 && said !== null && said.trim() !== '' ? { said } : {}),
      ...effectOf(task, call),
    }),
  )
  const [intent = null, ...queue] = pending
  return { ...task, intent, queue }
}

/** C13: the same call again after one whose outcome is not known has the same effect id, so that a keyed tool does it once. */
function effectOf(task: Task, call: { tool: string; input: string }): { effect?: number } {
  const earlier = task.observations.findLast((one) => one.tool === call.tool && one.input === call.input)
  return earlier?.unknown === true ? { effect: earlier.step } : {}
}

/** The calls that are to be made now, as the driver wants them. Never more than the ceiling on tool calls lets through. */
export function callAction(task: Queued & { intent: PendingCall }, withinMs?: number): Action<never> {
  const left = task.limits.maxToolCalls - (task.spent.toolCalls - task.allowanceFrom.toolCalls)
  const along = task.queue.filter((call) => call.tool !== 'ask_user').slice(0, Math.max(0, left - 1))
  return {
    kind: 'call_tool',
    ...named(task.intent),
    ...(along.length === 0 ? {} : { along: along.map(named) }),
    ...(withinMs === undefined ? {} : { withinMs }),
  }
}

const named = ({ tool, input, step, effect }: PendingCall): Call => ({ tool, input, step: effect ?? step })

/** What the calls came to that were made, in order; each is a step (R23). */
export function observed<T extends Queued>(task: T, results: readonly Observed[]): T {
  const noted = withResults(task, results)
  const count = noted.observations.length - task.observations.length
  const made = results.slice(0, count)
  const ok = made.filter((one) => one.ok).length
  const { spent } = noted
  return {
    ...noted,
    spent: {
      ...spent,
      steps: spent.steps + count,
      toolCalls: spent.toolCalls + count,
      successfulSteps: spent.successfulSteps + ok,
      failedSteps: spent.failedSteps + count - ok,
      activeMs: spent.activeMs + together(made),
    },
    failures: { ...noted.failures, tool: made.reduce((inRow, one) => (one.ok ? 0 : inRow + 1), task.failures.tool) },
  }
}

/** How long calls took that were made at the same time. */
export const together = (results: readonly Observed[]): number => Math.max(0, ...results.map((one) => one.ms))

/** C12, C15: calls that are not made any more have a result too. They use nothing up but their numbers. */
export function skipped<T extends Queued>(task: T, why: string): T {
  const left = task.intent === null ? 0 : 1 + task.queue.length
  return left === 0 ? task : withResults(task, Array(left).fill({ ok: false, result: `skipped: ${why}`, ms: 0 }))
}

/** Every result belongs to the call that is next in line. */
function withResults<T extends Queued>(task: T, results: readonly Observed[]): T {
  const calls = task.intent === null ? [] : [task.intent, ...task.queue]
  const observations = calls.flatMap((call, index) => {
    const result = results[index]
    return result === undefined ? [] : [observationOf(call, result)]
  })
  const [intent = null, ...queue] = calls.slice(observations.length)
  return {
    ...task,
    intent,
    queue,
    spent: { ...task.spent, iterations: task.spent.iterations + observations.length },
    observations: [...task.observations, ...observations],
  }
}

function observationOf({ effect: _, ...call }: PendingCall, { ok, result, unknown }: Observed): Observation {
  return { ...call, ok, result: cut(result, observationMost), ...(unknown ? { unknown } : {}) }
}

/** The first `most` characters; never half of a surrogate pair. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * C37: carries out a planned `ask_user`. What was answered before is not asked again, and nobody is asked for ever (F2): the
 * call then has a result like any other. A question is no step (R24).
 */
export function asked<T extends Queued>(task: T & { intent: PendingCall }): T {
  const { text, choices } = readQuestion(task.intent.input)
  const earlier = answeredBefore(task, text)
  const refused = (result: string) => withResults<T>(task, [{ ok: false, result, ms: 0 }])
  if (earlier !== undefined) return refused(`already answered: ${earlier.text}`)
  if (task.questionsAsked >= questionsMost) return refused('too many questions; decide with what is known')
  const put = withResults<T>(task, [{ ok: true, result: 'the question was put to the people in the thread', ms: 0 }])
  return question(put, { text, choices: choicesOf(choices), reason: 'asked' })
}

/** What a person can press: a few different words. */
export function choicesOf(choices: readonly string[]): string[] {
  const said = choices.map((choice) => choice.trim()).filter((choice) => choice !== '')
  return [...new Set(said)].slice(0, choicesMost)
}

/** Puts a question before people; nothing happens until it is answered (R11). */
export function question<T extends Task>(task: T, lastQuestion: NonNullable<Task['lastQuestion']>): T {
  return { ...task, awaitingClarification: true, lastQuestion, questionsAsked: task.questionsAsked + 1 }
}

/** F2: what people have said to the same question. */
export function answeredBefore(task: Task, text: string): Task['clarifications'][number] | undefined {
  return task.clarifications.find((one) => one.question !== null && sameQuestion(one.question, text))
}

function sameQuestion(a: string, b: string): boolean {
  const [one, other] = [normalised(a), normalised(b)]
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one))
}

/** A call whose outcome nobody knows: its result says so, the calls behind it are not made, and people are asked. */
export function interrupted<T extends Queued>(task: T): T {
  const known = observed(task, [{ ok: false, result: 'outcome unknown', ms: 0, unknown: true }])
  return question(skipped(known, 'the call before it was cut off'), {
    text: null,
    choices: [],
    reason: 'outcome_unknown',
  })
}

/** What a person said; the model hears of it with its next request (C50). */
export function heard<T extends Task>(task: T, asked: string | null, said: { text: string; author: Author }): T {
  const clarification = { step: task.spent.iterations, question: asked, text: said.text, author: said.author }
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

/** What all requests of a task are told (F3). */
export function loopView(task: Task) {
  return {
    goal: task.goal,
    unattended: task.unattended,
    refusal: task.refusal,
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
