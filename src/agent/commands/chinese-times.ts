import { addDays, asUtc, daysIn, type WallClock, wallClockIn, weekdayOf } from '../domain/zone.ts'

/*
 * Times as they are written in Chinese. `chrono-node` reads half of them: it does not know 月底, 5号, 下下周一, 两周后 or
 * 3点一刻, takes 晚上12点 for noon and 周三 on a Wednesday for the next one, and counts 两小时后 in the zone of the machine.
 */

/** A day without an hour, an hour on a day, or a moment counted from now. */
export type WrittenTime =
  | { kind: 'day'; wall: WallClock }
  | { kind: 'wall'; wall: WallClock }
  | { kind: 'instant'; at: number }

type Day = Pick<WallClock, 'year' | 'month' | 'day'>

/**
 * @param written without blanks, in plain letters and signs.
 * @param now what the person's clock shows, and the instant.
 * @returns null when it is not a time, or one that no calendar has.
 */
export function readChineseTime(
  written: string,
  now: { wall: WallClock; at: number },
): WrittenTime | null {
  const text = plainNumbers(written)
  const later = readDuration(text)
  if (later !== null) return { kind: 'instant', at: now.at + later * 60_000 }
  for (const [pattern, read] of days) {
    const match = pattern.exec(text)
    const day = match === null ? null : read(match.slice(1), now.wall)
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

const digits = '零一二三四五六七八九'
const weekWord = '[周週]|星期|[礼禮]拜'
const numeral = new RegExp(
  `(?<=${weekWord})[一二三四五六]|(?<!${weekWord})[〇${digits}两兩十]+`,
  'g',
)

/** Numbers up to 99 and years in plain digits: `三十一号` is `31号`. A weekday has a number of its own: `周二十点` is `周210点`. */
function plainNumbers(text: string): string {
  return text.replace(numeral, (written) => {
    const plain = written.replace(/[两兩]/g, '二').replaceAll('〇', '零')
    const [, tens, ones = ''] =
      /^([一二三四五六七八九]?)十([一二三四五六七八九]?)$/.exec(plain) ?? []
    if (tens !== undefined) return String((digits.indexOf(tens) || 1) * 10 + digits.indexOf(ones))
    // `两三天` is no number of days.
    const isNumber = /^(?:.|.{4}|零.)$/.test(plain) && !plain.includes('十')
    return isNumber ? Array.from(plain, (digit) => digits.indexOf(digit)).join('') : written
  })
}

/** NaN: that is none. */
export const readNumber = (text = ''): number => Number(plainNumbers(text))

const count = '\\d{1,4}'
const after = '(?:之|以)?[后後]'
const week = `(?:${weekWord})`
const hours = '(?:小时|小時|钟头|鐘頭)'
const duration = new RegExp(
  `^(?:(${count})?[个個]?(半)?[个個]?${hours})?(半)?(?:(${count})(?:分钟|分鐘|分))?${after}$`,
)

/** `一小时30分钟后`, `半个小时之后`, `两个半小时后`: minutes from now. */
function readDuration(text: string): number | null {
  const [, whole, half, halfMore, minutes] = duration.exec(text) ?? []
  if (whole === undefined && half === undefined && minutes === undefined) return null
  return (
    Number(whole ?? 0) * 60 +
    (half === undefined ? 0 : 30) +
    (halfMore === undefined ? 0 : 30) +
    Number(minutes ?? 0)
  )
}

const near: Readonly<Record<string, number>> = {
  ...{ 前: -2, 昨: -1, 今: 0, 明: 1, 后: 2, 後: 2, 大后: 3, 大後: 3 },
  ...{ 上: -1, 下: 1, 下下: 2 },
}
const steps = (word: string | undefined): number => near[word ?? ''] ?? 0

const days = (
  [
    ['(大后|大後|前|昨|今|明|后|後)[天日]', ([word], now) => addDays(now, steps(word))],
    ['(昨|今|明|后|後)(?=[早晚晨午])', ([word], now) => addDays(now, steps(word))],
    [`(上|下下|下|这|這|本)?[个個]?${week}([日天末1-7])`, weekday],
    [`(${count})(?:天|日)${after}`, ([many], now) => addDays(now, Number(many))],
    [`(${count})[个個]?${week}${after}`, ([many], now) => addDays(now, Number(many) * 7)],
    [`(${count})[个個]?月${after}`, ([many], now) => inMonth(now, Number(many), now.day)],
    ['(这|這|本|下下|下)?[个個]?月底', ([word], now) => inMonth(now, steps(word), 31)],
    ['(今|明)?年底', ([word], now) => ({ year: now.year + steps(word), month: 12, day: 31 })],
    [`(这|這|本|下下|下)[个個]?月(${count})[日号號]?`, dayOfMonth],
    [`(?:(\\d{4}|今|明|后|後)年)?(${count})月(${count})[日号號]?`, date],
    [
      '(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})',
      ([year, month, day]) => real(Number(year), Number(month), Number(day)),
    ],
    [
      `(${count})[日号號]`,
      (found, now) =>
        notBefore(now, dayOfMonth(['', ...found], now)) ?? dayOfMonth(['下', ...found], now),
    ],
  ] satisfies [string, (found: string[], now: WallClock) => Day | null][]
).map(([pattern, read]) => [new RegExp(`^${pattern}`), read] as const)

function weekday([word, name = '']: string[], now: WallClock): Day {
  const target = { 末: 6, 日: 7, 天: 7 }[name] ?? Number(name)
  const fromToday = target - weekdayOf(now)
  // Without a word for the week it is the next such day, today included; with one, weeks begin on Monday.
  return addDays(now, word === undefined ? (fromToday + 7) % 7 : fromToday + steps(word) * 7)
}

/** So many months on; the 31st is the last day of a shorter month. */
function inMonth(now: WallClock, many: number, day: number): Day {
  const first = new Date(Date.UTC(now.year, now.month - 1 + many, 1))
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1]
  return { year, month, day: Math.min(day, daysIn(year, month)) }
}

function dayOfMonth([word, day]: string[], now: WallClock): Day | null {
  const first = inMonth(now, steps(word), 1)
  return real(first.year, first.month, Number(day))
}

/** Without a year it is the next such day, today included. */
function date([year, monthText, dayText]: string[], now: WallClock): Day | null {
  const [month, day] = [Number(monthText), Number(dayText)]
  if (year !== undefined)
    return real(year in near ? now.year + steps(year) : Number(year), month, day)
  return notBefore(now, real(now.year, month, day)) ?? real(now.year + 1, month, day)
}

const notBefore = (now: WallClock, day: Day | null): Day | null =>
  day !== null && asUtc({ ...now, ...day }) >= asUtc(now) ? day : null

function real(year: number, month: number, day: number): Day | null {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
    ? { year, month, day }
    : null
}

const parts = '凌晨|清晨|早上|早晨|早|晨|上午|中午|午后|午|下午|傍晚|晚上|晚间|晚|夜里|夜裡'
const clock = new RegExp(
  `^(${parts})?(?:(${count})(?:[点點时時:])(?:钟|鐘|整)?(?:(半)|(${count})(刻|分)?)?)?$`,
)
/** When only a part of the day is named. */
const usualHours: Readonly<Record<string, number>> = {
  ...{ 凌: 1, 清: 6, 早: 9, 晨: 9, 上: 10, 中: 12, 午: 12, 下: 15, 傍: 18, 晚: 20, 夜: 22 },
}

function withClock({ year, month, day }: Day, text: string): WallClock | null {
  const match = clock.exec(text)
  if (match === null || text === '') return null
  const [, part = '', said, half, minute = 0, unit] = match
  const sort = part === '午后' ? '下' : part.slice(0, 1)
  const hour = said === undefined ? (usualHours[sort] ?? 0) : hourOf(sort, Number(said))
  const minutes = half !== undefined ? 30 : Number(minute) * (unit === '刻' ? 15 : 1)
  if (hour > 24 || minutes > 59 || (hour === 24 && minutes > 0)) return null
  return wallClockIn('UTC', Date.UTC(year, month - 1, day, hour, minutes))
}

/** 下午三点 is 15, 中午一点 is 13, 晚上十二点 is the end of the day. */
function hourOf(sort: string, hour: number): number {
  if ('下傍'.includes(sort || '-')) return hour < 12 ? hour + 12 : hour
  if ('中午'.includes(sort || '-')) return hour < 10 ? hour + 12 : hour
  if ('晚夜'.includes(sort || '-')) return hour >= 5 && hour <= 12 ? hour + 12 : hour
  return sort === '凌' && hour === 12 ? 0 : hour
}
