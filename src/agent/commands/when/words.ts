import { addDays, offsetAt, wallClockIn, weekdayOf } from '../../domain/zone.ts'
import { englishTimes } from '../../on-demand.ts'
import { listed, patternOf, type TimeWords } from './grammar.ts'

/* What the words of a slot come to: numbers, days, clocks, spans and dates. */

const spans =
  /(?:(\d[\d.]{0,6}) ?)?(?<![a-z])(weekday|mi|mo|ho|hr|da|we|fo|qu|ye|[mhd](?![a-z]))[a-z]*/g

/** `2.5 hours`, `every 2 weeks`, `daily`, by what a calendar counts apart; `work`: working days. */
export function spanOf(text = '') {
  const sum = (units: string) => {
    const sizes = listed(units)
    return Array.from(text.matchAll(spans)).reduce(
      (all, [, many = '1', unit = '']) => all + Number(many) * Number(sizes.get(unit) ?? 0),
      0,
    )
  }
  return {
    minutes: sum('m=1 mi=1 h=60 ho=60 hr=60'),
    days: sum('d=1 da=1 we=7 fo=14'),
    months: sum('mo=1 qu=3 ye=12'),
    work: sum('weekday=1'),
  }
}

export const sorted = (list: Iterable<number>): number[] => [...new Set(list)].sort((a, b) => a - b)
export const numbersIn = (text = ''): number[] => sorted((text.match(/\d+/g) ?? []).map(Number))

const dayRange = patternOf('(DAY)s?(?:(?: ?- ?| (?:to|through|thru|till|until) )(DAY))?', 'g')
const dayOf = (name: string) => 'sunmontuewedthufrisat'.indexOf(name.slice(0, 3)) / 3

/** Weekdays, from 0 for Sunday: `mon, wed`, `friday to sunday`, `weekends`. */
export function weekdaysIn(text = ''): number[] {
  const plain = text.replace(/weekends?(?: days?)?/, 'sat, sun').replace(/weekdays?/, 'mon to fri')
  return Array.from(plain.matchAll(dayRange), ([, from = '', to = from]) =>
    Array.from(
      { length: ((dayOf(to) - dayOf(from) + 7) % 7) + 1 },
      (_, n) => (dayOf(from) + n) % 7,
    ),
  ).flat()
}

const anyMonth = patternOf('MONTH', 'g')
const months = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** Months, named or as `m3`. */
export const monthsIn = (text = ''): number[] =>
  numbersIn(text.replace(anyMonth, (name) => String(months.indexOf(name.slice(0, 3)) / 3 + 1)))

/**
 * Minutes of the day at which a part of it is usually meant, and before which a clock in it is of
 * its later half.
 */
const usual = listed(
  'dawn=60 daybreak=360 morning=540 forenoon=600 lunchtime=720 afternoon=900 evening=1080 night=1200',
)
const laterHalf = listed('lunchtime=600 afternoon=720 evening=781 night=781')
const noon = 720
/** Minutes of the day between which a clock of a part lies; later than 1440: on the day after. */
const spansOfDay = listed(
  'dawn=0-479 daybreak=180-720 morning=0-779 forenoon=240-779 lunchtime=600-959 afternoon=720-1199 evening=900-1739 night=1020-1739',
)
const clocks = /(\d{1,4})(?::(-?\d\d))?(?::\d\d)?(?: ?(am|pm))?/g

/** Minutes of the day that are named; which half of it is meant is said, plain or open. */
function minutesIn(text: string) {
  return Array.from(text.matchAll(clocks), ([, hour = '', minute = 0, half]) => {
    const said = Number(hour) * 60 + Number(minute)
    return {
      minutes: half === undefined ? said : (said % noon) + (half === 'pm' ? noon : 0),
      isOpen: half === undefined && said <= 780 && !hour.startsWith('0'),
    }
  })
}

/**
 * Minutes of the day that are said, or `otherwise`; none: `at 7 and 9pm`, of which the first may be
 * in the morning, or a clock that is not in its part of the day.
 */
export function clocksIn(
  { clocks: text, part = '', date = '' }: TimeWords,
  otherwise: number,
): number[] {
  if (!text) return [Number(usual.get(part) ?? otherwise)]
  const all = minutesIn(text)
  if (/[ap]m/.test(text) && all.some(({ isOpen }) => isOpen)) return []
  // “At four” is in the afternoon, unless clocks or the date beside it are written as a machine
  // does.
  const isWritten = /^\d{4}/.test(date) || all.some(({ minutes }) => minutes >= noon + 60)
  const [first = 0, last = Number.POSITIVE_INFINITY] = numbersIn(
    spansOfDay.get(part)?.replace('-', ' '),
  )
  const read = all.map(({ minutes, isOpen }) => {
    if (isOpen && part === '' && !isWritten && minutes >= 60 && minutes < 360) return minutes + noon
    // `at 8` in the evening is 20:00; what is 24:00 or later is on the day after.
    if (/night|evening/.test(part) && minutes < 300) return minutes + 2 * noon
    if (!isOpen) return minutes
    if (part === 'dawn') return minutes % noon
    return minutes < Number(laterHalf.get(part) ?? 0) ? minutes + noon : minutes
  })
  // “Tomorrow morning at 5pm” contradicts itself (C986).
  return read.every((minutes) => minutes >= first && minutes <= last) ? sorted(read) : []
}

/**
 * True if a clock is said before noon, and nothing of which half of the day is meant. Beside a date
 * in digits a clock has 24 hours.
 */
export const leavesHalfOpen = ({ clocks: text = '', part, date = '' }: TimeWords) =>
  part === undefined &&
  !/^\d{4}-/.test(date) &&
  minutesIn(text).some(({ isOpen, minutes }) => isOpen && minutes < noon)

/** A window of the day in minutes; `from 9 to 5` ends in the afternoon. */
export function windowIn({ from, to }: TimeWords) {
  const [first, last] = minutesIn(`${from} ${to}`)
  const [begin, end] = [first?.minutes ?? 0, last?.minutes ?? 0]
  return [begin, last?.isOpen && end < noon && end <= begin ? end + noon : end] as const
}

const thisDay = patternOf('^this (week )?(DAY)$', '')

/**
 * The day that a date in English is, and whether it comes every year; null: no calendar has it, or
 * it is over.
 */
export function dateOf(text = '', { now, timeZone }: { now: number; timeZone: string }) {
  const today = wallClockIn(timeZone, now)
  const { year } = today
  const [, ofWeek, named] = thisDay.exec(text) ?? []
  const ahead = named === undefined ? null : (dayOf(named) || 7) - weekdayOf(today)
  // “本周三” is of the week that Monday began; “this wednesday” may be the next one.
  if (ahead === 0 || ofWeek)
    return ahead !== null && ahead >= 0 ? { day: addDays(today, ahead), isYearly: false } : null
  const plain = text.replace(/year@(\d)/, (_, more) => String(year + Number(more)))
  const [found] = englishTimes().casual.parse(
    plain,
    { instant: new Date(now), timezone: offsetAt(timeZone, now) / 60_000 },
    { forwardDate: !/\b(?:ago|last|yesterday)\b/.test(text) },
  )
  if (found?.text.length !== plain.length || found.end) return null
  const { start } = found
  const day = wallClockIn(timeZone, start.date().getTime())
  const isYearly = start.isCertain('day') && !start.isCertain('year')
  return start.get('day') === day.day ? { day, isYearly } : null
}
