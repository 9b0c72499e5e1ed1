import { texts } from '../../locales/texts.ts'
import { assistantMessage } from '../domain/message.ts'
import type { Question } from '../domain/question.ts'
import { type Ending, isTaskType, ownerOf, type Run } from '../domain/run.ts'
import { ownerNameOf } from '../shown-name.ts'
import { type ChangePart, mergeChanges, traced } from './change.ts'
import { calling, delivery, type Origin, runOrigin } from './messages.ts'
import { type Reminder, showNext, type Thread } from './questions.ts'

export interface RunEnd {
  status: Ending
  /** Result or error for people; after a cancel the confirmation. */
  text: string
  at: number
  /** Steps of its plan, where some were left. */
  steps?: Run['steps']
  /** Addresses in it that its task found (S21). */
  links?: readonly string[]
  /** Its words stand without its title: they say what comes next. */
  untitled?: boolean
  /** Its thread is opened by this end. */
  opens?: boolean
  /** Id of the person who ended it; they are not called. */
  by?: string
  /** For the question that is next in line, if one is. */
  reminder: Reminder
}

/**
 * Ends a run: its status, its one terminal message and the trace, in one change (C27, C39, R105,
 * R109). The source of the message is the run, so it cannot be written twice. Its questions are
 * taken back; the next one in line is shown.
 */
export function endRun(run: Run, thread: Thread, end: RunEnd): ChangePart {
  const { id, locale } = thread.conversation
  const text = terminalText(run, locale, end)
  const owner = ownerOf(run)
  const askedFor = run.schedule?.askedFor
  const origin = { ...runOrigin(run.id, id, end.at), askedFor }
  const toOwner = isCalled(run, end) ? calling(origin, owner) : { ...origin, to: owner }
  const said = assistantMessage(origin.cause, 'terminal', text, end.at)
  const message = end.links === undefined ? said : { ...said, links: [...end.links] }
  const { id: messageId } = message
  const brief = briefText(run, locale, end)
  const shown = { messageId, text, brief: brief ?? undefined }
  const body = { kind: 'final' as const, ...shown, runId: run.id, status: end.status }
  return mergeChanges(
    endedRow(run, end),
    traced(run.id, end.at, { kind: 'said', messageId }),
    { messages: [message], deliveries: [delivery(toOwner, 'terminal', body)] },
    dropQuestions(run, thread, end),
    markOf(run, origin, end.status),
  )
}

/**
 * True if the report calls the owner, unless they ended the run themselves. C492: a schedule's
 * report calls only if asked to, or if the run failed.
 */
const isCalled = (run: Run, { by, status }: RunEnd) =>
  ownerOf(run)?.id !== by &&
  (run.schedule === undefined ||
    run.schedule.ping === true ||
    status === 'failed' ||
    status === 'given_up')

/** The row of a run that has ended, and its trace. */
export function endedRow(
  run: Run,
  { status, text, at, steps }: Pick<RunEnd, 'status' | 'text' | 'at' | 'steps'>,
): ChangePart {
  const came = status === 'failed' ? { error: text } : { result: text }
  // The worker that has it is stopped; what it holds outside is put in order even if the wake for
  // that is lost.
  const stop = status === 'canceled' ? { fenceOff: true, due: at } : {}
  const { id, startedAt } = run
  return {
    runs: [
      {
        id,
        patch: { status, endedAt: at, attempts: 0, steps, ...(status === 'canceled' ? {} : came) },
        ...stop,
      },
    ],
    ended: [run],
    ...traced(id, at, {
      kind: 'status',
      status,
      reason: null,
      ms: startedAt === null ? undefined : Math.max(0, at - startedAt),
    }),
    ...tellGatherer(run),
  }
}

/** C123: the run that gathers the results of its group looks at it. */
export function tellGatherer({ id: entryId, connector }: Run): ChangePart {
  const runId = connector?.gatherer
  return runId === undefined ? {} : { inputs: [{ runId, input: { kind: 'gathered', entryId } }] }
}

function dropQuestions(run: Run, thread: Thread, { at, reminder, status }: RunEnd): ChangePart {
  const { conversation, questions } = thread
  const isOwn = (question: Question) => question.runId === run.id
  const own = questions.filter(isOwn)
  if (own.length === 0) return {}
  const expect = [
    { kind: 'question_count' as const, conversationId: conversation.id, count: questions.length },
  ]
  const next = showNext(thread, isOwn, at, reminder)
  return mergeChanges({ dropQuestions: own, expect, ...next }, closeShown(run, thread, at, status))
}

/**
 * C84: the question that is shown loses its buttons and says what became of it; only the first in
 * line is shown.
 */
function closeShown(
  run: Run,
  { conversation, questions }: Thread,
  at: number,
  status: Ending,
): ChangePart {
  const [question] = questions
  if (question?.runId !== run.id) return {}
  const body = { kind: 'closed' as const, question, runId: run.id, status }
  return {
    deliveries: [delivery(runOrigin(run.id, conversation.id, at), `closed:${question.id}`, body)],
  }
}

/** C84: the message that asked for it shows how it ended. */
export function markOf(run: Run, origin: Origin, ended: Ending): ChangePart {
  if (run.asked === undefined) return {}
  const outcome = { kind: 'started' as const, runId: run.id }
  return {
    deliveries: [delivery(origin, 'ended', { kind: 'receipt', ...run.asked, outcome, ended })],
  }
}

/** R112, F28: each ending has its own words. */
function terminalText(run: Run, locale: string, { status, text, untitled }: RunEnd): string {
  const { core } = texts(locale)
  const title = run.title === '' ? run.type : run.title
  if (status === 'failed') return core.failed(title, text)
  if (status === 'given_up') return core.givenUp(title, text)
  if (status === 'canceled') return `${text}\n\n${core.runCanceled(title)}`
  return untitled ? text : core.succeeded(title, text)
}

/**
 * C81: beside the plan of a task, which has its title, only what is new is said; null where no plan
 * was shown. C83: in a thread that it opens what it is about stands below.
 */
function briefText(run: Run, locale: string, { status, text, opens }: RunEnd): string | null {
  if (!isTaskType(run.type)) return null
  const { core } = texts(locale)
  const said = status === 'failed' ? core.failedBecause(text) : text
  return opens ? `${said}\n\n${core.opening.report(ownerNameOf(run), run.title)}` : said
}
