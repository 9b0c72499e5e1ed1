import { readQuestion } from '../contracts/calls.ts'
import { cut, keptMost } from '../domain/cut.ts'
import type { Observation, PendingCall, Task } from '../domain/task.ts'
import {
  answeredBefore,
  choicesOf,
  ownQuestion,
  question,
  questionsMost,
  spend,
} from './bookkeeping.ts'
import type { Action, Call, Observed, TaskEvent } from './strategy.ts'

/** A task whose replies decide calls, which then wait in line. */
export type Queued = Extract<Task, { queue: unknown }>

/**
 * Names the calls that a reply has decided; their numbers are used up whether they are made or not.
 */
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
      said: index === 0 && said !== null && said.trim() !== '' ? said : undefined,
      ...effectOf(task, call),
    }),
  )
  const [intent = null, ...queue] = pending
  return { ...task, intent, queue }
}

/**
 * C13: the same call again after one whose outcome is not known has the same effect id, so that a
 * keyed tool does it once.
 */
export function effectOf(task: Task, call: { tool: string; input: string }): { effect?: number } {
  const earlier = task.observations.findLast(
    (one) => one.tool === call.tool && one.input === call.input,
  )
  return earlier?.unknown === true ? { effect: earlier.step } : {}
}

/**
 * The calls that are to be made now, as the driver wants them. Never more than the ceiling on tool
 * calls lets through.
 */
export function callAction(
  task: Queued & { intent: PendingCall },
  withinMs?: number,
): Extract<Action<never>, { kind: 'call_tool' }> {
  const left = task.limits.maxToolCalls - (task.spent.toolCalls - task.allowanceFrom.toolCalls)
  const along = task.queue
    .filter((call) => call.tool !== 'ask_user')
    .slice(0, Math.max(0, left - 1))
  return {
    kind: 'call_tool',
    ...named(task.intent),
    along: along.length === 0 ? undefined : along.map(named),
    withinMs,
  }
}

const named = ({ tool, input, step, effect }: PendingCall): Call => ({
  tool,
  input,
  step: effect ?? step,
})

/** Adds the results of the calls that were made, in order; each counts as a step (R23). */
export function observed<T extends Task>(task: T, results: readonly Observed[]): T {
  const noted = withResults(task, results)
  const count = noted.observations.length - task.observations.length
  const made = results.slice(0, count)
  const ok = made.filter((one) => one.ok).length
  // Calls of one reply that fail together are one failure: the model has seen none of them yet.
  const tool = ok > 0 ? 0 : task.failures.tool + Math.min(1, count)
  return spend(
    { ...noted, failures: { ...noted.failures, tool } },
    {
      steps: count,
      toolCalls: count,
      successfulSteps: ok,
      failedSteps: count - ok,
      activeMs: longest(made),
    },
  )
}

/** Results of all calls that an event tells of, in their order. */
export const resultsIn = ({
  along = [],
  ...first
}: Extract<TaskEvent, { kind: 'observed' }>): Observed[] => [first, ...along]

/** Returns how long parallel calls took together, in ms. */
export const longest = (results: readonly Observed[]): number =>
  Math.max(0, ...results.map((one) => one.ms))

/**
 * C12, C15: calls that are not made any more have a result too. They use nothing up but their
 * numbers.
 */
export function skipped<T extends Task>(task: T, why: string): T {
  const left = callsOf(task).length
  return left === 0
    ? task
    : withResults(task, Array(left).fill({ ok: false, result: `skipped: ${why}`, ms: 0 }))
}

/** Every result belongs to the call that is next in line. */
function withResults<T extends Task>(task: T, results: readonly Observed[]): T {
  const calls = callsOf(task)
  const observations = calls.flatMap((call, index) => {
    const result = results[index]
    return result === undefined ? [] : [observationOf(call, result)]
  })
  const [intent = null, ...queue] = calls.slice(observations.length)
  return {
    ...spend(task, { iterations: observations.length }),
    intent,
    ...('queue' in task ? { queue } : {}),
    observations: withKept(task.observations, observations),
  }
}

/**
 * Length of a result that is kept whatever else there is, and of what all results have beyond it;
 * in characters.
 */
const shortMost = 10_000
const roomMost = 400_000

/**
 * Adds results, each as long as there is room for (C493). What was kept stays as it is: the store
 * only appends.
 */
function withKept(before: readonly Observation[], added: readonly Observation[]): Observation[] {
  const all = [...before]
  for (const one of added) {
    const beyond = all.reduce((sum, { result }) => sum + Math.max(0, result.length - shortMost), 0)
    const room = Math.max(0, roomMost - beyond)
    all.push({ ...one, result: cut(one.result, Math.min(keptMost, shortMost + room)) })
  }
  return all
}

/** The calls that are decided, in their order. */
export function callsOf(task: Task): PendingCall[] {
  if (task.intent === null) return []
  return 'queue' in task ? [task.intent, ...task.queue] : [task.intent]
}

function observationOf(
  { effect: _, endsItem: __, ...call }: PendingCall,
  { ok, result, unknown }: Observed,
): Observation {
  return { ...call, ok, result, unknown: unknown || undefined }
}

/**
 * C37: carries out a planned `ask_user`. What was answered before is not asked again, and nobody is
 * asked for ever (F2): the call then has a result like any other. A question is no step (R24).
 */
export function asked<T extends Task>(task: T & { intent: PendingCall }): T {
  const { text, choices } = readQuestion(task.intent.input)
  const earlier = answeredBefore(task, text)
  const refused = (result: string) => withResults<T>(task, [{ ok: false, result, ms: 0 }])
  if (earlier !== undefined) return refused(`already answered: ${earlier.text}`)
  if (task.questionsAsked >= questionsMost)
    return refused('too many questions; decide with what is known')
  const put = withResults<T>(task, [
    { ok: true, result: 'the question was put to the people in the thread', ms: 0 },
  ])
  return question(put, { text, choices: choicesOf(choices), reason: 'asked' })
}

/**
 * A call whose outcome nobody knows: its result says so, the calls behind it are not made, and
 * people are asked.
 */
export function interrupted<T extends Task>(task: T): T {
  const known = observed(task, [{ ok: false, result: 'outcome unknown', ms: 0, unknown: true }])
  return ownQuestion(skipped(known, 'the call before it was cut off'), 'outcome_unknown')
}
