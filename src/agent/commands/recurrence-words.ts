import { readNumber } from './chinese-times.ts'
import { type ClockTime, plainClock, readClock, remindClock } from './times.ts'

/** A rule in words: a cron pattern, or an interval that begins at a clock (`days`) or now. */
export type WrittenRule =
  | { kind: 'cron'; expression: string }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'days'; days: number; weekday: number | null; clock: ClockTime }

/** What names days, before its clock: the last three fields of a cron pattern, or every so many days; or an interval, which has none. */
type Days =
  | { fields: string }
  | { days: number; weekday?: string | undefined }
  | { minutes: number }
  | null

const every = '(?:every|each)'
const dayNames = '(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?)'
const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const monthly = `(?:${every} month|monthly)`
const yearly = '(?:every year|yearly|annually)(?: on)?'
const ordinal = '(first|second|third|fourth|last|1st|2nd|3rd|4th)'
const dayNumber = '(\\d{1,2})(?:st|nd|rd|th)?'
const number = '([0-9一二两三四五六七八九十]{1,4})'
const week = '(?:周|星期|礼拜)'
const hanDay = '[一二三四五六日天]'

const rules: readonly (readonly [RegExp, (...found: string[]) => Days])[] = (
  [
    [`every hour|hourly|每个?小时`, () => ({ minutes: 60 })],
    [`every half (?:an )?hour|每隔?半个?小时`, () => ({ minutes: 30 })],
    [
      `every (?:(\\d{1,4}) )?(minute|hour)s?`,
      (many = '1', unit) => ({ minutes: Number(many) * (unit === 'hour' ? 60 : 1) }),
    ],
    [
      `每隔?${number}(分钟|个?小时|个?钟头)`,
      (many, unit) => ({ minutes: readNumber(many) * (unit === '分钟' ? 1 : 60) }),
    ],
    [`${every} day|daily|everyday|每一?天|每日|天天`, () => ({ fields: '* * *' })],
    [
      `(?:on )?${every} (?:week|work|working |business )day|(?:on )?(?:weekdays|workdays)|(?:每一?个?)?(?:工作日|上班日)`,
      () => ({ fields: '* * 1-5' }),
    ],
    [
      `(?:on |from |every |each ){0,2}(${dayNames}) (?:to|through|thru|till|until) (${dayNames})`,
      between,
    ],
    [`每?个?${week}(${hanDay})[到至]${week}?(${hanDay})`, between],
    [`(?:on |every |each )?weekends?(?: days?)?|每个?周末`, () => ({ fields: '* * 0,6' })],
    [`${monthly}(?: on)? (?:the )?${ordinal} (${dayNames})`, nth],
    [
      `(?:on )?(?:every |each |the ){0,2}${ordinal} (${dayNames}) (?:of|in) (?:every|each|the|a) month`,
      nth,
    ],
    [`每个?月的?(最后一|第[一二三四])个?${week}(${hanDay})`, nth],
    [
      `${monthly}(?: on)? (?:the )?last day|(?:on )?the last day of (?:every|each|the) month|每个?月(?:底|末|最后一天)`,
      () => ({ fields: 'L * *' }),
    ],
    [`${monthly}(?: on)?(?: the)? ${dayNumber}`, (day) => dayOf(day)],
    [`(?:on )?the ${dayNumber}(?: day)? of (?:every|each|the) month`, (day) => dayOf(day)],
    [`每个?月${number}[号日]`, (day) => dayOf(day)],
    [monthly, () => ({ fields: '1 * *' })],
    [`${yearly} (?:the )?${dayNumber}(?: of)? (${monthNames})[a-z]*`, dayOf],
    [`${yearly} (${monthNames})[a-z]* ${dayNumber}`, (month, day) => dayOf(day, month)],
    [`每年${number}月${number}[号日]`, (month, day) => dayOf(day, month)],
    [
      `(?:every|each|weekly on|on every|every week on|weekly) (${dayNames}(?:(?: ?, ?(?:and )?| and | ?/ ?)${dayNames})*)`,
      weekly,
    ],
    // Of days that are only named, the plural makes a rule.
    [
      `(?:on )?((?:${dayNames}(?: ?, ?(?:and )?| and | ?/ ?))*(?:sun|mon|tues|wednes|thurs|fri|satur)days)`,
      weekly,
    ],
    [`每个?${week}(${hanDay}(?:[、，,和]?${week}?${hanDay})*)`, weekly],
    [
      `every (other|\\d{1,3}) (day|week)s?(?: on (${dayNames}))?`,
      (many, unit, weekday) => ({
        days: (many === 'other' ? 2 : Number(many)) * (unit === 'week' ? 7 : 1),
        weekday,
      }),
    ],
    ['每隔一天', () => ({ days: 2 })],
    [
      `每隔?${number}(天|周|个星期)`,
      (many, unit) => ({ days: readNumber(many) * (unit === '天' ? 1 : 7) }),
    ],
  ] satisfies [string, (...found: string[]) => Days][]
).map(([pattern, read]) => [new RegExp(`^(?:${pattern})(?![a-z])`), read])

