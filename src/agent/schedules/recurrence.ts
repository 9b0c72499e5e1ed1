import { LRUCache } from 'lru-cache'
import { atMost } from '../domain/at-most.ts'
import type { Schedule, When } from '../domain/schedule.ts'
import { addDays, instantOf, wallClockIn } from '../domain/zone.ts'
import { cronAfter } from './cron.ts'

const minuteMs = 60_000
const dayMinutes = 1440

/** Fields that decide when a schedule is due. */
export type Rule = Pick<Schedule, 'when' | 'repeats'> & {
  place: Pick<Schedule['place'], 'timeZone'>
}

/**
 * The first slot after `after`; null when there is none. Pure: the same rule and the same instant
 * give the same slot on every machine, so a slot can name what it causes.
 *
 * Intervals of whole days keep the clock of the zone: nine stays nine when the clocks are turned.
 * All others count elapsed time.
 */
export function slotAfter({ when, repeats, place }: Rule, after: number): number | null {
  if (when.kind === 'event') return null
  if (when.kind === 'once') return when.at > after ? when.at : null
  if (!repeats) return when.kind === 'every' && when.start > after ? when.start : null
  const { starting = 0, until = Number.POSITIVE_INFINITY } = when
  const begins = Math.max(after, starting - 1)
  const at =
    when.kind === 'cron'
      ? cronAfterCached(when.expression, place.timeZone, begins)
      : everyAfter(when, place.timeZone, begins)
  return at !== null && at <= until ? at : null
}

type Every = Extract<When, { kind: 'every' }>

function everyAfter(when: Every, timeZone: string, after: number): number | null {
  const step = when.minutes * minuteMs
  // A day may be an hour shorter, so the count starts one too low.
  const from = Math.max(0, Math.floor((after - when.start) / step) - 1)
  for (let n = from; when.times === -1 || n < when.times; n += 1) {
    const at = occurrence(when, timeZone, n)
    if (at > after) return at
  }
  return null
}

function occurrence({ start, minutes }: Every, timeZone: string, n: number): number {
  if (minutes % dayMinutes !== 0 || n === 0) return start + n * minutes * minuteMs
  const wall = addDays(wallClockIn(timeZone, start), (n * minutes) / dayMinutes)
  return instantOf(timeZone, wall) + (start % minuteMs)
}

/** Schedules like to be due at the same clock: "at nine" is worked out once for all of them. */
const answers = new LRUCache<string, { at: number | null }>(atMost(10_000))

function cronAfterCached(expression: string, timeZone: string, after: number): number | null {
  const key = `${after} ${timeZone} ${expression}`
  const known = answers.get(key)
  if (known !== undefined) return known.at
  const found = cronAfter(expression, timeZone, after)
  answers.set(key, { at: found })
  return found
}

/** The next `count` slots after `after`. */
export const nextSlots = (rule: Rule, after: number, count: number): number[] =>
  slotsBetween(rule, after + 1, Number.POSITIVE_INFINITY, count)

/**
 * Slots in [from, to), at most `most`. None beyond `to` is worked out: of a yearly rule that would
 * be centuries.
 */
export function slotsBetween(rule: Rule, from: number, to: number, most: number): number[] {
  const slots: number[] = []
  let at = slotAfter(rule, from - 1)
  while (at !== null && at < to && slots.length < most) {
    slots.push(at)
    if (slots.length < most) at = slotAfter(rule, at)
  }
  return slots
}

/** The base event: what a repeat repeats. A cron rule has none, nor has a rule of events. */
export function baseOf(when: When): number | null {
  if (when.kind === 'cron' || when.kind === 'event') return null
  return when.kind === 'once' ? when.at : when.start
}

/**
 * Reminders are looked for this many slots ahead; a reminder further before its slot than that
 * would be no reminder.
 */
const lookAhead = 500

/** The first reminder after `after`, and the slot that it reminds of (F12). */
export function reminderAfter(
  schedule: Rule & Pick<Schedule, 'remind'>,
  after: number,
): { at: number; slot: number } | null {
  const { base, repeat } = schedule.remind
  if (base === null && repeat === null) return null
  const start = baseOf(schedule.when)
  let slot = slotAfter(schedule, after)
  for (let looked = 0; slot !== null && looked < lookAhead; looked += 1) {
    const offset = slot === start ? base : repeat
    const at = offset === null ? null : slot - offset
    if (at !== null && at > after) return { at, slot }
    // Only the base event is reminded of, and it is over.
    if (repeat === null && (start === null || slot > start)) return null
    slot = slotAfter(schedule, slot)
  }
  return null
}
