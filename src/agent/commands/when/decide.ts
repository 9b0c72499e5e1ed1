import type { When } from '../../domain/schedule.ts'
import { addDays, daysIn, instantOf, wallClockIn, weekdayOf } from '../../domain/zone.ts'
import { cronAfter, isCron } from '../../schedules/cron.ts'
import { linesOf, readRun, type TimeWords } from './grammar.ts'
import {
  clocksIn,
  dateOf,
  leavesHalfOpen,
  monthsIn,
  numbersIn,
  sorted,
  spanOf,
  weekdaysIn,
  windowIn,
} from './words.ts'
import { zoneOf } from './zones.ts'

/*
 * What a time comes to that was read whole: an instant, or a rule of days and clocks as a cron
 * pattern. A time without a date of its own is the next one of its pattern. Where words do not go
 * together, one of them is named.
 */

export interface TimeFrame {
  /** Milliseconds since the epoch, UTC. */
  now: number
  /** The person's; a name that `isTimeZone` knows. */
  timeZone: string
  /** Completes a day without an hour: minutes of the day; else it is nine. */
  clock?: number
}

/**
 * `own`: the zone in which today is today; `first`: when a rule begins, if that is later than now.
 */
interface RuleFrame extends TimeFrame {
  clock: number
  own: string
  first?: number
}

/** A time or rule; `timeZone` is the one that its words name. */
export interface Decided {
  when: When
  timeZone?: string | undefined
}
/** A slot of which it is not understood what it does there. */
type Unread = string

/** Time of day of a reminder or a rule without an hour, in minutes: 9:00. */
export const remindClock = 540
const minuteMs = 60_000
/** Slots and words that make a time a rule; months do that alone. */
const repeats = new RegExp(
  linesOf(String.raw`
"(?:every|cron)"
^(?!.*"days").*"except"
"(?:days|nth|months)":"(?:every|each)
"days":"[^"]*(?:(?<!tue|wed|thur)s\b|[,/&-]| (?:and|to|through|thru|till|until) )
"nth":"[^"]*month"
"dates":"[^"]*\d[^"\d]+\d
^(?!.*"(?:nth|dates)").*"months"
`).join('|'),
)

export function decide({ zone, ...said }: TimeWords, frame: TimeFrame): Decided | Unread {
  const isRule = repeats.test(JSON.stringify(said))
  const timeZone = zoneOf(zone, frame.timeZone, isRule)
  if (!timeZone) return 'zone'
  const read = isRule ? rule : single
  const when = read(said, { clock: remindClock, ...frame, timeZone, own: frame.timeZone })
  return typeof when === 'string' ? when : { when, timeZone: isRule && zone ? timeZone : undefined }
}

/** A slot beside those that are allowed, or `twice`: a piece says one again. */
export const beside = (said: TimeWords, allowed: string): Unread | undefined =>
  Object.keys(said).find((slot) => !allowed.split(' ').includes(slot))

/** So much later on the calendar; the 31st is the last day of a shorter month (C316). */
function later(timeZone: string, at: number, text?: string): number {
  const { months, days, work } = spanOf(text)
  if (months + days + work === 0) return at
  const wall = wallClockIn(timeZone, at)
  const month = wall.month + months
  let day = addDays({ ...wall, month, day: Math.min(wall.day, daysIn(wall.year, month)) }, days)
  for (let left = work; left > 0; left -= weekdayOf(day) < 6 ? 1 : 0) day = addDays(day, 1)
  return instantOf(timeZone, day) + (at % minuteMs)
}

/** A delay of days is so many days after today, one of hours runs from now on, to the minute. */
function single({ after, delay, ...said }: TimeWords, frame: RuleFrame): When | Unread {
  if (delay && said.date) return 'date'
  const { minutes } = spanOf(delay)
  const from = delay ? { date: 'today', ...said } : said
  const found =
    minutes > 0
      ? (beside(said, '') ?? Math.ceil(frame.now / minuteMs + minutes) * minuteMs)
      : instantIn(from, frame)
  if (typeof found === 'string') return found
  // “Today at nine”, said at ten, is in the evening.
  const isMorning = wallClockIn(frame.timeZone, found).hour < 12
  const isEvening = said.date === 'today' && found <= frame.now && isMorning && leavesHalfOpen(said)
  const at = later(frame.timeZone, isEvening ? found + 720 * minuteMs : found, after ?? delay)
  // The years that a calendar shows in four digits.
  return at >= 0 && at < Date.UTC(9999, 11, 31) ? { kind: 'once', at } : 'date'
}

