import { texts } from '../../locales/texts.ts'
import { assertNever } from '../domain/assert.ts'
import { sourceParts } from '../domain/event-source.ts'
import type { When } from '../domain/schedule.ts'
import { formatDay, showInstant, wallClockIn } from '../domain/zone.ts'
import { cronFields, cronPatterns } from '../schedules/cron.ts'
import type { CommandContext } from './command.ts'
import { inlineCode } from './command-line.ts'
import { conditionInWords } from './condition.ts'

/** A schedule's times are those of its own zone, for every reader. */
export type TimeDisplay = Pick<CommandContext, 'locale' | 'times'>

/** When it is due, in words: `every weekday at 09:00`. */
export function ruleInWords(
  { when, place }: { when: When; place: { timeZone: string } },
  { locale, times = 'wall' }: TimeDisplay,
): string {
  const words = texts(locale).schedule
  const time = (at: number) => showInstant(times, place.timeZone, at)
  switch (when.kind) {
    case 'once':
      return words.once(time(when.at))
    case 'every':
      return limited(words.from(words.every(...inUnits(when.minutes)), time(when.start)))
    case 'cron':
      return limited(cronInWords(when.expression, locale))
    case 'event': {
      const { kind, name } = sourceParts(when.source)
      const what = words.events[kind](inlineCode(name))
      return words.onEvent(what, when.match.map(conditionInWords))
    }
    default:
      return assertNever(when)
  }

  function limited(rule: string): string {
    if (!('times' in when)) return rule
    const { starting, until } = when
    const begins = starting === undefined ? rule : words.starting(rule, dayOf(starting, 0))
    const ends = until === undefined ? begins : words.until(begins, dayOf(until, 1439))
    return when.times === -1 ? ends : words.times(ends, when.times)
  }

  /** A limit without the clock that it has anyway. */
  function dayOf(at: number, usual: number): string {
    const wall = wallClockIn(place.timeZone, at)
    return wall.hour * 60 + wall.minute === usual ? formatDay(wall) : time(at)
  }
}

