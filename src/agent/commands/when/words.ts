import { isReal, offsetAt, type WallClock, wallClockIn } from '../../domain/zone.ts'
import { englishTimes } from '../../on-demand.ts'
import { patternOf, type Said } from './grammar.ts'
import { dayNames } from './plain.ts'

/* What the words of a slot come to: numbers, days, clocks, spans and dates. */

/** How long, by what a calendar counts apart; `work`: working days. */
export interface Span {
  minutes: number
  days: number
  months: number
  work: number
}

const sizes: Readonly<Record<string, readonly [keyof Span, number]>> = {
  m: ['minutes', 1],
  mi: ['minutes', 1],
  h: ['minutes', 60],
  ho: ['minutes', 60],
  hr: ['minutes', 60],
  da: ['days', 1],
  we: ['days', 7],
  fo: ['days', 14],
  mo: ['months', 1],
  qu: ['months', 3],
  ye: ['months', 12],
}
const spans = /(?:(\d[\d.]{0,6}) ?)?\b(mi|mo|ho|hr|da|weekday|we|fo|qu|ye|m\b|h\b)[a-z]*/g

/** `2.5 hours`, `every 2 weeks`, `daily`. */
export function spanOf(text = ''): Span {
  const span = { minutes: 0, days: 0, months: 0, work: 0 }
  for (const [, many = '1', unit = ''] of text.matchAll(spans)) {
    const [slot, size] = sizes[unit] ?? ['work', 1]
    span[slot] += Number(many) * size
  }
  return span
}

export const sorted = (list: Iterable<number>): number[] => [...new Set(list)].sort((a, b) => a - b)
export const numbersIn = (text = ''): number[] => sorted((text.match(/\d+/g) ?? []).map(Number))

const anyDay = patternOf('DAY', 'g')
const isRange = patternOf('RANGE', '')

/** Weekdays, from 0 for Sunday: `mon, wed`, `friday to sunday`, `weekends`. */
export function weekdaysIn(text = ''): number[] {
  const plain = text.replace('weekends', 'sat, sun').replace(/weekend(?: days?)?/, 'sat, sun')
  const range = plain.replace(/weekdays?/, 'mon to fri')
  const days = (range.match(anyDay) ?? []).map((name) =>
    dayNames.findIndex((day) => day.startsWith(name.slice(0, 3))),
  )
  const [from = 0, to = 0] = days
  if (!isRange.test(range)) return sorted(days)
  return sorted(Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, n) => (from + n) % 7))
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
export const monthsIn = (text: string): number[] =>
  sorted(
    text.split(/\W+/).map((name) => months.indexOf(name.slice(0, 3)) + 1 || Number(name.slice(1))),
  ).filter((one) => one > 0)

/** Minutes of the day at which a part of it is usually meant. */
const usual: Readonly<Record<string, number>> = {
  dawn: 60,
  daybreak: 360,
  morning: 540,
  forenoon: 600,
  lunchtime: 720,
  afternoon: 900,
  evening: 1080,
  night: 1200,
}
const noon = 720
const clocks = /(\d{1,4})(?::(-?\d\d))?(?::\d\d)?(?: ?(am|pm))?/g

/** Minutes of the day that are named; which half of it is meant is said, plain or open. */
function minutesIn(text = '') {
  return Array.from(text.matchAll(clocks), ([, hour = '', minute = 0, half]) => {
    const said = Number(hour) * 60 + Number(minute)
    const late = half === 'pm' && said < noon ? noon : 0
    const early = half === 'am' && said >= noon ? noon : 0
    return {
      minutes: said + late - early,
      half,
      isOpen: half === undefined && said <= 780 && !hour.startsWith('0'),
    }
  })
}

/** `at 8` in the evening is 20:00; what is 24:00 or later is on the day after. */
function inPart(part: string, { minutes, isOpen }: { minutes: number; isOpen: boolean }): number {
  const isNight = part === 'night' || part === 'evening'
  if (isNight && minutes < 300) return minutes + 2 * noon
  if (!isOpen || (minutes >= noon && part !== 'dawn'))
    return isOpen && isNight ? minutes + noon : minutes
  if (part === 'dawn') return minutes % noon
  return isNight || part === 'afternoon' || (part === 'lunchtime' && minutes < 600)
    ? minutes + noon
    : minutes
}

/** Minutes of the day that are said, or `otherwise`; none: `at 7 and 9pm`, of which the first may be in the morning. */
export function clocksIn({ clocks: text, part = '' }: Said, otherwise: number): number[] {
  if (text === undefined) return [usual[part] ?? otherwise]
  const all = minutesIn(text)
  const isMixed = all.some(({ half }) => half) && all.some(({ isOpen }) => isOpen)
  return isMixed ? [] : sorted(all.map((one) => inPart(part, one)))
}

/** A window of the day in minutes; `from 9 to 5` ends in the afternoon. */
export function windowIn({ from, to }: Said): [number, number] {
  const [first, last] = minutesIn(`${from} ${to}`)
  const [begin, end] = [first?.minutes ?? 0, last?.minutes ?? 0]
  return [begin, last?.isOpen && end < noon && end <= begin ? end + noon : end]
}

/** Days as chrono knows them. */
const known = (text: string, { year }: WallClock): string =>
  text
    .replace('day after tomorrow', 'in 2 days')
    .replace(/year@(\d)/, (_, more) => String(year + Number(more)))
    .replace(/ ,/g, ',')
    .replace(/^(\d+)\.(\d+)\.$/, '$2/$1')

/** The day that a date in English is, and whether it comes every year; null: no calendar has it. */
export function dateOf(text: string, { now, timeZone }: { now: number; timeZone: string }) {
  const today = wallClockIn(timeZone, now)
  const plain = known(text, today)
  const [found] = englishTimes().casual.parse(
    plain,
    { instant: new Date(now), timezone: offsetAt(timeZone, now) / 60_000 },
    { forwardDate: !/\b(?:ago|last|yesterday)\b/.test(text) },
  )
  if (found?.text.length !== plain.length || found.end) return null
  const field = (name: 'year' | 'month' | 'day') => found.start.get(name) ?? 0
  const day = {
    ...today,
    hour: 0,
    minute: 0,
    year: field('year'),
    month: field('month'),
    day: field('day'),
  }
  const isYearly = found.start.isCertain('day') && !found.start.isCertain('year')
  return isReal(day) ? { day, isYearly } : null
}
