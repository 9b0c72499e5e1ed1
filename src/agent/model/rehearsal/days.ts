import { readTime } from '../../commands/times.ts'
import { addDays, formatWall, isTimeZone, type WallClock, wallClockIn, weekdayOf } from '../../domain/zone.ts'
import type { Day } from './words.en.ts'

/** The clock of a request: an ISO instant and the zone that it is read in. */
export interface Clock {
  now: string
  timeZone: string
}

const read = ({ now, timeZone }: Clock) => ({ at: Date.parse(now), timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' })

/** Three working days that suit most things: about one, two and three weeks from now. */
export function proposedDays(clock: Clock): Day[] {
  const { at, timeZone } = read(clock)
  if (Number.isNaN(at)) return []
  const today = wallClockIn(timeZone, at)
  return [7, 14, 21].map((ahead) => {
    const weekday = weekdayOf(addDays(today, ahead))
    const shift = weekday === 6 ? -1 : weekday === 7 ? 1 : 0
    return dayOf(addDays(today, ahead + shift))
  })
}

const dayOf = (wall: WallClock): Day => ({
  year: wall.year,
  month: wall.month,
  day: wall.day,
  weekday: weekdayOf(wall),
})

/** A time in people's words as `YYYY-MM-DD HH:MM` (F6); null when it is none, or over. A day alone ends at 18:00. */
export function dueOf(phrase: string | null, clock: Clock): string | null {
  const { at, timeZone } = read(clock)
  if (phrase === null || Number.isNaN(at)) return null
  const due = readTime(phrase.replace(/^(?:in|by|for|of|on|every)\s+(?=\p{L}+$)/iu, ''), {
    now: at,
    timeZone,
    clock: { hour: 18, minute: 0 },
  })
  return due === null || due < at ? null : formatWall(wallClockIn(timeZone, due))
}