export const units = [
  ['week', 10_080],
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const

/** Minutes in the largest unit of which they are a whole number. */
export function inUnits(minutes: number, among: readonly (typeof units)[number][] = units) {
  const [unit, size] = among.find(([, one]) => minutes >= one && minutes % one === 0) ?? units[3]
  return [minutes / size, unit] as const
}

const names = 'jan feb mar apr may jun jul aug sep oct nov dec sun mon tue wed thu fri sat'
/** Numbers of months and weekdays that are written by their names. */
const numbered = (field: string) =>
  field.toLowerCase().replace(/[a-z]{3}/g, (name) => {
    const at = names.split(' ').indexOf(name)
    return at === -1 ? name : String(at < 12 ? at + 1 : at - 12)
  })

/** The numbers that a field names; null: all of them, or some that are no numbers, such as `L`. */
function numbersOf(field: string, first: number, last: number): number[] | null {
  const all = numbered(field)
    .split(',')
    .map((part) => {
      const [, from, to, step] = /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(part) ?? []
      if (from === undefined) return null
      const begin = from === '*' ? first : Number(from)
      const end = to ?? (from === '*' || step !== undefined ? last : begin)
      const count = Math.floor((Number(end) - begin) / Number(step ?? 1)) + 1
      return Array.from({ length: Math.max(0, count) }, (_, n) => begin + n * Number(step ?? 1))
    })
  return field === '*' || all.includes(null)
    ? null
    : [...new Set(all.flatMap((part) => part ?? []))].sort((a, b) => a - b)
}

interface Fields {
  minute: string
  hour: string
  days: string
}

/** More clocks than these are not read out. */
const clocksMost = 8

function cronInWords(expression: string, locale: string): string {
  const words = texts(locale).schedule
  const patterns = cronPatterns(expression).map((pattern): Fields => {
    const [minute = '', hour = '', ...days] = cronFields(pattern).split(' ')
    return { minute, hour, days: days.join(' ') }
  })
  const byDays = Map.groupBy(patterns, ({ days }) => days)
  return words.together([...byDays].map(([days, all]) => onDays(days, all, locale)))
}

function onDays(days: string, patterns: readonly Fields[], locale: string): string {
  const words = texts(locale).schedule
  const named = daysInWords(days, locale)
  const clocks = patterns.map(clocksOf)
  if (!clocks.includes(null)) {
    const all = clocks.flatMap((list) => list ?? []).sort()
    if (all.length <= clocksMost) return words.atClock(named ?? words.daily, all)
  }
  return words.together(patterns.map((one) => hoursInWords(one, named, locale)))
}

const clockOf = (hour: number, minute: number) =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** Clocks of a pattern that names its hours and minutes one by one. */
function clocksOf({ minute, hour }: Fields): string[] | null {
  if (/[*/]/.test(minute) || /[*/-]/.test(hour)) return null
  const [minutes, hours] = [numbersOf(minute, 0, 59), numbersOf(hour, 0, 23)]
  return hours?.flatMap((one) => (minutes ?? []).map((past) => clockOf(one, past))) ?? null
}

/** Several times a day: `every 15 minutes from 09:00 to 17:00 on weekdays`. */
function hoursInWords({ minute, hour }: Fields, days: string | null, locale: string): string {
  const words = texts(locale).schedule
  const [, begin, end, by = '1'] = /^(?:\*|(\d+)-(\d+))(?:\/(\d+))?$/.exec(hour) ?? []
  const [, step] = /^\*(?:\/(\d+))?$/.exec(minute) ?? []
  const isSteps = /^\*/.test(minute) && /^\*(?:\/\d+)?$/.test(minute)
  const isRange = hour === '*' || begin !== undefined || /^\*\//.test(hour)
  const window = (more: number) =>
    begin === undefined
      ? null
      : ([clockOf(Number(begin), 0), clockOf(Number(end) + more, 0)] as const)
  if (isRange && minute === '0')
    return words.within(
      by === '1' ? words.hourly : words.every(Number(by), 'hour'),
      window(0),
      days,
    )
  if (isSteps && isRange && by === '1')
    return words.within(words.every(Number(step ?? 1), 'minute'), window(1), days)
  return words.within(
    words.minutesPast(numbersOf(minute, 0, 59), numbersOf(hour, 0, 23)),
    null,
    days,
  )
}

/**
 * Days of the last three fields of a pattern; null: every day. Of days of the month and of the week
 * either counts (C314).
 */
function daysInWords(fields: string, locale: string): string | null {
  const words = texts(locale).schedule
  const [day = '*', month = '*', weekday = '*'] = fields.split(' ')
  const months = numbersOf(month, 1, 12)
  const ofMonth = day === '*' ? null : words.monthly(numbersOf(day, 1, 31)?.map(String) ?? [day])
  const ofWeek = weekday === '*' ? null : weekdaysInWords(weekday, locale)
  const days =
    ofMonth !== null && ofWeek !== null ? words.either(ofMonth, ofWeek) : (ofMonth ?? ofWeek)
  if (months === null) return days
  const month0 = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  const called = months.map((number) => month0.format(Date.UTC(2026, number - 1, 1)))
  return words.inMonths(days ?? words.daily, called)
}

function weekdaysInWords(weekday: string, locale: string): string {
  const words = texts(locale).schedule
  const name = (number: string | number) => words.dayNames[Number(number) % 7] ?? ''
  const list = numbersOf(weekday, 0, 7)?.map((number) => number % 7)
  if (list === undefined || list === null) {
    const nth = numbered(weekday)
      .replace(/(?<=\d)l/g, '#L')
      .toUpperCase()
      .split(',')
    return words.together(
      nth.map((one) => {
        const [number = '', which = ''] = one.split('#')
        return words.nthDay(which, name(number))
      }),
    )
  }
  const key = [...new Set(list)].sort().join()
  if (key === '1,2,3,4,5') return words.weekdays
  if (key === '0,6') return words.weekends
  return key === '0,1,2,3,4,5,6' ? words.daily : words.onDays(list.map(name))
}
