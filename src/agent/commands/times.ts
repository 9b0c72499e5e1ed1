import { asUtc, instantOf, isReal, offsetAt, type WallClock, wallClockIn } from '../domain/zone.ts'
import { englishTimes } from '../on-demand.ts'
import { readChineseTime, type WrittenTime } from './chinese-times.ts'
import { narrow } from './command-line.ts'

/** A clock on the wall. */
export interface ClockTime {
  hour: number
  minute: number
}

/** What an hour-less day means: a to-do is due until the day is over, a reminder or a rule is for its morning. */
export const dueClock = { hour: 23, minute: 59 }
export const remindClock = { hour: 9, minute: 0 }

export interface TimeFrame {
  /** Milliseconds since the epoch, UTC. */
  now: number
  /** The person's; a name that `isTimeZone` knows. */
  timeZone: string
  /** Completes a day without an hour. */
  clock: ClockTime
}

/** Longer is no time, and reading is not free. */
const longest = 60

/**
 * Reads a time that a person or a model wrote: `2026-03-08 18:00`, `2026-03-08`, `tomorrow 9am`, `明天上午9点` (C46).
 * It is read on the clock of `timeZone`, as `instantOf` says where that clock is turned; the machine's own zone has no
 * part in it. The whole text has to be a time.
 *
 * @returns the instant in milliseconds since the epoch, at a full minute; null when it is not a time.
 */
export function readTime(text: string, frame: TimeFrame): number | null {
  const plain = text.length > 4 * longest ? '' : narrow(text).replace(/\s+/g, ' ').trim()
  if (plain === '' || plain.length > longest) return null
  const written = readExact(plain) ?? readNatural(plain, frame)
  if (written === null) return null
  if (written.kind === 'instant')
    return isStorable(written.at) ? Math.ceil(written.at / 60_000) * 60_000 : null
  const wall = written.kind === 'day' ? { ...written.wall, ...frame.clock } : written.wall
  return isReal(wall) ? instantOf(frame.timeZone, wall) : null
}

/** The years that a calendar shows in four digits. */
function isStorable(at: number): boolean {
  return at >= 0 && at < Date.UTC(9999, 11, 31)
}

const exact =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ t](\d{1,2}):(\d{2})(?::00)?(?: ?(z|[+-]\d{2}:?\d{2}))?)?$/

function readExact(text: string): WrittenTime | null {
  const match = exact.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, offset] = match
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
  }
  if (hour === undefined) return { kind: 'day', wall }
  if (offset === undefined) return { kind: 'wall', wall }
  return isReal(wall) ? { kind: 'instant', at: asUtc(wall) - offsetMinutes(offset) * 60_000 } : null
}

function offsetMinutes(text: string): number {
  if (text === 'z') return 0
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2))
  return text.startsWith('-') ? -minutes : minutes
}

function readNatural(text: string, { now, timeZone }: TimeFrame): WrittenTime | null {
  const wall = wallClockIn(timeZone, now)
  if (/\p{Script=Han}/u.test(text))
    return readChineseTime(text.replaceAll(' ', ''), { wall, at: now })
  const english = text
    .replace(/^(?:at|on|by|before|due) /, '')
    .replace(/^(?:the )?day after tomorrow/, 'in 2 days')
  return readEnglish(english, { wall, at: now, offset: offsetAt(timeZone, now) })
}

/** chrono takes 6:00 for the morning and 22:00 for tonight; nobody wants to be reminded then. */
const partsOfDay: Record<string, number> = {
  'casualReference/morning': 9,
  'casualReference/afternoon': 15,
  'casualReference/evening': 18,
  'casualReference/tonight': 20,
  'casualReference/noon': 12,
}

function readEnglish(
  text: string,
  now: { wall: WallClock; at: number; offset: number },
): WrittenTime | null {
  const [result, ...others] = englishTimes().casual.parse(
    text,
    { instant: new Date(now.at), timezone: now.offset / 60_000 },
    { forwardDate: !/\b(?:ago|last|yesterday)\b/.test(text) },
  )
  if (result === undefined || others.length > 0 || result.text.length !== text.length || result.end)
    return null
  const { start } = result
  const part = Object.keys(partsOfDay).find((tag) => result.tags().has(tag))
  const field = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'timezoneOffset') =>
    start.get(name) ?? 0
  const wall = {
    year: field('year'),
    month: field('month'),
    day: field('day'),
    hour: start.isCertain('hour') ? field('hour') : (partsOfDay[part ?? ''] ?? 0),
    minute: start.isCertain('hour') ? field('minute') : 0,
  }
  // `in 2 hours` and `5pm PST` say which offset they mean; all else is read on the person's clock.
  if (start.isCertain('hour') && start.isCertain('timezoneOffset'))
    return {
      kind: 'instant',
      at: asUtc(wall) + (start.get('second') ?? 0) * 1000 - field('timezoneOffset') * 60_000,
    }
  return { kind: start.isCertain('hour') || part !== undefined ? 'wall' : 'day', wall }
}

const numbers = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Hours in words as digits, halves and quarters as minutes: `half past nine` → `9:30`. */
export function plainClock(text: string): string {
  const digits = text.replace(/\b[a-z]+\b/g, (word) => {
    const at = numbers.indexOf(word)
    return at === -1 ? word : String(at + 1)
  })
  return digits
    .replace(/\b(?:on )?the first(?= (?:day )?of)\b/g, 'on the 1st')
    .replace(/\bhalf past (\d{1,2})\b/g, '$1:30')
    .replace(/\b(?:a )?quarter past (\d{1,2})\b/g, '$1:15')
    .replace(
      /\b(?:a )?quarter to (\d{1,2})\b/g,
      (_, hour: string) => `${Number(hour) === 1 ? 12 : Number(hour) - 1}:45`,
    )
    .replace(/\b(\d{1,2}) o['’]?clock\b/g, '$1')
    .replace(/\b(\d{1,2})[.h](\d{2})\b/g, '$1:$2')
}

/** A clock on the wall in words of any language that `readTime` knows; null when it is none. */
export function readClock(text: string): ClockTime | null {
  const plain = plainClock(text.trim())
  const bare = /^(\d{1,2})(?::(\d{2}))?$/.exec(plain)
  if (bare !== null) {
    const [hour, minute] = [Number(bare[1]), Number(bare[2] ?? 0)]
    return hour < 24 && minute < 60 ? { hour, minute } : null
  }
  const day = /\p{Script=Han}/u.test(plain) ? '明天' : 'tomorrow at '
  const at = readTime(`${day}${plain}`, { now: 0, timeZone: 'UTC', clock: { hour: 0, minute: 0 } })
  if (at === null) return null
  const { hour, minute } = wallClockIn('UTC', at)
  return { hour, minute }
}
