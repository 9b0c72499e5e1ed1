import { isTaskType } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type Handler, joined, marked, withAttachments } from './context.ts'

/** What is said while a task works reaches it before its next thought (C50, R150). */
export const join: Handler = (turn) => {
  const run = turn.state.foreground
  if (turn.entry.event.content.kind !== 'message' || run === null) return null
  if (run.status !== 'running' && run.status !== 'queued' && run.status !== 'awaiting_clarification') return null
  if (!isTaskType(run.type)) return null
  return mergeChanges(joined(turn, run, withAttachments(turn)), marked(turn, { kind: 'joined', runId: run.id }))
}
