import { readNumber } from './chinese-times.ts'
import { type ClockTime, plainClock, readClock, usualClock } from './clock-words.ts'

/** A rule in words: a cron pattern, or an interval that begins at a clock (`days`) or now. */
export type WrittenRule =
  | { kind: 'cron'; expression: string }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'days'; days: number; weekday: number | null; clock: ClockTime }

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const hanDays = '日一二三四五六'
const dayName = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?'
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = `(?:${months.join('|')})[a-z]*`
/** Which one of a month: `1` to `4`, or `L` for the last. */
const ordinals: Readonly<Record<string, string>> = {
  ...{ first: '1', second: '2', third: '3', fourth: '4', last: 'L' },
  ...{ '1st': '1', '2nd': '2', '3rd': '3', '4th': '4', 一: '1', 二: '2', 三: '3', 四: '4', 最后一: 'L' },
}
const ordinal = '(first|second|third|fourth|last|1st|2nd|3rd|4th)'
const dayNumber = '(\\d{1,2})(?:st|nd|rd|th)?'

/** `at 9`, `9am`, `in the morning`; nothing is nine. */
const partsOfDay: Readonly<Record<string, number>> = { morning: 9, noon: 12, afternoon: 15, evening: 18, night: 20 }

function clockIn(text: string): ClockTime | null {
  const plain = text.replace(/^[\s,]*(?:(?:at|by|around|from)\s+)?/, '').trim()
  if (plain === '') return usualClock
  const part = /^(?:in the )?(morning|afternoon|evening|night)$/.exec(plain)?.[1]
  if (part !== undefined) return { hour: partsOfDay[part] ?? 9, minute: 0 }
  return readClock(
    plain.replace(/\s+in the (morning|afternoon|evening)$/, (_, when: string) => (when === 'morning' ? 'am' : 'pm')),
  )
}

const cron = (clock: ClockTime | null, rest: string): WrittenRule | null =>
  clock === null ? null : { kind: 'cron', expression: `${clock.minute} ${clock.hour} ${rest}` }

type Reader = (match: RegExpExecArray) => WrittenRule | null

const english: readonly [RegExp, Reader][] = [
  [/^(?:every hour|hourly)$/, () => ({ kind: 'cron', expression: '0 * * * *' })],
  [
    /^every (?:(\d{1,4}) )?(minute|hour)s?$/,
    ([, count, unit]) => minutes(Number(count ?? 1), unit === 'hour' ? 60 : 1),
  ],
  [/^every half (?:an )?hour$/, () => minutes(30, 1)],
  [/^(?:every|each) (morning|afternoon|evening|night)(.*)$/, ([, part = '', rest = '']) => partDaily(part, rest)],
  [/^(?:(?:every|each) day|daily|everyday)(.*)$/, ([, rest = '']) => cron(clockIn(rest), '* * *')],
  [
    /^(?:(?:on )?(?:every|each) (?:week|work|working |business )day|(?:on )?weekdays|(?:on )?workdays)(.*)$/,
    ([, rest = '']) => cron(clockIn(rest), '* * 1-5'),
  ],
  [
    new RegExp(`^(?:(?:on |from |every |each ){0,2})(${dayName}) (?:to|through|thru|till|until) (${dayName})(.*)$`),
    ([, first = '', last = '', rest = '']) => cron(clockIn(rest), `* * ${daysBetween(first, last)}`),
  ],
  [/^(?:on |every |each )?weekends?(?: days?)?(.*)$/, ([, rest = '']) => cron(clockIn(rest), '* * 0,6')],
  [
    new RegExp(`^(?:(?:every|each) month|monthly)(?: on)? (?:the )?${ordinal} (${dayName})(.*)$`),
    ([, which = '', day = '', rest = '']) => nth(which, weekdayOf(day), clockIn(rest)),
  ],
  [
    new RegExp(`^(?:on )?(?:every |each |the ){0,2}${ordinal} (${dayName}) (?:of|in) (?:every|each|the|a) month(.*)$`),
    ([, which = '', day = '', rest = '']) => nth(which, weekdayOf(day), clockIn(rest)),
  ],
  [/^(?:(?:every|each) month|monthly)(?: on)? (?:the )?last day(.*)$/, ([, rest = '']) => cron(clockIn(rest), 'L * *')],
  [
    new RegExp(`^(?:(?:every|each) month|monthly)(?: on)?(?: the)? ${dayNumber}(.*)$`),
    ([, day = '', rest = '']) => monthly(day, rest),
  ],
  [
    new RegExp(`^(?:on )?the ${dayNumber}(?: day)? of (?:every|each|the) month(.*)$`),
    ([, day = '', rest = '']) => monthly(day, rest),
  ],
  [/^(?:on )?the last day of (?:every|each|the) month(.*)$/, ([, rest = '']) => cron(clockIn(rest), 'L * *')],
  [/^(?:(?:every|each) month|monthly)(.*)$/, ([, rest = '']) => monthly('1', rest)],
  [
    new RegExp(`^(?:every year|yearly|annually)(?: on)? (?:the )?${dayNumber}(?: of)? (${monthName})(.*)$`),
    ([, day = '', month = '', rest = '']) => yearly(day, month, rest),
  ],
  [
    new RegExp(`^(?:every year|yearly|annually)(?: on)? (${monthName}) ${dayNumber}(.*)$`),
    ([, month = '', day = '', rest = '']) => yearly(day, month, rest),
  ],
  [
    new RegExp(`^every (other|\\d{1,3}) (day|week)s?(?: on (${dayName}))?(.*)$`),
    ([, count = '', unit, day, rest = '']) => spaced(count, unit === 'week' ? 7 : 1, day, rest),
  ],
  [
    new RegExp(
      `^(?:every|each|weekly on|on every|every week on|weekly|on)\\s+(${dayName}(?:(?:\\s*,\\s*(?:and )?|\\s+and\\s+|\\s*/\\s*)${dayName})*)(.*)$`,
    ),
    ([whole, days = '', rest = '']) =>
      whole.startsWith('on') && !/^on every|days\b/.test(whole) ? null : weekly(days, rest),
  ],
  [/^((?:sun|mon|tues|wednes|thurs|fri|satur)days)(.*)$/, ([, days = '', rest = '']) => weekly(days, rest)],
]

