import { LRUCache } from 'lru-cache'
import { atMost } from './at-most.ts'
import { memoized } from './memoized.ts'

/** Date and time on a wall clock; months and days count from 1. */
export interface WallClock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

const dayMs = 86_400_000

/** Building a formatter costs a hundred times its use. */
const formatterOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
)

/** Time on the zone's clock, to the second, in ms as if the clock showed UTC. */
function shownAt(timeZone: string, at: number): number {
  const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of formatterOf(timeZone).formatToParts(at)) {
    if (type in fields) fields[type as keyof typeof fields] = Number(value)
  }
  return asUtc(fields) + fields.second * 1000
}

const formattedOffset = (timeZone: string, at: number) =>
  shownAt(timeZone, at) - Math.floor(at / 1000) * 1000

/**
 * Asking a formatter costs fifty times as much as remembering, and few days have more than one
 * offset: those are null.
 */
const offsets = new LRUCache<string, { ofDay: number | null }>(atMost(20_000))

function offsetOfDay(timeZone: string, day: number): number | null {
  const key = `${day} ${timeZone}`
  const known = offsets.get(key)
  if (known !== undefined) return known.ofDay
  const first = formattedOffset(timeZone, day * dayMs)
  const ofDay = first === formattedOffset(timeZone, (day + 1) * dayMs) ? first : null
  offsets.set(key, { ofDay })
  return ofDay
}

/** True if this is an IANA name (or an offset) that times can be read in. */
export function isTimeZone(name: string): boolean {
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * @param at milliseconds since the epoch, UTC.
 * @throws RangeError when there is no such zone.
 */
export function wallClockIn(timeZone: string, at: number): WallClock {
  const shown = new Date(at + offsetAt(timeZone, at))
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  }
}

/** Offset of the zone from UTC at that instant, in milliseconds; positive if ahead. */
export function offsetAt(timeZone: string, at: number): number {
  return offsetOfDay(timeZone, Math.floor(at / dayMs)) ?? formattedOffset(timeZone, at)
}

/**
 * The wall clock read as if it hung in Greenwich; days and months may overflow, as in `Date.UTC`.
 */
export function asUtc({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** The same clock after `days` days, whatever the zone does in between. */
export function addDays(wall: WallClock, days: number): WallClock {
  return wallClockIn('UTC', asUtc(wall) + days * dayMs)
}

/** Monday is 1, Sunday is 7. */
export function weekdayOf(wall: WallClock): number {
  return new Date(asUtc(wall)).getUTCDay() || 7
}

/** Number of days in the month; `month` may overflow. */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** True if the calendar and the clock have such a time: no 30 February, no 24:00. */
export function isReal(wall: WallClock): boolean {
  const read = wallClockIn('UTC', asUtc(wall))
  return wall.year >= 1970 && wall.year <= 9999 && formatWall(read) === formatWall(wall)
}

/**
 * The instant at which the clock in this zone shows that (C46).
 *
 * A clock that is turned back shows an hour twice: the first time is meant. An hour that is skipped
 * is counted on from the last moment before it: 02:30 becomes 03:30. Both are what calendars do
 * (RFC 5545, 3.3.5).
 *
 * @returns milliseconds since the epoch, UTC.
 */
export function instantOf(timeZone: string, wall: WallClock): number {
  const read = asUtc(wall)
  const before = read - offsetAt(timeZone, read - dayMs)
  const after = read - offsetAt(timeZone, read + dayMs)
  const shows = (at: number) => asUtc(wallClockIn(timeZone, at)) === read
  return shows(before) || !shows(after) ? before : after
}

const two = (n: number) => String(n).padStart(2, '0')

export function formatDay({ year, month, day }: WallClock): string {
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** `YYYY-MM-DD HH:MM`. */
export function formatWall(wall: WallClock): string {
  return `${formatDay(wall)} ${two(wall.hour)}:${two(wall.minute)}`
}

/**
 * An instant as people in the zone read it, to the minute. The second showing of a repeated hour
 * carries its offset, so that what is written can be read back.
 */
export function formatInstant(timeZone: string, at: number): string {
  const wall = wallClockIn(timeZone, at)
  const minute = Math.floor(at / 60_000) * 60_000
  return instantOf(timeZone, wall) === minute
    ? formatWall(wall)
    : `${formatWall(wall)}${offsetName(timeZone, at)}`
}

/**
 * Form of instants in texts (C138).
 * `wall`: a wall clock in the zone of the person whom they are for, for models. `named`: the same
 * with the zone's name. `zoned`: with the zone's offset, for a channel that shows them to every
 * reader in their own time.
 */
export type Times = 'wall' | 'named' | 'zoned'

/** Returns the form in which a workspace's platform shows instants. */
export type TimesIn = (workspace: string) => Times

export function showInstant(times: Times, timeZone: string, at: number): string {
  if (times === 'zoned') return zonedTime(at, timeZone)
  return times === 'wall'
    ? formatInstant(timeZone, at)
    : `${formatInstant(timeZone, at)} (${timeZone})`
}

/** ISO 8601 with offset, to the second: `2026-03-04T10:00:37+08:00`. For models and logs. */
export function zonedTime(at: number, timeZone: string): string {
  const second = new Date(at + offsetAt(timeZone, at)).getUTCSeconds()
  return `${formatWall(wallClockIn(timeZone, at)).replace(' ', 'T')}:${two(second)}${offsetName(timeZone, at)}`
}

/** The same to the minute, for a model's "now": `2026-11-20T09:00+01:00`. */
export function zonedMinute(at: number, timeZone: string): string {
  return `${formatWall(wallClockIn(timeZone, at)).replace(' ', 'T')}${offsetName(timeZone, at)}`
}

function offsetName(timeZone: string, at: number): string {
  const minutes = Math.round(offsetAt(timeZone, at) / 60_000)
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
