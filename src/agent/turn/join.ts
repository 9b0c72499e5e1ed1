import { isTaskType, type Run } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import {
  type Handler,
  joined,
  marked,
  needing,
  type TurnContext,
  withAttachments,
} from './context.ts'

/**
 * Adds words that are said to Clew while a task works to the task before its next thought (C50,
 * R150).
 */
export const join = needing('start', (turn) => {
  const run = joinable(turn)
  if (turn.entry.event.content.kind !== 'message' || turn.meant !== 'clew' || run === null)
    return null
  return mergeChanges(
    joined(turn, run, withAttachments(turn), { isSpoken: true }),
    marked(turn, { kind: 'joined', runId: run.id }),
  )
})

/** C158: a mention that joins a task reads first what was said there, like any other. */
export const joinAfter = (hearing: (handler: Handler) => Handler): Handler =>
  needing('start', (turn) =>
    turn.meant === 'clew' && joinable(turn) !== null ? hearing(join).take(turn) : null,
  )

/** The task that what is said now would reach; null where there is none. */
export function joinable({ state: { foreground: run } }: TurnContext): Run | null {
  if (run === null || !isTaskType(run.type)) return null
  return ['running', 'queued', 'awaiting_clarification'].includes(run.status) ? run : null
}
