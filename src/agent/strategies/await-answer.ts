import type { Awaited } from '../domain/elsewhere.ts'
import type { Task } from '../domain/task.ts'
import { withoutReport } from './early-report.ts'
import type { TaskEvent } from './strategy.ts'

/**
 * The call stays the task's intent until somebody has answered: the answer is its result (C843).
 */
export const awaiting = (task: Task, awaits: Awaited): Task => ({
  ...withoutReport(task),
  awaitingClarification: true,
  lastQuestion: { text: null, choices: [], reason: 'elsewhere', awaits },
})

type Awaiting = Task & { lastQuestion: { awaits: Awaited } }

export const awaitsAnswer = (task: Task): task is Awaiting =>
  task.awaitingClarification &&
  task.lastQuestion?.reason === 'elsewhere' &&
  task.lastQuestion.awaits !== undefined

/** Result of the call: the answer of the person who was asked, or of somebody instead of them. */
export function answerOf(
  { lastQuestion: { awaits } }: Awaiting,
  { author, text, choice }: Extract<TaskEvent, { kind: 'answered' }>,
): Extract<TaskEvent, { kind: 'observed' }> {
  const { of } = awaits
  const isTheirs = author.id === of.id
  const isWithdrawn = !isTheirs && choice === 0
  const instead = isTheirs ? '' : ` for ${of.name}`
  const result = isWithdrawn
    ? `${author.name} withdrew the question to ${of.name}: go on without the answer`
    : `${author.name} answered${instead}: ${text}`
  return { kind: 'observed', ok: true, result, ms: 0 }
}
