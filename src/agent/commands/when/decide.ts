import type { When } from '../../domain/schedule.ts'
import {
  addDays,
  daysIn,
  instantOf,
  type WallClock,
  wallClockIn,
  weekdayOf,
} from '../../domain/zone.ts'
import { isCron } from '../../schedules/cron.ts'
import { slotAfter } from '../../schedules/recurrence.ts'
import { readRun, type Said } from './grammar.ts'
import {
  clocksIn,
  dateOf,
  monthsIn,
  numbersIn,
  type Span,
  sorted,
  spanOf,
  weekdaysIn,
  windowIn,
} from './words.ts'
import { ruleZone, timeZoneOf } from './zones.ts'

/*
 * What a time comes to that was read whole: an instant, or a rule of days and clocks as a cron pattern. A time without a date of
 * its own is the next one of its pattern. Where words do not go together, one of them is named.
 */

/** A clock on the wall. */
export interface ClockTime {
  hour: number
  minute: number
}

export interface TimeFrame {
  /** Milliseconds since the epoch, UTC. */
  now: number
  /** The person's; a name that `isTimeZone` knows. */
  timeZone: string
  /** Completes a day without an hour. */
  clock: ClockTime
}

/** A time or rule; `timeZone` is the one that its words name. */
export interface Decided {
  when: When
  timeZone?: string
}
/** A slot of which it is not understood what it does there. */
type Unread = string

const minuteMs = 60_000
const isRuleOfDays =
  /^(?:every|each)|(?<!tue|wed|thur)s\b|[,/&-]| (?:and|to|through|thru|till|until) /

export function decide(said: Said, frame: TimeFrame): Decided | Unread {
  const { every, cron, except, days = '', dates, months, nth = '' } = said
  const isListed =
    numbersIn(dates).length > 1 || isRuleOfDays.test(days) || /^every|^each|month$/.test(nth)
  const isOfMonths = months !== undefined && nth === '' && dates === undefined
  return (every ?? cron ?? except ?? (isListed || isOfMonths))
    ? rule(said, frame)
    : single(said, frame)
}

/** A slot beside those that are allowed. */
const beside = (said: Said, allowed: string): Unread | undefined =>
  Object.keys(said).find((slot) => !allowed.split(' ').includes(slot))

/** So much later on the calendar; the 31st is the last day of a shorter month (C316). Null: no whole number of days. */
function later(wall: WallClock, { months, days, work }: Span): WallClock | null {
  if (![months, days, work].every((many) => Number.isInteger(many) && many < 40_000)) return null
  const first = wallClockIn('UTC', Date.UTC(wall.year, wall.month - 1 + months, 1))
  const inMonth = { ...wall, ...first, day: Math.min(wall.day, daysIn(first.year, first.month)) }
  let day = addDays({ ...inMonth, hour: wall.hour, minute: wall.minute }, days)
  for (let left = work; left > 0; left -= weekdayOf(day) < 6 ? 1 : 0) day = addDays(day, 1)
  return day
}

function single(said: Said, frame: TimeFrame): Decided | Unread {
  const zone = said.zone === undefined ? frame.timeZone : timeZoneOf(said.zone)
  if (zone === undefined) return 'zone'
  const { after, ...base } = said
  const at = instantIn(base, { ...frame, timeZone: zone }, frame.timeZone)
  if (typeof at === 'string' || after === undefined) return once(at)
  const moved = later(wallClockIn(zone, at), spanOf(after))
  return once(moved === null ? 'after' : instantOf(zone, moved))
}

/** The years that a calendar shows in four digits. */
const once = (at: number | Unread): Decided | Unread => {
  if (typeof at === 'string') return at
  return at >= 0 && at < Date.UTC(9999, 11, 31) ? { when: { kind: 'once', at } } : 'date'
}

/** @param own the zone in which today is today */
function instantIn(said: Said, frame: TimeFrame, own: string): number | Unread {
  const { date, nth, days, dates, months } = said
  if (said.delay !== undefined) return delayed(said, frame, own)
  const text = date ?? (months === undefined ? nth : undefined)
  const found = text === undefined ? null : dateOf(text, { ...frame, timeZone: own })
  if (text !== undefined && found === null) return date === undefined ? 'nth' : 'date'
  if (date?.endsWith(' month') && (nth ?? dates) !== undefined) {
    const { date: _, ...rest } = said
    const at = instantIn({ ...rest, months: `m${found?.day.month}` }, frame, own)
    return typeof at === 'string' || at - frame.now < 70 * 1440 * minuteMs ? at : 'date'
  }
  if (found === null || (found.isYearly && days === undefined && date !== undefined)) {
    const made = calendar(said, 0, frame, null)
    return typeof made === 'string' ? made : (nextOf(made, frame) ?? 'date')
  }
  if (days !== undefined && !weekdaysIn(days).includes(weekdayOf(found.day) % 7)) return 'days'
  const extra = beside(said, `days clocks part zone ${date === undefined ? 'nth' : 'date'}`)
  return extra ?? onDay(said, found.day, frame)
}

