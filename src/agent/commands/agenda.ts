import { texts } from '../../locales/texts.ts'
import type { Schedule } from '../domain/schedule.ts'
import { addDays, daysIn, formatDay, instantOf, type WallClock, wallClockIn, weekdayOf } from '../domain/zone.ts'
import { slotsBetween } from '../schedules/recurrence.ts'
import type { Range } from './schedule-options.ts'
import { clockOf, type Reader } from './schedule-render.ts'
import { plainText } from './words.ts'

/** Minutes alone would fill a thread: of one schedule so many times are shown a day. */
const perDayMost = 24
/** Slots that are looked at for one schedule. */
const slotsMost = 2_000

export interface Span {
  from: number
  to: number
  /** The first day. */
  first: WallClock
}

/** F10: a day, a week from Monday or a month around an instant, on the reader's calendar. */
function spanOf(range: Range, anchor: number, timeZone: string): Span {
  const day = { ...wallClockIn(timeZone, anchor), hour: 0, minute: 0 }
  const first = range === 'day' ? day : range === 'week' ? addDays(day, 1 - weekdayOf(day)) : { ...day, day: 1 }
  const days = range === 'day' ? 1 : range === 'week' ? 7 : daysIn(first.year, first.month)
  return { from: instantOf(timeZone, first), to: instantOf(timeZone, addDays(first, days)), first }
}

/** F10: the span of a list: 31 days from two days ago. */
export function listSpan(now: number, timeZone: string): Span {
  const first = addDays({ ...wallClockIn(timeZone, now), hour: 0, minute: 0 }, -2)
  return { from: instantOf(timeZone, first), to: instantOf(timeZone, addDays(first, 31)), first }
}

export const hasSlotIn = (schedule: Schedule, { from, to }: Span): boolean =>
  slotsBetween(schedule, from, to, 1).length > 0

/** What is due in a span, day by day, on the reader's clock. */
export function renderAgenda(range: Range, anchor: number, schedules: readonly Schedule[], reader: Reader): string {
  const { locale, timeZone } = reader
  const words = texts(locale).schedule
  const span = spanOf(range, anchor, timeZone)
  const title = words.viewTitles[range](range === 'month' ? formatDay(span.first).slice(0, 7) : formatDay(span.first))
  const entries = schedules.flatMap((schedule) => entriesOf(schedule, span, timeZone))
  if (entries.length === 0) return `**${title}**\n${words.emptyView}`
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone })
  const days = Map.groupBy(
    entries.sort((a, b) => a.at - b.at),
    ({ day }) => day,
  )
  const parts = [...days].flatMap(([day, due]) => [
    `**${weekday.format(due[0]?.at)} ${day}**`,
    ...due.map(({ line }) => line),
  ])
  return [`**${title}**`, ...parts].join('\n')
}

/** When it is due in a span. A rule names days before it was made, but nothing was planned then. */
function entriesOf(schedule: Schedule, { from, to }: Span, timeZone: string) {
  const slots = slotsBetween(schedule, Math.max(from, schedule.createdAt), to, slotsMost).map((at) => ({
    at,
    day: formatDay(wallClockIn(timeZone, at)),
    line: `- ${clockOf(at, timeZone)} ${plainText(schedule.title)} (#${schedule.id})`,
  }))
  return [...Map.groupBy(slots, ({ day }) => day).values()].flatMap((ofDay) => ofDay.slice(0, perDayMost))
}

const monthMs = 31 * 86_400_000
const namedMost = 5
/** Slots of each of two schedules that are compared. */
const comparedMost = 300

/** F11: others that overlap in [start, start + duration), repeats within 31 days included; the first five are named. */
export function overlapsOf(
  schedule: Schedule,
  others: readonly Schedule[],
  now: number,
): { at: number; other: Schedule }[] {
  const own = slotsBetween(schedule, now, now + monthMs, comparedMost)
  const ownMs = schedule.durationMinutes * 60_000
  const found: { at: number; other: Schedule }[] = []
  for (const other of others) {
    if (other.id === schedule.id || other.paused) continue
    const otherMs = other.durationMinutes * 60_000
    const theirs = slotsBetween(other, now - otherMs, now + monthMs, comparedMost)
    const hit = own.find((at) => theirs.some((start) => start < at + ownMs && at < start + otherMs))
    if (hit !== undefined) found.push({ at: hit, other })
  }
  return found.sort((a, b) => a.at - b.at || a.other.id - b.other.id).slice(0, namedMost)
}