const minutes = (count: number, unit: number): WrittenRule | null =>
  count < 1
    ? null
    : count * unit === 60
      ? { kind: 'cron', expression: '0 * * * *' }
      : { kind: 'minutes', minutes: count * unit }

/** `at 8` of an evening is 20:00, and of a night `at 12` is midnight; a clock that says itself which half it means stays. */
function partDaily(part: string, rest: string): WrittenRule | null {
  if (rest.trim() === '') return cron({ hour: partsOfDay[part] ?? 9, minute: 0 }, '* * *')
  const clock = clockIn(rest)
  const isBare = /^\D*(?:[1-9]|1[0-2])(?::\d\d)?\s*$/.test(rest)
  if (clock === null || !isBare || part === 'morning') return cron(clock, '* * *')
  return cron({ ...clock, hour: part === 'afternoon' ? afterNoon(clock.hour) : atNight(clock.hour) }, '* * *')
}

const afterNoon = (hour: number): number => (hour < 12 ? hour + 12 : hour)
const atNight = (hour: number): number => (hour === 12 ? 0 : hour < 5 ? hour : hour + 12)

function nth(which: string, weekday: number, clock: ClockTime | null): WrittenRule | null {
  return cron(clock, `* * ${weekday}#${ordinals[which] ?? 1}`)
}

function monthly(day: string, rest: string): WrittenRule | null {
  const number = Number(day)
  return number >= 1 && number <= 31 ? cron(clockIn(rest), `${number} * *`) : null
}

function yearly(day: string, month: string, rest: string): WrittenRule | null {
  const number = Number(day)
  return number >= 1 && number <= 31
    ? cron(clockIn(rest), `${number} ${months.indexOf(month.slice(0, 3)) + 1} *`)
    : null
}

/** Sunday is 0, as in cron. */
function weekdayOf(name: string): number {
  const han = hanDays.indexOf(name.replace('天', '日'))
  return han === -1 ? weekdays.findIndex((one) => one.startsWith(name.slice(0, 3))) : han
}

function weekly(days: string, rest: string): WrittenRule | null {
  const numbers = [...days.matchAll(new RegExp(dayName, 'g'))].map(([name]) => weekdayOf(name))
  return cron(clockIn(rest), `* * ${[...new Set(numbers)].sort().join(',')}`)
}

/** The days from one to another, both included, also over the end of the week. */
function daysBetween(first: string, last: string): string {
  const [from, to] = [weekdayOf(first), weekdayOf(last)]
  if (from === 1 && to === 5) return '1-5'
  const days = Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7)
  return days.sort().join(',')
}

function spaced(count: string, unit: number, day: string | undefined, rest: string): WrittenRule | null {
  const clock = clockIn(rest)
  const days = (count === 'other' ? 2 : Number(count)) * unit
  if (clock === null || days < 1) return null
  return { kind: 'days', days, weekday: day === undefined ? null : weekdayOf(day), clock }
}

