import { isTimeZone } from '../../domain/zone.ts'
import { englishTimes } from '../../on-demand.ts'
import { listed } from './names.ts'

/** Zones by the words that people use for them; other cities are read by their IANA names. */
const places = listed(
  'z=UTC utc=UTC gmt=UTC et=America/New_York eastern=America/New_York ct=America/Chicago central=America/Chicago mt=America/Denver mountain=America/Denver pt=America/Los_Angeles pacific=America/Los_Angeles uk=Europe/London beijing=Asia/Shanghai china=Asia/Shanghai 北京=Asia/Shanghai 上海=Asia/Shanghai 中国=Asia/Shanghai 香港=Asia/Hong_Kong 新加坡=Asia/Singapore 东京=Asia/Tokyo 日本=Asia/Tokyo 伦敦=Europe/London 柏林=Europe/Berlin 巴黎=Europe/Paris 纽约=America/New_York',
)

/** Abbreviations that name several places, or none with summer time, and places that may be meant. */
const ambiguous = listed(
  'est=America/New_York,Australia/Sydney edt=America/New_York cst=America/Chicago,Asia/Shanghai cdt=America/Chicago mst=America/Denver,America/Phoenix mdt=America/Denver pst=America/Los_Angeles,Asia/Manila pdt=America/Los_Angeles bst=Europe/London,Asia/Dhaka ist=Asia/Kolkata,Europe/Dublin cet=Europe/Berlin,Europe/Paris cest=Europe/Berlin,Europe/Paris eet=Europe/Athens,Africa/Cairo jst=Asia/Tokyo',
)

/** A zone that can be chosen: `isTimeZone` also takes abbreviations, of which BST is that of Dhaka (C319). */
export const isPlace = (name: string): boolean =>
  isTimeZone(name) && /[/\d]|.{5}|^(?:utc|gmt)$/i.test(name)

/** Places that an abbreviation may mean; null: it is none. */
export const placesOf = (name: string): string[] | null =>
  ambiguous.get(name.toLowerCase())?.split(',') ?? (isTimeZone(name) && !isPlace(name) ? [] : null)

/** Returns the offset that chrono reads in an abbreviation or an offset, as `+05:30`. */
function offsetOf(name: string): string | undefined {
  const [found] = englishTimes().casual.parse(`2026-01-01 12:00 ${name.replace(/^(...):/, '$1')}`)
  const minutes = found?.start.get('timezoneOffset') ?? null
  if (minutes === null) return undefined
  return `${minutes < 0 ? '-' : '+'}${new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16)}`
}

function cityOf(name: string): string | undefined {
  const ending = name.replace(/^(?!.*\/)/, '/').replaceAll(' ', '_')
  return Intl.supportedValuesOf('timeZone').find((one) => one.toLowerCase().endsWith(ending))
}

/** `eastern`, `berlin time` and `europe/berlin` are places, `gmt+8` is an offset; undefined: a bare city, an abbreviation or none. */
function placeOf(name: string): string | undefined {
  const city = name.replace(/ ?(?:time|时间)$/, '')
  if (/[+-]/.test(city)) return offsetOf(city)
  return places.get(city) ?? (city === name && !name.includes('/') ? undefined : cityOf(city))
}

/**
 * True if words behind a clock name a zone. In small letters only the usual abbreviations do: `at 9 eat lunch`. A bare city is
 * one that `zoneOf` refuses: “at 9 London call”.
 *
 * @param typed the same as it was typed.
 */
export function isZone(name: string, typed: string): boolean {
  if (ambiguous.has(name)) return true
  const isName = /^[(\s]*(?:in |[A-Z][A-Z]|[A-Z][a-z]{2})/.test(typed)
  if (!isName && !/^(?:z|utc|gmt)$|[^a-z]/.test(name)) return false
  const isShort = /^[a-z]{3,5}$/.test(name) && /[A-Z]{3}/.test(typed.slice(0, 6))
  return (placeOf(name) ?? cityOf(name) ?? (isShort ? offsetOf(name) : undefined)) !== undefined
}

/** True if that is what people there call their own time: `EST` in New York, `CET` in Berlin. */
const isOwnName = (name: string, timeZone: string): boolean =>
  ['en-US', 'en-GB', 'en-IN', 'en-AU'].some((locale) =>
    [0, 6].some((month) =>
      new Date(Date.UTC(2026, month))
        .toLocaleString(locale, { timeZone, timeZoneName: 'short' })
        .toLowerCase()
        .endsWith(` ${name}`),
    ),
  )

/**
 * The zone that is said. In a single time an abbreviation is its offset; a rule has it only as the name of the own zone.
 * Undefined: an abbreviation of several places.
 *
 * @param own the person's
 */
export function zoneOf(name: string | undefined, own: string, isRule: boolean): string | undefined {
  if (name === undefined) return own
  return placeOf(name) ?? (isRule ? [own].find((one) => isOwnName(name, one)) : offsetOf(name))
}