function instantIn(said: TimeWords, frame: RuleFrame): number | Unread {
  const { now, timeZone, own } = frame
  const { date, nth, days, dates, months } = said
  const found = dateOf(date, { now, timeZone: own })
  if (date && !found) return 'date'
  if (!date && nth && !months) return 'nth'
  if (!date && days && dates) return onWeekday(days, said, frame)
  if (date?.endsWith(' month') && (nth ?? dates)) return inMonth(date, said, frame)
  if (!found || (found.isYearly && !days)) {
    const made = calendar(said, 0, frame)
    // Two clocks are no single time.
    return /^\d+ \d+ [^|]*$/.test(made) ? (cronAfter(made, timeZone, now) ?? 'date') : made
  }
  if (days && !weekdaysIn(days).includes(weekdayOf(found.day) % 7)) return 'days'
  const [minute, another] = clocksIn(said, frame.clock)
  if (minute === undefined || another !== undefined) return 'clocks'
  const at = instantOf(timeZone, { ...found.day, hour: 0, minute })
  return beside(said, 'days clocks part date') ?? at
}

/** “Thursday the 26th” is the 26th if that is a Thursday. */
function onWeekday(days: string, said: TimeWords, frame: RuleFrame): number | Unread {
  const at = instantIn({ ...said, days: undefined }, frame)
  if (typeof at === 'string') return at
  const weekday = weekdayOf(wallClockIn(frame.timeZone, at)) % 7
  return weekdaysIn(days).includes(weekday) ? at : 'days'
}

/** A day of `this month` or `next month`; chrono adds a month to the 31st and is in the one after. */
function inMonth(date: string, said: TimeWords, frame: RuleFrame): number | Unread {
  const { month } = wallClockIn(frame.own, frame.now)
  const meant = date.startsWith('next') ? (month % 12) + 1 : month
  const at = instantIn({ ...said, date: undefined, months: `m${meant}` }, frame)
  return typeof at === 'string' || at - frame.now < 70 * 1440 * minuteMs ? at : 'date'
}

function rule(
  { starting, until: end, lasts, times = '-1', ...said }: TimeWords,
  frame: RuleFrame,
): When | Unread {
  const { timeZone, now } = frame
  const begins = Math.max(now, limit(starting, { ...frame, clock: 0 }) ?? 0)
  if (Number.isNaN(begins)) return 'starting'
  // `for two weeks` ends before the same clock in two weeks.
  const until = lasts
    ? later(timeZone, begins, lasts) - minuteMs
    : limit(end, { ...frame, now: begins, clock: 1439 })
  if (until !== undefined && (!(until > begins) || (lasts && end))) return lasts ? 'lasts' : 'until'
  const first = begins > now ? begins : undefined
  const made = within(said, first ? { ...frame, first, now: first - 1 } : frame)
  const limits = { times: Number(times), until }
  if (typeof made !== 'string') return { kind: 'every', ...made, ...limits }
  return made.includes(' ') ? { kind: 'cron', expression: made, starting: first, ...limits } : made
}

/** A day within a rule; NaN: it is no time. */
function limit(text: string | undefined, frame: TimeFrame): number | undefined {
  if (!text) return undefined
  const { said, end } = readRun(text)
  const found = end === text.length ? decide(said, frame) : ''
  return typeof found !== 'string' && found.when.kind === 'once' ? found.when.at : Number.NaN
}

function within(said: TimeWords, frame: RuleFrame) {
  if (said.cron) return beside(said, 'cron') ?? said.cron
  const { minutes, days, months } = spanOf(said.every)
  if (minutes > 0) return interval(said, minutes, frame)
  if (days === 1) {
    const odd = weekdaysIn(said.days).length === 1 ? 'days' : beside(said, daily)
    if (odd) return odd
  }
  if (days < 2 || (days === 7 && said.days)) return calendar(said, months, frame)
  // Every so many days or weeks is counted from the first of them.
  const pattern = calendar(said, 0, frame)
  if (!pattern.includes(' ')) return pattern
  const isPlain = /^\d+ \d+ \* \* (?:\*|\d)$/.test(pattern) && Number.isInteger(days)
  if (!isPlain || (days % 7 > 0 && said.days)) return 'every'
  return { start: cronAfter(pattern, frame.timeZone, frame.now) ?? 0, minutes: days * 1440 }
}

/** Slots that go with `every day`. */
const daily = 'every days except months clocks part'

/**
 * Weekdays that are named, without those that are left out, as a field of a pattern.
 *
 * @param late days later
 */
