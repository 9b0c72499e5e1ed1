import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import { assistantMessage } from '../domain/message.ts'
import type { Question } from '../domain/question.ts'
import type { Ending, Run } from '../domain/run.ts'
import { type ChangePart, mergeChanges, traced } from './change.ts'
import { delivery, runOrigin } from './messages.ts'
import { type Reminder, showNext, type Thread } from './questions.ts'

export interface RunEnd {
  status: Ending
  /** What it came to, or why not; for a cancel the confirmation. */
  text: string
  at: number
  /** For the question that is next in line, if one is. */
  reminder: Reminder
}

/**
 * Ends a run: its status, its one terminal message and the trace, in one change (C27, C39, R105, R109). The source of the
 * message is the run, so it cannot be written twice. Its questions are taken back; the next one in line is shown.
 */
export function endRun(run: Run, thread: Thread, end: RunEnd): ChangePart {
  const { id, locale } = thread.conversation
  const text = terminalText(run, locale, end)
  const origin = runOrigin(run.id, id, end.at)
  const message = assistantMessage(origin.cause, 'terminal', text, end.at)
  const { id: messageId } = message
  const body = { kind: 'final' as const, messageId, text, runId: run.id, status: end.status }
  return mergeChanges(
    endedRow(run.id, end.status, end.text, end.at),
    traced(run.id, end.at, { kind: 'said', messageId }),
    { messages: [message], deliveries: [delivery(origin, 'terminal', body)] },
    dropQuestions(run, thread, end),
  )
}

/** The row of a run that has ended, and its trace. */
export function endedRow(id: string, status: Ending, text: string, at: number): ChangePart {
  const came = status === 'succeeded' ? { result: text } : status === 'failed' ? { error: text } : {}
  // Whoever works on it is stopped; what it holds outside is put in order even if the wake for that is lost.
  const stop = status === 'canceled' ? { fenceOff: true, due: at } : {}
  return {
    runs: [{ id, patch: { status, endedAt: at, attempts: 0, ...came }, ...stop }],
    ...traced(id, at, { kind: 'status', status, reason: null }),
  }
}

function dropQuestions(run: Run, thread: Thread, { at, reminder }: RunEnd): ChangePart {
  const { conversation, questions } = thread
  const isOwn = (question: Question) => question.runId === run.id
  const own = questions.filter(isOwn)
  if (own.length === 0) return {}
  const expect = [{ kind: 'question_count' as const, conversationId: conversation.id, count: questions.length }]
  return { dropQuestions: own, expect, ...showNext(thread, isOwn, at, reminder) }
}

/** R112, F28: each ending has its own words. */
function terminalText(run: Run, locale: string, { status, text }: RunEnd): string {
  const { core } = texts(locale)
  const title = run.title === '' ? run.type : run.title
  switch (status) {
    case 'succeeded':
      // A follow-up is no task of its own: it says what comes next.
      return run.type === 'follow_up' ? text : core.succeeded(title, text)
    case 'failed':
      return core.failed(title, text)
    case 'canceled':
      return `${text}\n\n${core.runCanceled(title)}`
    default:
      return assertNever(status)
  }
}
