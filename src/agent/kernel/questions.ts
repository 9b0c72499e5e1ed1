import type { Conversation } from '../domain/conversation.ts'
import type { Question } from '../domain/question.ts'
import { wallClockIn, weekdayOf } from '../domain/zone.ts'
import type { Change } from '../ports/store.ts'
import { calling, delivery, deliveryIdOf, runOrigin } from './messages.ts'

/** A conversation and the questions that wait in it. */
export interface Thread {
  conversation: Conversation
  questions: readonly Question[]
}

/** When working hours are, in the conversation's time zone. Monday is 1, Sunday is 7. */
export interface WorkingHours {
  fromHour: number
  toHour: number
  days: readonly number[]
}

/** Reminder of an open question. `afterMs`: delay in milliseconds; 0 means none. */
export interface Reminder {
  afterMs: number
  hours: WorkingHours
}

/** Puts a question before the thread; only the first in line is shown, with one reminder (C42). */
export function showQuestion(
  { id, timeZone }: Pick<Conversation, 'id' | 'timeZone'>,
  question: Question,
  at: number,
  reminder: Reminder,
): Pick<Change, 'deliveries' | 'conversation'> {
  const body = { kind: 'question' as const, question, runId: question.runId }
  const origin = calling(runOrigin(question.runId, id, at), question.owner ?? null)
  return {
    deliveries: [delivery(origin, `question:${question.id}`, body)],
    ...remindedLater({ id, timeZone }, at, reminder),
  }
}

/**
 * Schedules one reminder, in its thread, of what now waits for people (C42, C191). It is due
 * `afterMs` later, or at the start of the next working hour. With `afterMs` 0 there is none.
 */
export const remindedLater = (
  { id, timeZone }: Pick<Conversation, 'id' | 'timeZone'>,
  at: number,
  { afterMs, hours }: Reminder,
): Pick<Change, 'conversation'> => ({
  conversation: {
    id,
    patch: { remindAt: afterMs <= 0 ? null : nextWorkingTime(at + afterMs, hours, timeZone) },
  },
})

/** Shows the next question once those before it are closed; without one, ends the reminder. */
export function showNext(
  { conversation, questions }: Thread,
  isClosed: (question: Question) => boolean,
  at: number,
  reminder: Reminder,
): Pick<Change, 'deliveries' | 'conversation'> {
  const next = questions.find((question) => !isClosed(question))
  if (next === undefined)
    return { conversation: { id: conversation.id, patch: { remindAt: null } } }
  return next === questions[0] ? {} : showQuestion(conversation, next, at, reminder)
}

/** The id of the delivery that `showQuestion` makes, for channels that have to find it again. */
export const questionDeliveryId = ({ id, runId }: Question): string =>
  deliveryIdOf({ kind: 'run', refId: runId }, `question:${id}`)

const quarterMs = 15 * 60 * 1000

/** That instant, or the start of the next working hour after it. */
export const nextWorkingTime = (from: number, hours: WorkingHours, timeZone: string): number =>
  nextTime(from, (at) => isWorkingTime(at, hours, timeZone))

/**
 * That instant, or the first quarter of an hour after it of which it is true; two weeks later if it
 * never is.
 */
export function nextTime(from: number, isTime: (at: number) => boolean): number {
  let at = from
  // A quarter at a time (zones differ by quarters) for at most two weeks: right across changes of
  // daylight saving, without arithmetic of our own.
  for (let tries = 0; tries < 14 * 24 * 4; tries++) {
    if (isTime(at)) return at
    at = Math.floor(at / quarterMs) * quarterMs + quarterMs
  }
  return at
}

export function isWorkingTime(at: number, hours: WorkingHours, timeZone: string): boolean {
  const wall = wallClockIn(timeZone, at)
  return (
    hours.days.includes(weekdayOf(wall)) && wall.hour >= hours.fromHour && wall.hour < hours.toHour
  )
}