/** At which part of every day; a bare clock may follow, which is of that half of the day. */
const partOfDay = /^(?:(?:every|each) (morning|afternoon|evening|night)|每(早|晚)上?)(.*)$/
const partHours: Readonly<Record<string, number>> = {
  morning: 9,
  afternoon: 15,
  evening: 18,
  night: 20,
}

/** Longer is no rule, and reading is not free. */
const longest = 80

/**
 * A rule as people write it: `every weekday at nine`, `每个工作日九点`. The whole text has to be one; in lower case and
 * plain letters.
 */
export function readRule(text: string): WrittenRule | null {
  if (text.length > longest) return null
  const plain = /\p{Script=Han}/u.test(text)
    ? text.replaceAll(' ', '')
    : plainClock(text).replace(/\s+/g, ' ')
  const daily = partDaily(plain)
  if (daily !== null) return daily
  for (const [pattern, read] of rules) {
    const match = pattern.exec(plain)
    const days = match === null ? null : read(...match.slice(1))
    const rule =
      match === null || days === null ? null : withClock(days, plain.slice(match[0].length))
    if (rule !== null) return rule
  }
  return null
}

function withClock(named: NonNullable<Days>, rest: string): WrittenRule | null {
  if ('minutes' in named) {
    if (rest !== '' || !(named.minutes > 0)) return null
    return named.minutes === 60
      ? { kind: 'cron', expression: '0 * * * *' }
      : { kind: 'minutes', ...named }
  }
  const clock = clockIn(rest)
  if (clock === null) return null
  if ('fields' in named) return cron(clock, named.fields)
  const weekday = named.weekday === undefined ? null : weekdayOf(named.weekday)
  return !(named.days > 0) ? null : { kind: 'days', days: named.days, weekday, clock }
}

/** `at 8` of an evening is 20:00, and of a night `at 12` is midnight; a clock that says itself which half it means stays. */
function partDaily(text: string): WrittenRule | null {
  const [, part, han, rest = ''] = partOfDay.exec(text) ?? []
  const clock = han === undefined ? clockIn(rest) : clockIn(`${han}上${rest}`)
  if ((part === undefined && han === undefined) || clock === null) return null
  if (part === undefined) return cron(clock, '* * *')
  if (rest.trim() === '') return cron({ hour: partHours[part] ?? 9, minute: 0 }, '* * *')
  const isBare = /^\D*(?:[1-9]|1[0-2])(?::\d\d)?\s*$/.test(rest)
  return cron(isBare ? { ...clock, hour: inHalf(part, clock.hour) } : clock, '* * *')
}

function inHalf(part: string, hour: number): number {
  if (part === 'morning') return hour
  if (part === 'afternoon') return hour < 12 ? hour + 12 : hour
  return hour === 12 ? 0 : hour < 5 ? hour : hour + 12
}

/** `at 9`, `9am`, `in the morning`; nothing is nine. */
function clockIn(text: string): ClockTime | null {
  const plain = text.replace(/^[\s,，的在]*(?:(?:at|by|around|from)\s)?/, '').trim()
  if (plain === '') return remindClock
  const hour = partHours[/^(?:in the )?([a-z]+)$/.exec(plain)?.[1] ?? '']
  if (hour !== undefined) return { hour, minute: 0 }
  const half = /(?<=\S) in the (morning|afternoon|evening)$/
  return readClock(plain.replace(half, (_, part: string) => (part === 'morning' ? 'am' : 'pm')))
}

const cron = ({ hour, minute }: ClockTime, fields: string): WrittenRule => ({
  kind: 'cron',
  expression: `${minute} ${hour} ${fields}`,
})

/** Which one of a month: `1` to `4`, or `L` for the last. */
function nth(which = '', day = ''): Days {
  const at = ['1stfirst第一', '2ndsecond第二', '3rdthird第三', '4thfourth第四'].findIndex((names) =>
    names.includes(which),
  )
  return { fields: `* * ${weekdayOf(day)}#${at === -1 ? 'L' : at + 1}` }
}

/** A day of every month, or of one of the year: its name or number. */
function dayOf(named = '', ofYear?: string): Days {
  const month =
    ofYear === undefined ? '*' : monthNames.split('|').indexOf(ofYear) + 1 || readNumber(ofYear)
  const day = readNumber(named)
  return day >= 1 && day <= 31 && (month === '*' || month <= 12)
    ? { fields: `${day} ${month} *` }
    : null
}

/** Sunday is 0, as in cron. */
function weekdayOf(name: string): number {
  const han = '日一二三四五六'.indexOf(name.replace('天', '日'))
  return han === -1
    ? ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].indexOf(name.slice(0, 3))
    : han
}

const anyDay = new RegExp(`${dayNames}|${hanDay}`, 'g')

function weekly(names = ''): Days {
  const all = names.match(anyDay) ?? []
  return { fields: `* * ${[...new Set(all.map(weekdayOf))].sort().join(',')}` }
}

/** The days from one to another, both included, also over the end of the week. */
function between(first = '', last = ''): Days {
  const [from, to] = [weekdayOf(first), weekdayOf(last)]
  if (from === 1 && to === 5) return { fields: '* * 1-5' }
  const all = Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7)
  return { fields: `* * ${all.sort().join(',')}` }
}