function onDay(said: Said, day: WallClock, { timeZone, clock }: TimeFrame): number | Unread {
  const [minute, another] = clocksIn(said, clock.hour * 60 + clock.minute)
  if (minute === undefined || another !== undefined) return 'clocks'
  return instantOf(timeZone, addDays({ ...day, hour: 0, minute }, 0))
}

/** From now on, to the minute; of days without hours it is the day. */
function delayed(said: Said, frame: TimeFrame, own: string): number | Unread {
  const span = spanOf(said.delay)
  const day = later(wallClockIn(own, frame.now), span)
  const extra = beside(said, span.minutes > 0 ? 'delay' : 'delay clocks part zone')
  if (day === null || extra !== undefined) return extra ?? 'delay'
  if (span.minutes === 0) return onDay(said, day, frame)
  const from = instantOf(own, day) + (frame.now % minuteMs)
  return Math.ceil((from + span.minutes * minuteMs) / minuteMs) * minuteMs
}

type Rule = Exclude<When, { kind: 'once' }>
const limitSlots = 'every starting until lasts times zone'
const nextOf = (when: Rule, { now, timeZone }: TimeFrame): number | null =>
  slotAfter({ when, repeats: true, place: { timeZone } }, now)

function rule(said: Said, frame: TimeFrame): Decided | Unread {
  const timeZone = said.zone === undefined ? frame.timeZone : ruleZone(said.zone, frame.timeZone)
  if (timeZone === undefined) return 'zone'
  const starting = limit(said.starting, { ...frame, timeZone, clock: { hour: 0, minute: 0 } })
  const begins = Math.max(frame.now, starting ?? 0)
  const last = limit(said.until, { ...frame, timeZone, clock: { hour: 23, minute: 59 } })
  const end =
    said.lasts === undefined ? null : later(wallClockIn(timeZone, begins), spanOf(said.lasts))
  if (starting === null) return 'starting'
  if (last === null || (last !== undefined && last <= begins)) return 'until'
  if (
    said.lasts !== undefined &&
    (end === null || last !== undefined || spanOf(said.lasts).minutes > 0)
  )
    return 'lasts'
  const isLater = begins > frame.now
  const made = within(
    said,
    { ...frame, timeZone, now: isLater ? begins - 1 : begins },
    isLater ? begins : null,
  )
  if (typeof made === 'string') return made
  const when = { ...made, times: Number(said.times ?? -1) }
  // `for two weeks` ends before the same clock in two weeks.
  const until = end === null ? last : instantOf(timeZone, end) - minuteMs
  if (until !== undefined) when.until = until
  if (isLater && when.kind === 'cron') when.starting = begins
  return said.zone === undefined ? { when } : { when, timeZone }
}

/** A day within a rule; undefined: none is said, null: it is no time. */
function limit(text: string | undefined, frame: TimeFrame): number | null | undefined {
  if (text === undefined) return undefined
  const { said, end } = readRun(text, () => false)
  const found = end === text.length ? decide(said, frame) : ''
  return typeof found !== 'string' && found.when.kind === 'once' ? found.when.at : null
}

/** @param first when it begins, if that is later than now */
function within(said: Said, frame: TimeFrame, first: number | null): Rule | Unread {
  if (said.cron !== undefined) return beside(said, `cron ${limitSlots}`) ?? cron(said.cron)
  const { minutes, days, months, work } = spanOf(said.every)
  if (work > 0) return 'every'
  if (minutes > 0) return interval(said, minutes, frame, first)
  if (days < 2 || (days === 7 && said.days !== undefined))
    return calendar(said, months, frame, first)
  // Every so many days or weeks is counted from the first of them.
  const pattern = calendar(said, 0, frame, first)
  if (typeof pattern === 'string') return pattern
  const isPlain = /^\d+ \d+ \* \* (?:\*|\d)$/.test(
    pattern.kind === 'cron' ? pattern.expression : '',
  )
  const isWeeks = days % 7 === 0 || said.days === undefined
  if (!isPlain || !isWeeks || !Number.isInteger(days))
    return isPlain ? 'every' : (['except', 'days'].find((slot) => slot in said) ?? 'clocks')
  return { kind: 'every', start: nextOf(pattern, frame) ?? 0, minutes: days * 1440, times: -1 }
}

const cron = (expression: string): Rule | Unread =>
  isCron(expression) ? { kind: 'cron', expression, times: -1 } : 'every'

/** Weekdays that are named, without those that are left out, as a field of a pattern. @param late days later */
function weekdayField({ days, except }: Said, late = 0): string {
  const out = weekdaysIn(except)
  const named = days === undefined ? [0, 1, 2, 3, 4, 5, 6] : weekdaysIn(days)
  const left = sorted(named.filter((day) => !out.includes(day)).map((day) => (day + late) % 7))
  return left.length === 7 ? '*' : left.join().replace(/^1,2,3,4,5$/, '1-5')
}