function weekdayField({ days, except }: TimeWords, late = 0): string {
  const out = weekdaysIn(except)
  const named = weekdaysIn(days ?? 'sun to sat').filter((day) => !out.includes(day))
  return sorted(named.map((day) => (day + late) % 7))
    .join()
    .replace('0,1,2,3,4,5,6', '*')
    .replace(/^1,2,3,4,5$/, '1-5')
}

/** Every so many minutes, from now on or in some hours and on some days. */
function interval(said: TimeWords, minutes: number, { now, first }: RuleFrame) {
  const extra = beside(said, 'every from to days except months')
  if (extra || !Number.isInteger(minutes)) return extra ?? 'every'
  if (!beside(said, 'every') && minutes !== 60)
    return { start: first ?? (Math.ceil(now / minuteMs) + minutes) * minuteMs, minutes }
  const isShort = minutes < 60
  if ((isShort ? 60 : 1440) % minutes > 0) return 'every'
  const [from, to] = windowIn(said)
  // What comes several times an hour is over when the last hour begins.
  const hours = said.from ? `${from / 60}-${to / 60 - (isShort ? 1 : 0)}` : '*'
  const step = isShort ? minutes : minutes / 60
  const by = step === 1 ? '' : `/${step}`
  const clock = isShort ? `*${by} ${hours}` : `0 ${hours}${by}`
  const month = monthsIn(said.months).join() || '*'
  const pattern = `${clock} * ${month} ${weekdayField(said)}`
  return isCron(pattern) ? pattern : 'from'
}

/** Clocks on days of weeks, months or years. @param every months */
function calendar(said: TimeWords, every: number, frame: RuleFrame): string {
  const clocks = clocksIn(said, frame.clock)
  const late = clocks.filter((clock) => clock >= 1440).length
  const fields =
    beside(said, `${daily} nth which unit dates date`) ?? fieldsOf(said, every, frame, late && 1)
  if (!fields.includes(' ')) return fields
  // The night of a day ends on the next one.
  const isAlike = late === clocks.length && fields.startsWith('* * ')
  if (late > 0 ? fields !== '* * *' && !isAlike : clocks.length === 0) return 'clocks'
  const pattern = Array.from(
    Map.groupBy(clocks, (clock) => clock % 60),
    ([minute, all]) => {
      const hours = sorted(all.map((clock) => Math.floor(clock / 60) % 24))
      return `${minute} ${hours.join()} ${fields}`
    },
  ).join(' | ')
  return isCron(pattern) ? pattern : 'every'
}

/** The last three fields of a pattern, or the slot that does not go with the others. */
function fieldsOf(said: TimeWords, every: number, frame: RuleFrame, late: number): string {
  const { nth, date, dates, months, which = '', unit = '' } = said
  const dated = dateOf(date, frame)
  if (date && (!dated?.isYearly || every % 12 > 0)) return 'date'
  const weekdays = weekdayField(said, late)
  const days = weekdays !== '*' && 'days'
  const [named, another] = [days, nth && 'nth', dates && 'dates', date && 'date'].filter(Boolean)
  if (another || weekdays === '') return another || 'except'
  const begins = wallClockIn(frame.timeZone, frame.first ?? Date.UTC(2001, 0, 1, 12))
  const isSpread = every > 1 && every < 12
  const list = monthsIn(isSpread ? 'm1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12' : months).filter(
    (month) => !isSpread || (month - begins.month) % every === 0,
  )
  const month = dated?.day.month ?? (list.join() || '*')
  if (12 % (every || 1) > 0 || (every === 12 && (!named || month === '*'))) return 'every'
  if (isSpread && months) return 'months'
  // The last day of a quarter is that of its third month.
  if (isSpread && which === 'last') return 'nth'
  if (every % 12 > 0 && days) return days
  if (!nth) {
    const day = dated?.day.day ?? numbersIn(dates).join()
    return `${day || (every > 0 ? begins.day : '*')} ${month} ${weekdays}`
  }
  // `every third friday` without its month may be every three weeks.
  const isFirst = /^(?:1|last)$/.test(which)
  const place = which.replace('last', 'L')
  if (every === 0 && !months && !nth.endsWith('month') && !isFirst) return 'nth'
  if (unit.startsWith('day')) return `${place} ${month} *`
  if (unit.startsWith('weekday')) return isFirst ? `${place}W ${month} *` : 'nth'
  return `* ${month} ${weekdaysIn(unit).join()}#${place}`
}