const hanNumber = '[0-9一二两三四五六七八九十]+'
/** 0: no number. */
const han = (text: string): number => readNumber(text) ?? 0

const hanClock = (text: string): ClockTime | null => {
  const rest = text.replace(/^[的在,，]+/, '')
  return rest === '' ? usualClock : readClock(rest)
}

const chinese: readonly [RegExp, Reader][] = [
  [/^每(?:个)?小时$/, () => ({ kind: 'cron', expression: '0 * * * *' })],
  [/^每(?:隔)?半(?:个)?小时$/, () => minutes(30, 1)],
  [
    new RegExp(`^每(?:隔)?(${hanNumber})(分钟|个?小时|个?钟头)$`),
    ([, count = '', unit]) => minutes(han(count), unit === '分钟' ? 1 : 60),
  ],
  [/^(?:每(?:个|一个)?(?:工作日|上班日)|工作日)(.*)$/, ([, rest = '']) => cron(hanClock(rest), '* * 1-5')],
  [
    /^每?个?(?:周|星期|礼拜)([一二三四五六日天])(?:到|至)(?:周|星期|礼拜)?([一二三四五六日天])(.*)$/,
    ([, first = '', last = '', rest = '']) => cron(hanClock(rest), `* * ${daysBetween(first, last)}`),
  ],
  [
    /^每个?月的?(?:第(?=[一二三四])|(?=最后一))(最后一|[一二三四])个?(?:周|星期|礼拜)([一二三四五六日天])(.*)$/,
    ([, which = '', day = '', rest = '']) => nth(which, weekdayOf(day), hanClock(rest)),
  ],
  [/^(?:每个?)周末(.*)$/, ([, rest = '']) => cron(hanClock(rest), '* * 0,6')],
  [/^(?:每一?天|每日|天天)(.*)$/, ([, rest = '']) => cron(hanClock(rest), '* * *')],
  [/^每(早|晚)上?(.*)$/, ([, part = '', rest = '']) => cron(hanClock(`${part}上${rest}`), '* * *')],
  [/^每(?:个)?月(?:底|末|最后一天)(.*)$/, ([, rest = '']) => cron(hanClock(rest), 'L * *')],
  [
    new RegExp(`^每(?:个)?月(${hanNumber})[号日](.*)$`),
    ([, day = '', rest = '']) => (inMonth(han(day)) ? cron(hanClock(rest), `${han(day)} * *`) : null),
  ],
  [
    new RegExp(`^每年(${hanNumber})月(${hanNumber})[号日](.*)$`),
    ([, month = '', day = '', rest = '']) =>
      inMonth(han(day)) && han(month) <= 12 ? cron(hanClock(rest), `${han(day)} ${han(month)} *`) : null,
  ],
  [/^每隔一天(.*)$/, ([, rest = '']) => hanSpaced(2, 1, rest)],
  [
    new RegExp(`^每(?:隔)?(${hanNumber})(天|周|个星期)(.*)$`),
    ([, count = '', unit, rest = '']) => hanSpaced(han(count), unit === '天' ? 1 : 7, rest),
  ],
  [
    /^(?:每个?)(?:周|星期|礼拜)([一二三四五六日天](?:[、，,和]?(?:周|星期|礼拜)?[一二三四五六日天])*)(.*)$/,
    ([, days = '', rest = '']) => hanWeekly(days, rest),
  ],
]

const inMonth = (day: number): boolean => day >= 1 && day <= 31

function hanSpaced(count: number, unit: number, rest: string): WrittenRule | null {
  const clock = hanClock(rest)
  return clock === null || count < 1 ? null : { kind: 'days', days: count * unit, weekday: null, clock }
}

function hanWeekly(days: string, rest: string): WrittenRule | null {
  const numbers = [...days.matchAll(/[一二三四五六日天]/g)].map(([day]) => weekdayOf(day))
  return cron(hanClock(rest), `* * ${[...new Set(numbers)].sort().join(',')}`)
}

/** Longer is no rule, and reading is not free. */
const longest = 80

/**
 * A rule as people write it: `every weekday at nine`, `每个工作日九点`. The whole text has to be one; in lower case and
 * plain letters.
 */
export function readRule(text: string): WrittenRule | null {
  if (text.length > longest) return null
  const isHan = /\p{Script=Han}/u.test(text)
  const plain = isHan ? text.replaceAll(' ', '') : plainClock(text)
  for (const [pattern, read] of isHan ? chinese : english) {
    const match = pattern.exec(plain)
    const rule = match === null ? null : read(match)
    if (rule !== null) return rule
  }
  return null
}