/** Every so many minutes, from now on or in some hours and on some days. */
function interval(
  said: Said,
  every: number,
  { now }: TimeFrame,
  first: number | null,
): Rule | Unread {
  const extra = beside(said, `${limitSlots} from to days except months`)
  if (extra !== undefined || !Number.isInteger(every)) return extra ?? 'every'
  if (beside(said, limitSlots) === undefined && every !== 60) {
    const start = first ?? (Math.ceil(now / minuteMs) + every) * minuteMs
    return { kind: 'every', start, minutes: every, times: -1 }
  }
  const isShort = every < 60
  const step = isShort ? every : every / 60
  if ((isShort ? 60 : 24) % step !== 0) return 'every'
  // What comes several times an hour is over when the last hour begins.
  const [from, to] = said.from === undefined ? [0, isShort ? 1440 : 1380] : windowIn(said)
  const [begin, end] = [from / 60, to / 60 - (isShort ? 1 : 0)]
  if (from % 60 !== 0 || to % 60 !== 0 || begin > end || end > 23) return 'from'
  const hours = end - begin === 23 ? '*' : `${begin}-${end}`
  const steps = (field: string, by: number) => (by === 1 ? field : `${field}/${by}`)
  const clock = isShort ? `${steps('*', step)} ${hours}` : `0 ${steps(hours, step)}`
  return cron(`${clock} * ${monthField(said)} ${weekdayField(said)}`)
}

const monthField = ({ months }: Said): string =>
  months === undefined ? '*' : monthsIn(months).join()

/** Clocks on days of weeks, months or years. @param every months */
function calendar(
  said: Said,
  every: number,
  frame: TimeFrame,
  first: number | null,
): Rule | Unread {
  const extra = beside(said, `${limitSlots} days except nth dates months date clocks part`)
  const clocks = clocksIn(said, frame.clock.hour * 60 + frame.clock.minute)
  const late = clocks.filter((clock) => clock >= 1440).length
  const fields = fieldsOf(said, every, frame, { first, late: late > 0 ? 1 : 0 })
  if (extra !== undefined || !fields.includes(' ')) return extra ?? fields
  const isDaily = fields === '* * *'
  if (
    clocks.length === 0 ||
    (late > 0 && !isDaily && (late < clocks.length || !fields.startsWith('* * ')))
  )
    return 'clocks'
  const patterns = Map.groupBy(clocks, (clock) => clock % 60)
  const hours = (all: number[]) => sorted(all.map((clock) => Math.floor(clock / 60) % 24)).join()
  return cron([...patterns].map(([minute, all]) => `${minute} ${hours(all)} ${fields}`).join(' | '))
}

/** The last three fields of a pattern, or the slot that does not go with the others. */
function fieldsOf(
  said: Said,
  every: number,
  frame: TimeFrame,
  { first, late }: { first: number | null; late: number },
): string {
  const { nth, date } = said
  const dated = date === undefined ? null : dateOf(date, frame)
  if (date !== undefined && (!dated?.isYearly || (every > 0 && every !== 12))) return 'date'
  const weekdays = weekdayField(said, late)
  const dates = dated === null ? numbersIn(said.dates) : [dated.day.day]
  const named = [weekdays !== '*' && 'days', nth && 'nth', dates.length > 0 && 'dates'].filter(
    (slot) => typeof slot === 'string',
  )
  const begins = wallClockIn(frame.timeZone, first ?? Date.UTC(2001, 0, 1, 12))
  const apart =
    every > 1 && every < 12
      ? sorted(
          Array.from({ length: 12 / every }, (_, n) => ((begins.month - 1 + n * every) % 12) + 1),
        ).join()
      : monthField(said)
  const month = dated?.day.month ?? apart
  if (named[1] !== undefined || weekdays === '') return named[1] ?? 'except'
  if ((every > 0 && 12 % every !== 0) || (every === 12 && (named.length === 0 || month === '*')))
    return 'every'
  if (every > 0 && every < 12 && weekdays !== '*') return 'days'
  if (nth !== undefined) return nthField(nth, String(month), every > 0 || said.months !== undefined)
  if (dates.length > 0) return `${dates.join()} ${month} *`
  return every > 0 ? `${begins.day} ${month} *` : `* ${month} ${weekdays}`
}

/** `every third friday` without its month may be every three weeks. */
function nthField(nth: string, month: string, isOfMonth: boolean): string {
  const [, word = '', day = ''] = /(?:^|\s)(last|\d{1,2})\w{0,2} (\w{1,20})/.exec(nth) ?? []
  const which = word.replace('last', 'L')
  const isClear = isOfMonth || nth.endsWith('month') || which === '1' || which === 'L'
  if (!isClear) return 'nth'
  if (day.startsWith('day')) return `${which} ${month} *`
  if (day.startsWith('weekday'))
    return which === 'L' ? `LW ${month} *` : which === '1' ? `1W ${month} *` : 'nth'
  return `* ${month} ${weekdaysIn(day).join()}#${which}`
}
