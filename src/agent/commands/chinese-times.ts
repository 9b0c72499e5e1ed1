import { addDays, asUtc, daysIn, type WallClock, wallClockIn, weekdayOf } from '../domain/zone.ts'

/*
 * Times as they are written in Chinese. `chrono-node` knows part of them only: it does not read 月底, 5号, 大后天, 3点一刻,
 * 12月25日早上 or 下下周一, and it counts 两小时后 in the zone of the machine instead of the person's.
 */

/** A day without an hour, an hour on a day, or a moment counted from now. */
export type WrittenTime =
  | { kind: 'day'; wall: WallClock }
  | { kind: 'wall'; wall: WallClock }
  | { kind: 'instant'; at: number }

type Day = Pick<WallClock, 'year' | 'month' | 'day'>

const number = '[0-9〇零一二两兩三四五六七八九十]+'
const minuteMs = 60_000

/**
 * @param text without blanks, in plain digits and signs.
 * @param now what the person's clock shows, and the instant.
 * @returns null when it is not a time, or one that no calendar has.
 */
export function readChineseTime(text: string, now: { wall: WallClock; at: number }): WrittenTime | null {
  const later = readDuration(text)
  if (later !== null) return { kind: 'instant', at: now.at + later * minuteMs }
  for (const [pattern, read] of days) {
    const match = pattern.exec(text)
    const day = match === null ? null : read(match, now.wall)
    if (match === null || day === null) continue
    const rest = text.slice(match[0].length)
    if (rest === '') return { kind: 'day', wall: { ...day, hour: 0, minute: 0 } }
    const found = withClock(day, rest.replace(/^的/, ''))
    if (found !== null) return { kind: 'wall', wall: found }
  }
  const today = withClock(now.wall, text)
  if (today === null) return null
  // A clock alone is the next time that it shows that.
  return { kind: 'wall', wall: asUtc(today) >= asUtc(now.wall) ? today : addDays(today, 1) }
}

/** `一小时30分钟后`, `半个小时之后`, `两个半小时后`: minutes from now. */
function readDuration(text: string): number | null {
  const whole = /^(.+?)(?:后|後|之后|之後|以后|以後)$/.exec(text)?.[1]
  const match = whole && /^(?:(.+?)(?:小时|小時|钟头|鐘頭))?(半)?(?:(.+?)(?:分钟|分鐘|分))?$/.exec(whole)
  if (!match || (match[1] === undefined && match[3] === undefined)) return null
  const hours = match[1] === undefined ? 0 : halves(match[1])
  const minutes = match[3] === undefined ? 0 : readNumber(match[3])
  if (hours === null || minutes === null) return null
  return hours * 60 + (match[2] === undefined ? 0 : 30) + minutes
}

/** `半个`, `两个半`, `3`. */
function halves(text: string): number | null {
  const match = /^(.*?)[个個]?(半)?[个個]?$/.exec(text)
  const half = match?.[2] === undefined ? 0 : 0.5
  if (match?.[1] === '') return half === 0 ? null : half
  const count = readNumber(match?.[1] ?? '')
  return count === null ? null : count + half
}

const near: Record<string, number> = { 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 後: 2, 大后: 3, 大後: 3 }

const days: readonly [RegExp, (match: RegExpExecArray, now: WallClock) => Day | null][] = [
  [/^(大后|大後|前|昨|今|明|后|後)[天日]/, ([, word = ''], now) => addDays(now, near[word] ?? 0)],
  [/^(昨|今|明|后|後)(?=[早晚晨午])/, ([, word = ''], now) => addDays(now, near[word] ?? 0)],
  [/^(上|下下|下|这|這|本)?[个個]?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天末1-7])/, weekday],
  [new RegExp(`^(${number})(?:天|日)(?:之|以)?[后後]`), ([, count = ''], now) => plusDays(now, readNumber(count), 1)],
  [
    new RegExp(`^(${number})[个個]?(?:周|週|星期|礼拜|禮拜)(?:之|以)?[后後]`),
    ([, count = ''], now) => plusDays(now, readNumber(count), 7),
  ],
  [new RegExp(`^(${number})[个個]?月(?:之|以)?[后後]`), ([, count = ''], now) => plusMonths(now, readNumber(count))],
  [/^(这|這|本|下下|下)?[个個]?月底/, ([, word], now) => monthEnd(now, word === '下' ? 1 : word === '下下' ? 2 : 0)],
  [/^(今|明)?年底/, ([, word], now) => ({ year: now.year + (word === '明' ? 1 : 0), month: 12, day: 31 })],
  [new RegExp(`^(这|這|本|下下|下)[个個]?月(${number})[日号號]?`), dayOfMonth],
  [new RegExp(`^(?:([0-9〇零一二三四五六七八九]{4}|今|明|后|後)年)?(${number})月(${number})[日号號]?`), date],
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/, ([, year, month, day]) => real(Number(year), Number(month), Number(day))],
  [new RegExp(`^(${number})[日号號]`), nextDayOfMonth],
]

