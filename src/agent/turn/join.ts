import { together } from '../kernel/messages.ts'
import { runTypeOf } from '../run-types.ts'
import { type Handler, marked, personOf, withAttachments } from './context.ts'

/** What is said while a task works reaches it before its next thought (C50, R150). */
export const join: Handler = (turn) => {
  const run = turn.state.foreground
  if (turn.entry.event.content.kind !== 'message' || run === null) return null
  if (run.status !== 'running' && run.status !== 'queued' && run.status !== 'awaiting_clarification') return null
  if (!runTypeOf(run.type)?.foreground) return null
  return together(
    {
      expect: [{ kind: 'run_status', runId: run.id, status: run.status }],
      inputs: [
        {
          runId: run.id,
          input: { kind: 'joined', entryId: turn.entry.id, text: withAttachments(turn), author: personOf(turn) },
        },
      ],
    },
    marked(turn, { kind: 'joined', runId: run.id }),
  )
}
