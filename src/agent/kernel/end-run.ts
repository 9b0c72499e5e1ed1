import { texts } from '../../locales/texts.ts'
import type { Conversation } from '../domain/conversation.ts'
import { assistantMessage } from '../domain/message.ts'
import type { Question } from '../domain/question.ts'
import type { Ending, Run } from '../domain/run.ts'
import type { Change } from '../ports/store.ts'
import { delivery, together } from './messages.ts'
import { type Reminder, showQuestion } from './questions.ts'

export interface Outcome {
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
export function ending(
  run: Run,
  place: { conversation: Conversation; questions: readonly Question[] },
  outcome: Outcome,
): Partial<Change> {
  const { conversation, questions } = place
  const { at, status } = outcome
  const text = terminalText(run, conversation.locale, outcome)
  const cause = { kind: 'run' as const, refId: run.id }
  const message = assistantMessage(cause, 'terminal', text, at)
  const own = questions.filter((question) => question.runId === run.id)
  const left = questions.filter((question) => question.runId !== run.id)
  const following = questions[0]?.runId === run.id ? left[0] : undefined
  return together(
    {
      ...(own.length === 0
        ? {}
        : {
            dropQuestions: own,
            expect: [{ kind: 'question_count', conversationId: conversation.id, count: questions.length }],
          }),
      runs: [
        {
          id: run.id,
          patch: {
            status,
            endedAt: at,
            attempts: 0,
            ...(status === 'succeeded' ? { result: outcome.text } : {}),
            ...(status === 'failed' ? { error: outcome.text } : {}),
          },
          // Whoever works on it is stopped; what it holds outside is put in order even if the wake for that is lost.
          ...(status === 'canceled' ? { fenceOff: true, due: at } : {}),
        },
      ],
      conversation: {
        id: conversation.id,
        patch: own.length > 0 && left.length === 0 ? { remindAt: null } : {},
      },
      messages: [message],
      deliveries: [
        delivery(conversation.id, cause, 'terminal', at, {
          kind: 'final',
          messageId: message.id,
          text,
          runId: run.id,
          status,
        }),
      ],
      progress: run.id,
      trace: [
        { of: run.id, entry: { at, what: { kind: 'status', status, reason: null } } },
        { of: run.id, entry: { at, what: { kind: 'said', messageId: message.id } } },
      ],
    },
    following === undefined ? {} : showQuestion(conversation, following, at, outcome.reminder),
  )
}

/** R112, F28: each ending has its own words. */
function terminalText(run: Run, locale: string, { status, text }: Outcome): string {
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
  }
}
