import { type ClockTime, plainClock, readClock, usualClock } from './clock-words.ts'

/** A rule in words: a cron pattern, or an interval that begins at a clock (`days`) or now. */
export type WrittenRule =
  | { kind: 'cron'; expression: string }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'days'; days: number; weekday: number | null; clock: ClockTime }

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const dayName = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?'
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = `(?:${months.join('|')})[a-z]*`
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
    /^(?:(?:on )?(?:every|each) (?:week|work|working |business )day|(?:on )?weekdays|(?:on )?workdays|every monday to friday)(.*)$/,
    ([, rest = '']) => cron(clockIn(rest), '* * 1-5'),
  ],
  [/^(?:(?:on |every |each )?weekends?|every weekend day)(.*)$/, ([, rest = '']) => cron(clockIn(rest), '* * 0,6')],
  [
    /^(?:(?:every|each) month|monthly)(?: on)? (?:the )?(last)(?: day)?(.*)$/,
    ([, , rest = '']) => cron(clockIn(rest), 'L * *'),
  ],
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

function partDaily(part: string, rest: string): WrittenRule | null {
  if (rest.trim() === '') return cron({ hour: partsOfDay[part] ?? 9, minute: 0 }, '* * *')
  const clock = clockIn(rest)
  const later = clock !== null && clock.hour < 12 && part !== 'morning'
  return cron(clock === null ? null : { ...clock, hour: clock.hour + (later ? 12 : 0) }, '* * *')
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

const weekdayOf = (name: string): number => weekdays.findIndex((one) => one.startsWith(name.slice(0, 3)))

function weekly(days: string, rest: string): WrittenRule | null {
  const numbers = [...days.matchAll(new RegExp(dayName, 'g'))].map(([name]) => weekdayOf(name))
  return cron(clockIn(rest), `* * ${[...new Set(numbers)].sort().join(',')}`)
}

function spaced(count: string, unit: number, day: string | undefined, rest: string): WrittenRule | null {
  const clock = clockIn(rest)
  const days = (count === 'other' ? 2 : Number(count)) * unit
  if (clock === null || days < 1) return null
  return { kind: 'days', days, weekday: day === undefined ? null : weekdayOf(day), clock }
}

const hanNumber = '[0-9一二两三四五六七八九十]+'
const hanDigits = '零一二三四五六七八九'

function han(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  const [, tens, ten, ones] =
    /^([二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text.replaceAll('两', '二')) ?? []
  if (ten === undefined) return hanDigits.indexOf(ones ?? tens ?? '?')
  return (tens === undefined ? 1 : hanDigits.indexOf(tens)) * 10 + (ones === undefined ? 0 : hanDigits.indexOf(ones))
}

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
  [
    /^(?:每(?:个|一个)?(?:工作日|上班日)|工作日|每周一(?:到|至)周?五)(.*)$/,
    ([, rest = '']) => cron(hanClock(rest), '* * 1-5'),
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
  const numbers = [...days.matchAll(/[一二三四五六日天]/g)].map(([day]) => ('日一二三四五六'.indexOf(day) + 7) % 7)
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
