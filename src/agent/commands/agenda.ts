import { setImmediate as othersFirst } from 'node:timers/promises'
import { texts } from '../../locales/texts.ts'
import type { Schedule } from '../domain/schedule.ts'
import {
  addDays,
  daysIn,
  formatDay,
  instantOf,
  type WallClock,
  wallClockIn,
  weekdayOf,
} from '../domain/zone.ts'
import { slotAfter, slotsBetween } from '../schedules/recurrence.ts'
import type { Reader } from './command.ts'
import { plainText } from './command-line.ts'
import type { Range } from './schedule-options.ts'
import { clockOf } from './schedule-render.ts'

/** Minutes alone would fill a thread: so many times a day are shown of one schedule. */
const perDayMost = 24
/** And so many of all of them. */
const entriesMost = 200

export interface Span {
  from: number
  to: number
  /** The first day. */
  first: WallClock
}

/** F10: a day, a week from Monday or a month around an instant, on the reader's calendar. */
function spanOf(range: Range, anchor: number, timeZone: string): Span {
  const day = { ...wallClockIn(timeZone, anchor), hour: 0, minute: 0 }
  const firsts = { day, week: addDays(day, 1 - weekdayOf(day)), month: { ...day, day: 1 } }
  const lengths = { day: 1, week: 7, month: daysIn(day.year, day.month) }
  const [first, days] = [firsts[range], lengths[range]]
  return { from: instantOf(timeZone, first), to: instantOf(timeZone, addDays(first, days)), first }
}

/** F10: the span of a list: 31 days from two days ago. */
export function listSpan(now: number, timeZone: string): Span {
  const first = addDays({ ...wallClockIn(timeZone, now), hour: 0, minute: 0 }, -2)
  return { from: instantOf(timeZone, first), to: instantOf(timeZone, addDays(first, 31)), first }
}

export const hasSlotIn = (schedule: Schedule, { from, to }: Span) =>
  slotsBetween(schedule, from, to, 1).length > 0

/**
 * Lists what is due in a span, day by day, in the reader's time zone. Yields to other work in
 * between, as it may be a lot (S11).
 */
export async function renderAgenda(
  range: Range,
  anchor: number,
  schedules: readonly Schedule[],
  reader: Reader,
): Promise<string> {
  const { locale, timeZone } = reader
  const words = texts(locale).schedule
  const span = spanOf(range, anchor, timeZone)
  const title = words.viewTitles[range](
    range === 'month' ? formatDay(span.first).slice(0, 7) : formatDay(span.first),
  )
  const all: Entry[] = []
  for (const schedule of schedules) {
    all.push(...entriesOf(schedule, span, timeZone))
    await othersFirst()
  }
  if (all.length === 0) return `**${title}**\n${words.emptyView}`
  const entries = all.sort((a, b) => a.at - b.at).slice(0, entriesMost)
  const days = Map.groupBy(entries, ({ day }) => day)
  const parts = [...days].flatMap(([day, due]) => [
    `**${words.dayTitle(day)}**`,
    ...due.map(
      ({ at, schedule }) =>
        `- ${clockOf(at, timeZone)} ${plainText(schedule.title)} (#${schedule.id})`,
    ),
  ])
  const rest = all.length > entries.length ? ['', words.viewGoesOn(entries.length)] : []
  return [`**${title}**`, ...parts, ...rest].join('\n')
}

interface Entry {
  at: number
  /** YYYY-MM-DD on the reader's calendar. */
  day: string
  schedule: Schedule
}

/** When it is due in a span. A rule names days before it was made, but nothing was planned then. */
function entriesOf(schedule: Schedule, { from, to, first }: Span, timeZone: string): Entry[] {
  const entries: Entry[] = []
  for (let day = first, begins = from; begins < to && entries.length <= entriesMost; ) {
    const next = addDays(day, 1)
    const ends = instantOf(timeZone, next)
    const slots = slotsBetween(schedule, Math.max(begins, schedule.createdAt), ends, perDayMost)
    entries.push(...slots.map((at) => ({ at, day: formatDay(day), schedule })))
    day = next
    begins = ends
  }
  return entries
}

const monthMs = 31 * 86_400_000
const namedMost = 5
/** Number of times that two schedules are compared at most. */
const comparedMost = 300

/**
 * F11: others that overlap in [start, start + duration), repeats within 31 days included; the first
 * five are named, each with its own time (C320). No more of `others`, which come by number, are
 * read than that takes (C214).
 */
export async function overlapsOf(
  schedule: Schedule,
  others: AsyncIterable<Schedule>,
  now: number,
): Promise<{ at: number; other: Schedule }[]> {
  const found: { at: number; other: Schedule }[] = []
  const first = slotAfter(schedule, now - 1)
  if (first === null || first >= now + monthMs) return found
  let earliest = 0
  for await (const other of others) {
    if (other.id === schedule.id || other.paused) continue
    const at = firstOverlap(schedule, other, now)
    if (at !== null) found.push({ at: at.other, other })
    if (at?.own === first) earliest += 1
    if (earliest === namedMost) break
    await othersFirst()
  }
  return found.sort((a, b) => a.at - b.at || a.other.id - b.other.id).slice(0, namedMost)
}

/** Returns a schedule's duration in ms; a reminder takes no time (C320). */
const lastsMs = ({ work, durationMinutes }: Schedule) =>
  work === 'note' ? 1 : durationMinutes * 60_000

/**
 * The first slot of a schedule beside which another one lies, and that of the other; from each, the
 * next that could is looked for.
 */
function firstOverlap(
  schedule: Schedule,
  other: Schedule,
  now: number,
): { own: number; other: number } | null {
  const [ownMs, otherMs] = [lastsMs(schedule), lastsMs(other)]
  let at = slotAfter(schedule, now - 1)
  for (
    let compared = 0;
    at !== null && at < now + monthMs && compared < comparedMost;
    compared += 1
  ) {
    const start = slotAfter(other, at - otherMs)
    if (start === null) return null
    if (start < at + ownMs) return { own: at, other: start }
    at = slotAfter(schedule, start - ownMs)
  }
  return null
}