function weekday([, week = '', name = '']: RegExpExecArray, now: WallClock): Day {
  const target = name === '末' ? 6 : '一二三四五六日'.indexOf(name) + 1 || (name === '天' ? 7 : Number(name))
  const fromToday = target - weekdayOf(now)
  // Without a word for the week it is the next such day, today included; with one, weeks begin on Monday.
  if (week === '') return addDays(now, (fromToday + 7) % 7)
  const weeks = week === '上' ? -1 : week === '下' ? 1 : week === '下下' ? 2 : 0
  return addDays(now, fromToday + weeks * 7)
}

function plusDays(now: WallClock, count: number | null, unit: number): Day | null {
  return count === null ? null : addDays(now, count * unit)
}

/** The 31st, a month on, is the last day of that month. */
function plusMonths(now: WallClock, count: number | null): Day | null {
  if (count === null) return null
  const { year, month } = monthAfter(now, count)
  return { year, month, day: Math.min(now.day, daysIn(year, month)) }
}

function monthEnd(now: WallClock, count: number): Day {
  const { year, month } = monthAfter(now, count)
  return { year, month, day: daysIn(year, month) }
}

function dayOfMonth([, word, day = '']: RegExpExecArray, now: WallClock): Day | null {
  const { year, month } = monthAfter(now, word === '下' ? 1 : word === '下下' ? 2 : 0)
  return real(year, month, readNumber(day))
}

function monthAfter({ year, month }: WallClock, count: number): { year: number; month: number } {
  const first = new Date(Date.UTC(year, month - 1 + count, 1))
  return { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 }
}

/** Without a year it is the next such day, today included. */
function date([, year, monthText = '', dayText = '']: RegExpExecArray, now: WallClock): Day | null {
  const month = readNumber(monthText)
  const day = readNumber(dayText)
  if (year !== undefined) return real(year in near ? now.year + (near[year] ?? 0) : readYear(year), month, day)
  return notBefore(now, real(now.year, month, day)) ?? real(now.year + 1, month, day)
}

function nextDayOfMonth([, dayText = '']: RegExpExecArray, now: WallClock): Day | null {
  const day = readNumber(dayText)
  const next = monthAfter(now, 1)
  return notBefore(now, real(now.year, now.month, day)) ?? real(next.year, next.month, day)
}

function notBefore(now: WallClock, day: Day | null): Day | null {
  const order = (one: Day) => one.year * 10_000 + one.month * 100 + one.day
  return day !== null && order(day) >= order(now) ? day : null
}

function real(year: number | null, month: number | null, day: number | null): Day | null {
  if (year === null || month === null || day === null) return null
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) ? { year, month, day } : null
}

const clock = new RegExp(
  `^(凌晨|清晨|早上|早晨|早|晨|上午|中午|午|下午|午后|傍晚|晚上|晚间|晚|夜里|夜裡)?(?:(${number})(?:[点點时時:])(?:钟|鐘|整)?(?:(半)|(${number})(刻|分)?)?)?$`,
)
/** When only a part of the day is named. */
const usualHour: Record<string, number> = {
  早: 9,
  晨: 9,
  上: 10,
  中: 12,
  午: 12,
  下: 15,
  傍: 18,
  晚: 20,
  夜: 22,
  凌: 1,
  清: 6,
}

function withClock(day: Day, text: string): WallClock | null {
  const match = clock.exec(text)
  if (match === null || text === '') return null
  const [, part = '', hourText, half, minuteText, unit] = match
  const sort = part === '午后' ? '下' : part.slice(0, 1)
  if (hourText === undefined) return at(day, usualHour[sort] ?? 0, 0)
  const hour = readNumber(hourText)
  const count = minuteText === undefined ? 0 : readNumber(minuteText)
  if (hour === null || count === null) return null
  return at(day, hourOf(sort, hour), half !== undefined ? 30 : unit === '刻' ? count * 15 : count)
}

function at({ year, month, day }: Day, hour: number, minute: number): WallClock | null {
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return null
  return wallClockIn('UTC', Date.UTC(year, month - 1, day, hour, minute))
}

/** 下午三点 is 15, 中午一点 is 13, 晚上十二点 is the end of the day. */
function hourOf(sort: string, hour: number): number {
  switch (sort) {
    case '下':
    case '傍':
      return hour < 12 ? hour + 12 : hour
    case '晚':
    case '夜':
      if (hour === 12) return 24
      return hour >= 5 && hour < 12 ? hour + 12 : hour
    case '中':
    case '午':
      return hour < 10 ? hour + 12 : hour
    case '凌':
      return hour === 12 ? 0 : hour
    default:
      return hour
  }
}

const digits = '零一二三四五六七八九'

/** `12`, `十二`, `二十`, `两`: up to 99, and anything in plain digits. */
export function readNumber(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  const match = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(text.replace(/[两兩]/g, '二'))
  if (text === '零' || text === '〇') return 0
  if (match === null || text === '') return null
  const [, tens, ten, ones] = match
  if (ten === undefined) return ones === undefined && tens !== undefined ? digits.indexOf(tens) : null
  return (tens === undefined ? 1 : digits.indexOf(tens)) * 10 + (ones === undefined ? 0 : digits.indexOf(ones))
}

function readYear(text: string): number {
  return Number([...text.replaceAll('〇', '零')].map((one) => (/\d/.test(one) ? one : digits.indexOf(one))).join(''))
}
