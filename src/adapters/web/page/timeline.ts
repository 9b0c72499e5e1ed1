import type {
  AnsweredView,
  ConversationView,
  MessageView,
  QuestionView,
  RunView,
} from '../views.ts'
import type { Unsent } from './outbox.ts'

/** What a thread shows, from top to bottom. */
export type Entry =
  | { kind: 'day'; key: string; at: number }
  /** `follows`: the same person goes on within a few minutes, so name and time need not be said again. */
  /** `report`: the run that it reports, whose readers may say what they think of it. */
  | {
      kind: 'message'
      key: string
      at: number
      message: MessageView
      follows: boolean
      report: string | null
    }
  | {
      kind: 'question'
      key: string
      at: number
      question: QuestionView
      answered: AnsweredView | null
    }
  | { kind: 'run'; key: string; at: number; run: RunView; isLast: boolean }
  | { kind: 'unsent'; key: string; at: number; unsent: Unsent }

const closeMs = 5 * 60_000

/** Puts messages, questions and plans of a thread in the order in which they happened, and what is not sent yet at the end. */
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

/** C147: the last words of a run that has ended by itself. */
function reportOf({ id, runId }: MessageView, { messages, runs }: ConversationView): string | null {
  const run = runs.find((one) => one.id === runId)
  if (run === undefined || !['succeeded', 'failed'].includes(run.status)) return null
  return messages.findLast((one) => one.runId === runId)?.id === id ? run.id : null
}

/** A choice that somebody clicked: the question's card says who chose what, so the message would say it twice. */
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

/** Of things that happened in one instant: what a person said, the work that it started, what Clew says about it. */
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
