import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'
import { asUtc, instantOf, isReal, offsetAt, type WallClock, wallClockIn } from '../domain/zone.ts'

/*
 * Cron patterns. `croner` knows which clocks a pattern names; which instants those are in a zone is
 * decided here, by the one rule that holds for all times that Clew reads (`instantOf`): a clock
 * that is skipped is counted on from the last moment before it (02:30 becomes 03:30), a clock that
 * is shown twice is meant the first time. Patterns that name every hour (`*`) go on through the
 * repeated hour, so that "every 15 minutes" stays so.
 */

const nicknames = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** The five fields that a pattern stands for. */
export const cronFields = (expression: string): string => nicknames.get(expression) ?? expression

/** Building a pattern costs as much as using it. */
const known = new LRUCache({
  max: 2_000,
  memoMethod: (expression: string) => ({ pattern: build(expression) }),
})
const patternOf = (expression: string) => known.memo(expression).pattern
/**
 * Patterns of an expression, which is due at the times of all of them: `0 9 * * * | 30 18 * * *`.
 */
export const cronPatterns = (expression: string): string[] => expression.split(' | ')

const field =
  /^(?:[\d*,/#LW+-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+$/i

function build(expression: string): Cron | null {
  const fields = cronFields(expression)
  // Five fields of what cron is made of: croner takes some other texts for dates, and `?` means
  // different things to different programs.
  const parts = fields.split(' ')
  if (parts.length !== 5 || !parts.every((part) => field.test(part))) return null
  try {
    return new Cron(fields, { timezone: 'UTC', paused: true, mode: '5-part' })
  } catch {
    return null
  }
}

/** Single blanks, no blanks around. */
export const tidyCron = (text: string): string => text.trim().replace(/\s+/g, ' ')

export function isCron(expression: string): boolean {
  return cronPatterns(expression).every((pattern) => patternOf(pattern) !== null)
}

const hourMs = 3_600_000
/**
 * No zone turns its clock further than this in one night; whole days that a zone skipped lie in the
 * past.
 */
const nightMs = 3 * hourMs

/**
 * The first instant after `after` that the pattern names in the zone; null when it names none
 * within 30 years.
 *
 * @param after milliseconds since the epoch, UTC.
 */
export function cronAfter(expression: string, timeZone: string, after: number): number | null {
  const found = cronPatterns(expression).map((pattern) => oneAfter(pattern, timeZone, after))
  return found.reduce((best, at) => (best === null || (at !== null && at < best) ? at : best), null)
}

function oneAfter(expression: string, timeZone: string, after: number): number | null {
  const pattern = patternOf(expression)
  if (pattern === null) return null
  const wall = wallMs(timeZone, after)
  const first = nextWall(pattern, wall)
  if (first === null) return null
  const quick = first - offsetAt(timeZone, after)
  if (isQuiet(timeZone, after, quick)) return quick
  const throughRepeats = everyHour(expression)
  let best: number | null = null
  for (let at = nextWall(pattern, wall - nightMs); at !== null; at = nextWall(pattern, at)) {
    for (const instant of instantsOf(timeZone, at, throughRepeats)) {
      if (instant > after && (best === null || instant < best)) best = instant
    }
    // Later clocks cannot come sooner than a turned night.
    if (best !== null && at > wallMs(timeZone, best) + nightMs) return best
  }
  return best
}

/**
 * True if the zone's offset stays the same from a night before `from` to a night after `to`, less
 * than 40 days apart.
 */
function isQuiet(timeZone: string, from: number, to: number): boolean {
  const offset = offsetAt(timeZone, from - nightMs)
  if (offset !== offsetAt(timeZone, from) || offset !== offsetAt(timeZone, to + nightMs))
    return false
  return to - from < 40 * 24 * hourMs ? offset === offsetAt(timeZone, from + nightMs) : false
}

/** The clock on the wall as if it hung in Greenwich, to the minute. */
const wallMs = (timeZone: string, at: number) => asUtc(wallClockIn(timeZone, at))

function nextWall(pattern: Cron, after: number): number | null {
  const found = pattern.nextRun(new Date(after))?.getTime() ?? null
  return found === null || found - after > 30 * 366 * 24 * hourMs ? null : found
}

function instantsOf(timeZone: string, wall: number, throughRepeats: boolean): number[] {
  const clock: WallClock = wallClockIn('UTC', wall)
  if (!isReal(clock)) return []
  const first = instantOf(timeZone, clock)
  if (!throughRepeats) return [first]
  const second = wall - offsetAt(timeZone, first + nightMs)
  return second > first && wallMs(timeZone, second) === wall ? [first, second] : [first]
}

function everyHour(expression: string): boolean {
  return cronFields(expression).split(' ')[1] === '*'
}
