import { z } from 'zod'
import { wallClockIn, weekdayOf } from './zone.ts'

const minute = z.int().min(0).max(1440)

/**
 * A stretch of the day that begins on these weekdays, from 0 for Sunday; one that ends before it
 * begins ends on the next day.
 */
const QuietWindow = z.object({
  days: z.array(z.int().min(0).max(6)),
  /** Minutes of the day. */
  from: minute,
  to: minute,
})
export type QuietWindow = z.infer<typeof QuietWindow>

/** Hours in which a person, or anybody in a channel, is not called by a mention (C490). */
export const QuietHours = z.object({
  version: z.literal(1),
  timeZone: z.string(),
  /** It is quiet outside of the windows, not within them. */
  outside: z.boolean(),
  windows: z.array(QuietWindow).min(1),
})
export type QuietHours = z.infer<typeof QuietHours>

/**
 * True if it is quiet at that instant, on the clock of its zone: also where that clock is turned.
 */
export function isQuiet({ timeZone, outside, windows }: QuietHours, at: number): boolean {
  const wall = wallClockIn(timeZone, at)
  const now = wall.hour * 60 + wall.minute
  const today = weekdayOf(wall) % 7
  const isWithin = ({ days, from, to }: QuietWindow) => {
    const begun = days.includes(today) && now >= from
    if (to > from) return begun && now < to
    return begun || (days.includes((today + 6) % 7) && now < to)
  }
  return windows.some(isWithin) !== outside
}

/** Time after a requested instant in which the person is still called for it, in ms. */
const askedForMs = 60 * 60_000

/** True if nobody is called now: it is quiet, and they did not ask to be called at this time. */
export const isHushed = (
  hours: readonly QuietHours[],
  { askedFor, now }: { askedFor: number | undefined; now: number },
): boolean =>
  (askedFor === undefined || now - askedFor >= askedForMs) && hours.some((one) => isQuiet(one, now))
