import { cut } from '../domain/cut.ts'
import type { Report } from '../domain/mission.ts'
import type { CodingTask } from '../domain/task.ts'
import { spend } from './bookkeeping.ts'
import { isReached, stepAt } from './coding-steps.ts'

/** F33: length of a report for the model, in characters. */
const reportMost = 3_000
/** Length of one part of a report, in characters. */
export const partMost = 1_000

/** Name of the coding agent where tools are named. */
const agent = 'coding_agent'

/**
 * Decides the next task file. It is written after this is stored, and under the same name however
 * often (rule 5).
 */
export function ordered(
  task: CodingTask,
  command: 'new' | 'continue',
  instruction: string | null,
): CodingTask {
  const ordinal = task.orders + 1
  return {
    ...task,
    stage: 'work',
    report: null,
    orders: ordinal,
    order: { ordinal, command, instruction, sentAt: null, seen: null },
    intent: {
      step: task.spent.iterations + 1,
      tool: agent,
      input: stepAt(task)?.title ?? task.goal,
    },
  }
}

/** The next open step, or the end. */
export function onward(task: CodingTask): CodingTask {
  if (stepAt(task) === undefined) return over(task, isReached(task))
  // R128: an agent that knows the work goes on with it.
  return ordered(task, task.sessionId === null ? 'new' : 'continue', null)
}

/** R133, R138: the mission is over; its summary is still to be written. */
export const over = (task: CodingTask, reached: boolean): CodingTask => ({
  ...task,
  stage: 'close',
  reached,
  report: null,
})

export function orderSent(task: CodingTask, at: number): CodingTask {
  if (task.order === null) return task
  return spend(
    { ...task, order: { ...task.order, sentAt: at } },
    { steps: 1, iterations: 1, toolCalls: 1 },
  )
}

/** Records the result of the coding agent's order and clears the order. */
export function noted(
  task: CodingTask,
  result: { ok: boolean; text: string; ms: number },
): CodingTask {
  const { intent } = task
  const { ok, text, ms } = result
  const input = stepAt(task)?.title ?? task.goal
  const observation =
    intent === null ? [] : [{ ...intent, input, ok, result: cut(text, reportMost) }]
  return spend(
    { ...task, order: null, intent: null, observations: [...task.observations, ...observation] },
    { successfulSteps: ok ? 1 : 0, failedSteps: ok ? 0 : 1, activeMs: ms },
  )
}

export function shortened(report: Report): Report {
  const part = (text: string | null) => (text === null ? null : cut(text, partMost))
  return {
    ...report,
    text: cut(report.text, reportMost),
    deliverables: part(report.deliverables),
    pitfalls: part(report.pitfalls),
    advice: part(report.advice),
    question: part(report.question),
  }
}
