import type { Schedule } from '../domain/schedule.ts'
import { addDays, formatDay, instantOf, offsetAt, wallClockIn } from '../domain/zone.ts'
import { reminderAfter, slotAfter } from './recurrence.ts'

/**
 * Instant, or several of one day: the first, the last, and their number; `null`: more than are
 * counted.
 */
export interface Folded {
  at: number
  until?: number
  count?: number | null
}

/** More than this in one day are one entry. */
const shownADay = 3
/** And so many of them are counted: every hour, on a day of 25. */
const countedADay = 25
const dayMs = 86_400_000

/**
 * The midnights of the days from `from` to `to` on the clock of a zone; `from` and `to` are among
 * them.
 */
export function midnightsIn(timeZone: string, from: number, to: number): number[] {
  const found = [from]
  const first = { ...wallClockIn(timeZone, from), hour: 0, minute: 0 }
  for (let day = 1, at = from; at < to; day += 1) {
    at = Math.min(to, instantOf(timeZone, addDays(first, day)))
    if (at > from) found.push(at)
  }
  return found
}

/**
 * The times of a schedule that are still to come, day by day; `work` counts what was worked out,
 * which takes time.
 */
export function timesAhead(
  schedule: Schedule,
  days: readonly number[],
  { now, timeZone }: { now: number; timeZone: string },
): { slots: Folded[]; reminders: Folded[]; work: number } {
  let work = 0
  const { when, nextAt, lastAt, fired, place } = schedule
  const after = Math.max(now, lastAt ?? 0)
  const next = (from: number) => {
    work += 1
    return nextAt === null ? null : slotAfter(schedule, Math.max(from, after))
  }
  const isLimited = 'times' in when && when.times !== -1
  const most = when.kind === 'cron' && isLimited ? when.times - fired : Number.POSITIVE_INFINITY
  const isSteady = (start: number, end: number) =>
    !isLimited &&
    end - start === dayMs &&
    [start, end].every((at) => offsetAt(place.timeZone, at) === offsetAt(timeZone, at))
  const remind = (from: number) => {
    work += 1
    return schedule.remindAt === null
      ? null
      : (reminderAfter(schedule, Math.max(from, now))?.at ?? null)
  }
  return {
    slots: byDay(next, days, { most, isSteady }),
    reminders: byDay(remind, days, { most, isSteady: () => false }),
    work,
  }
}

/** Folds times by day. On a day like the one before, only the first time is computed. */
function byDay(
  next: (after: number) => number | null,
  days: readonly number[],
  { most, isSteady }: { most: number; isSteady(start: number, end: number): boolean },
): Folded[] {
  const found: Folded[] = []
  let left = most
  let like: { first: number; last: number; count: number } | null = null
  let at = next((days[0] ?? 0) - 1)
  for (const [place, start] of days.entries()) {
    const end = days[place + 1]
    if (end === undefined || at === null || left <= 0) break
    if (at >= end) continue
    if (like !== null && isSteady(start, end) && at - start === like.first) {
      found.push({ at, until: start + like.last, count: like.count })
      at = next(end - 1)
      continue
    }
    const slots: number[] = []
    for (; at !== null && at < end && slots.length < Math.min(left, countedADay); at = next(at))
      slots.push(at)
    const isMore = at !== null && at < end && slots.length === countedADay
    left -= slots.length
    found.push(...folded(slots, isMore))
    if (isMore) at = next(end - 1)
    else if (slots.length > shownADay && isSteady(start, end))
      like = {
        first: (slots[0] ?? start) - start,
        last: (slots.at(-1) ?? start) - start,
        count: slots.length,
      }
  }
  return found
}

/** Some of one day in order. */
export function folded(slots: readonly number[], isMore = false): Folded[] {
  const [at] = slots
  if (at === undefined || slots.length <= shownADay) return slots.map((one) => ({ at: one }))
  return [{ at, until: slots.at(-1) ?? at, count: isMore ? null : slots.length }]
}

/** A day on which the clocks of a zone are turned, and by how many minutes: forward is positive. */
export interface Turn {
  timeZone: string
  day: string
  minutes: number
}

export function turnsIn(timeZone: string, from: number, to: number): Turn[] {
  const days = midnightsIn(timeZone, from, to)
  return days.slice(1).flatMap((end, place) => {
    const start = days[place] ?? end
    const minutes = (offsetAt(timeZone, end) - offsetAt(timeZone, start)) / 60_000
    return minutes === 0
      ? []
      : [{ timeZone, day: formatDay(wallClockIn(timeZone, start)), minutes }]
  })
}
