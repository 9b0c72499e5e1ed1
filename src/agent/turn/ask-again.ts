import { calling, delivery } from '../kernel/messages.ts'
import { keeping, originOf } from './context.ts'

/**
 * C156: where people's clicks may have been lost, the question that is still open when its turn
 * comes stands before them again; the one above loses its buttons. What came in before it has been
 * taken already, answers too.
 */
export const askAgain = keeping((turn) => {
  const { content } = turn.entry.event
  if (content.kind !== 'ask_again') return null
  const [open] = turn.state.questions
  if (open === undefined || open.id !== content.questionId) return {}
  const { runId } = open
  const origin = calling(originOf(turn, runId), open.owner ?? null)
  const above = { kind: 'closed' as const, question: open, runId, status: 'asked_again' as const }
  return {
    deliveries: [
      delivery({ ...origin, notify: false }, 'above', above),
      delivery(origin, 'again', { kind: 'question', question: open, runId }),
    ],
  }
})
