import type {
  AnsweredView,
  ConversationView,
  MessageView,
  QuestionView,
  RunView,
} from '../views.ts'
import type { Unsent } from './outbox.ts'

/** Entry of a thread, from top to bottom. */
export type Entry = { key: string; at: number } & (
  | { kind: 'day' }
  /**
   * Message. `follows` is true if the same person wrote a few minutes before, so that name and time
   * are not repeated. `report` is the run that it reports, for rating it.
   */
  | { kind: 'message'; message: MessageView; follows: boolean; report: string | null }
  | { kind: 'question'; question: QuestionView; answered: AnsweredView | null }
  | { kind: 'run'; run: RunView; isLast: boolean }
  | { kind: 'unsent'; unsent: Unsent }
)

const closeMs = 5 * 60_000

/** Sorts messages, questions and plans of a thread by time, with unsent ones at the end. */
export function timelineOf(
  view: ConversationView | null,
  unsent: readonly Unsent[],
  sameDay: (a: number, b: number) => boolean,
): Entry[] {
  const told =
    view === null
      ? []
      : [...messages(view), ...runs(view)].sort((a, b) => a.at - b.at || rank(a) - rank(b))
  const waiting = unsent
    .filter(
      (item) => item.kind === 'message' && !view?.messages.some(({ id }) => id === item.messageId),
    )
    .map((item) => ({ kind: 'unsent' as const, key: item.id, at: item.at, unsent: item }))
  return withDays(withFollowers([...told, ...waiting]), sameDay)
}

function messages(view: ConversationView): Entry[] {
  const entries = view.messages
    .filter((message) => !isToldByCard(message, view))
    .map((message): Entry => {
      const { id, at, questionId } = message
      const open = view.question?.id === questionId ? view.question : null
      const answered = view.answered.find((one) => one.id === questionId) ?? null
      const question = open ?? answered
      if (questionId === null || question === null)
        return {
          kind: 'message',
          key: id,
          at,
          message,
          follows: false,
          report: reportOf(message, view),
        }
      return { kind: 'question', key: questionId, at, question, answered }
    })
  const { question } = view
  if (question === null || entries.some(({ key }) => key === question.id)) return entries
  return [
    ...entries,
    { kind: 'question', key: question.id, at: question.askedAt, question, answered: null },
  ]
}

/**
 * C147: the run that a message reports, if it is the last message of a run that ended by itself.
 */
function reportOf({ id, runId }: MessageView, { messages, runs }: ConversationView): string | null {
  const run = runs.find((one) => one.id === runId)
  if (run === undefined || !['succeeded', 'failed', 'given_up'].includes(run.status)) return null
  return messages.findLast((one) => one.runId === runId)?.id === id ? run.id : null
}

/**
 * True if a message repeats a choice that somebody clicked: the question's card shows that already.
 */
function isToldByCard({ text, outcome }: MessageView, { answered }: ConversationView): boolean {
  if (outcome?.kind !== 'answer') return false
  const question = answered.find(({ id }) => id === outcome.questionId)
  return question !== undefined && question.answer === text && question.choices.includes(text)
}

function runs(view: ConversationView): Entry[] {
  const oldest = view.more ? (view.messages[0]?.at ?? 0) : 0
  return view.runs
    .filter(({ createdAt }) => createdAt >= oldest)
    .map((run) => ({
      kind: 'run',
      key: run.id,
      at: run.createdAt,
      run,
      isLast: run.id === view.runs.at(-1)?.id,
    }))
}

/**
 * Order of entries with the same time: a person's message, the run that it started, Clew's message
 * about it.
 */
function rank(entry: Entry): number {
  if (entry.kind === 'message') return entry.message.role === 'user' ? 0 : 2
  return entry.kind === 'run' ? 1 : 3
}

function withFollowers(entries: readonly Entry[]): Entry[] {
  return entries.map((entry, place) => {
    const before = entries[place - 1]
    if (entry.kind !== 'message' || before?.kind !== 'message') return entry
    const samePerson =
      entry.message.role === before.message.role &&
      entry.message.author?.id === before.message.author?.id
    return { ...entry, follows: samePerson && entry.at - before.at < closeMs }
  })
}

function withDays(entries: readonly Entry[], sameDay: (a: number, b: number) => boolean): Entry[] {
  return entries.flatMap((entry, place) => {
    const before = entries[place - 1]
    const begins = before === undefined || !sameDay(before.at, entry.at)
    return begins
      ? [{ kind: 'day' as const, key: `day-${entry.at}`, at: entry.at }, entry]
      : [entry]
  })
}
