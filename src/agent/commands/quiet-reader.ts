import type { QuietHours, QuietWindow } from '../domain/quiet.ts'
import { readRun } from './when/grammar.ts'
import { plainLine } from './when/plain.ts'
import { sorted, spanOf, weekdaysIn } from './when/words.ts'
import { isZone, zoneOf } from './when/zones.ts'

/*
 * Quiet hours in words: `18:00-9:00`, `weekends`, `10pm to 7am on weekdays, sat and sun`,
 * `outside 9:00-18:00`. They are read whole or not at all (C312).
 */

/**
 * Days, hours, or both; `named`: the days stand by their own names and not as `weekends` or
 * `weekdays`.
 */
interface Part {
  days: number[] | null
  named: boolean
  hours: [number, number] | null
  /** The days stand behind the hours. */
  daysLast: boolean
  isWeekend: boolean
}

const longest = 120
const everyDay = [0, 1, 2, 3, 4, 5, 6]
const outside = /^(?:outside(?: of)?|except(?: for)?|all but) |^除了?(?=.*[以之]外$)|[以之]外$/gi

/** @param own the person's zone. Null: it is not understood whole. */
export function readQuiet(typed: string, own: string): QuietHours | null {
  if (typed.length > longest) return null
  const { line, timeZone } = zoned(typed.trim(), own)
  if (timeZone === undefined) return null
  const words = line.replace(outside, '').trim()
  const groups = plainHours(words).split(/ ?[;\n] ?/)
  const windows = groups.map(windowsOf)
  if (windows.some((some) => some === null)) return null
  const all = windows.flatMap((some) => some ?? [])
  return { version: 1, timeZone, outside: words !== line, windows: all }
}

/** A line without the zone at its end, and that zone; undefined: it may be several. */
function zoned(typed: string, own: string) {
  const words = typed.split(/\s+/)
  for (const many of [3, 2, 1]) {
    const name = words.slice(-many).join(' ').replace(/[()]/g, '')
    const isName = /^(?:\p{L}[^\d]*|(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d\d)?)$/iu.test(name)
    if (many < words.length && isName && isZone(name.toLowerCase(), name)) {
      const timeZone = zoneOf(name.toLowerCase(), own, true)
      return { line: words.slice(0, -many).join(' '), timeZone }
    }
  }
  return { line: typed, timeZone: own }
}

/** Plain English with each clock's half of the day beside it: `night 10:00` is `10:00pm`. */
function plainHours(words: string): string {
  const { text } = plainLine(words.replace(/[；\n]/g, ';').replace(/[，、]/g, ','))
  return text
    .trim()
    .replace(/\bweekend\b/g, 'weekends')
    .replace(/\b24:00\b/g, '0:00')
    .replace(/(\d) ?- ?(?=\d)/g, '$1 - ')
    .replace(/\b(dawn|daybreak|morning|forenoon) (\d{1,2}:\d\d)\b/g, '$2am')
    .replace(/\b(afternoon|evening|night|lunchtime) (\d{1,2})(:\d\d)\b/g, laterHalf)
    .replace(/\bbetween (\S{1,7}(?: ?[ap]m)?) and /g, 'from $1 to ')
}

function laterHalf(all: string, part: string, hour: string, minute: string): string {
  const said = Number(hour)
  if (said > 12) return `${hour}${minute}`
  const isPast = part === 'night' && (said === 12 || said < 5)
  return said === 0 ? all : `${hour}${minute}${isPast ? 'am' : 'pm'}`
}

/**
 * Returns the windows of parts joined by commas or "and". Null: unclear which days go with which
 * hours.
 */
function windowsOf(group: string): QuietWindow[] | null {
  const parts = group.split(/ ?, ?(?:and )?| and | & | plus /).map(partOf)
  const made: Part[] = []
  let waiting: Part[] = []
  for (const part of parts) {
    if (part === null) return null
    const last = made.at(-1)
    const others = [...waiting, part]
    if (part.hours === null && last?.daysLast && waiting.length === 0) {
      if (!part.named || !last.named) return null
      last.days = [...(last.days ?? []), ...(part.days ?? [])]
      continue
    }
    if (part.hours === null) {
      waiting = others
      continue
    }
    const isList = waiting.length > 0 && part.days !== null && others.every(({ named }) => named)
    const isApart = part.days === null ? waiting.every(isAllWeekend) : others.every(isSet)
    if (!isList && waiting.length > 0 && !isApart) return null
    const days = others.flatMap((one) => one.days ?? [])
    made.push(...(isList ? [{ ...part, days }] : others))
    waiting = []
  }
  return [...made, ...waiting].map(windowOf)
}

const isAllWeekend = ({ isWeekend }: Part) => isWeekend
const isSet = ({ named }: Part) => !named

const windowOf = ({ days, hours }: Part): QuietWindow => {
  const [from, to] = hours ?? [0, 1440]
  return { days: sorted(days ?? everyDay), from, to }
}

const slots = ['days', 'except', 'every', 'from', 'to']

function partOf(text: string): Part | null {
  for (const line of [text, `from ${text}`]) {
    const { said, places, end } = readRun(line)
    const isWhole = end > 0 && end === line.length
    if (!isWhole || Object.keys(said).some((slot) => !slots.includes(slot))) continue
    const hours = said.from === undefined ? null : hoursOf(said.from, said.to ?? '')
    const daily = spanOf(said.every)
    const isDaily = daily.days === 1 && daily.minutes + daily.months === 0
    if (hours === undefined || (said.every !== undefined && !isDaily)) return null
    const isNamed = said.days !== undefined || said.except !== undefined || isDaily
    const out = weekdaysIn(said.except)
    const named = said.days === undefined ? everyDay : weekdaysIn(said.days)
    return {
      days: isNamed ? named.filter((day) => !out.includes(day)) : null,
      named: said.days !== undefined && !/week/.test(said.days) && said.except === undefined,
      hours,
      daysLast: (places.days?.[0] ?? 0) > (places.from?.[0] ?? line.length),
      isWeekend: /^(?:every |on )?weekends?(?: days?)?$/.test(said.days ?? ''),
    }
  }
  return null
}

/** Minutes of the day; undefined where it may be the morning or the evening. */
function hoursOf(from: string, to: string): [number, number] | undefined {
  const clocks = [from, to].map((text) => /^(\d{1,2})(:\d\d)?(?: ?([ap]m))?$/.exec(text.trim()))
  const [first, second] = clocks.map((found) => {
    const [, hour = '', minute, half] = found ?? []
    const said = Number(hour)
    const isOpen = half === undefined && said > 0 && said <= 12 && !hour.startsWith('0')
    const later = half === 'pm' ? 12 : 0
    const at =
      (half === undefined ? said : (said % 12) + later) * 60 + Number(minute?.slice(1) ?? 0)
    return { isRead: found !== null, at, half, isOpen, isBare: isOpen && minute === undefined }
  })
  if (!first?.isRead || !second?.isRead || first.at === second.at) return undefined
  const isHalved = first.half !== undefined || second.half !== undefined
  const isUnclear = isHalved ? first.isOpen || second.isOpen : first.isBare && second.isBare
  return isUnclear ? undefined : [first.at, second.at]
}
