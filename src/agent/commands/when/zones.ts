import { isTimeZone, offsetAt } from '../../domain/zone.ts'
import { listed } from './grammar.ts'

/** Zones by the words that people use for them; other cities are read by their IANA names. */
const places = listed(
  'z=UTC zulu=UTC utc=UTC gmt=UTC et=America/New_York eastern=America/New_York ct=America/Chicago central=America/Chicago mt=America/Denver mountain=America/Denver pt=America/Los_Angeles pacific=America/Los_Angeles uk=Europe/London beijing=Asia/Shanghai china=Asia/Shanghai 北京=Asia/Shanghai 上海=Asia/Shanghai 中国=Asia/Shanghai 香港=Asia/Hong_Kong 新加坡=Asia/Singapore 东京=Asia/Tokyo 日本=Asia/Tokyo 伦敦=Europe/London 柏林=Europe/Berlin 巴黎=Europe/Paris 纽约=America/New_York',
)

/**
 * Abbreviations that name several places, or none with summer time: their offset, and places that
 * may be meant.
 */
const abbreviations = listed(
  'est=-05:00,America/New_York,Australia/Sydney edt=-04:00,America/New_York cst=-06:00,America/Chicago,Asia/Shanghai cdt=-05:00,America/Chicago mst=-07:00,America/Denver,America/Phoenix mdt=-06:00,America/Denver pst=-08:00,America/Los_Angeles,Asia/Manila pdt=-07:00,America/Los_Angeles akst=-09:00,America/Anchorage hst=-10:00,Pacific/Honolulu bst=+01:00,Europe/London,Asia/Dhaka ist=+05:30,Asia/Kolkata,Europe/Dublin cet=+01:00,Europe/Berlin,Europe/Paris cest=+02:00,Europe/Berlin,Europe/Paris mez=+01:00,Europe/Berlin mesz=+02:00,Europe/Berlin eet=+02:00,Europe/Athens,Africa/Cairo eest=+03:00,Europe/Athens msk=+03:00,Europe/Moscow sast=+02:00,Africa/Johannesburg pkt=+05:00,Asia/Karachi sgt=+08:00,Asia/Singapore hkt=+08:00,Asia/Hong_Kong pht=+08:00,Asia/Manila myt=+08:00,Asia/Kuala_Lumpur wib=+07:00,Asia/Jakarta wita=+08:00,Asia/Makassar npt=+05:45,Asia/Kathmandu trt=+03:00,Europe/Istanbul awst=+08:00,Australia/Perth jst=+09:00,Asia/Tokyo kst=+09:00,Asia/Seoul acst=+09:30,Australia/Adelaide aest=+10:00,Australia/Sydney aedt=+11:00,Australia/Sydney nzst=+12:00,Pacific/Auckland nzdt=+13:00,Pacific/Auckland brt=-03:00,America/Sao_Paulo',
)

/**
 * A zone that can be chosen: `isTimeZone` also takes abbreviations, of which BST is that of Dhaka
 * (C319).
 */
export const isPlace = (name: string) => isTimeZone(name) && /[/\d]|.{5}|^(?:utc|gmt)$/i.test(name)

/** Places that an abbreviation may mean; null: it is none. */
export const placesOf = (name: string): string[] | null =>
  abbreviations.get(name.toLowerCase())?.split(',').slice(1) ??
  (isTimeZone(name) && !isPlace(name) ? [] : null)

/** `gmt+8` as `+08:00`. */
function offsetOf(name: string): string | undefined {
  const [, sign, hours = '', minutes = '00'] = /([+-]) ?(0?\d|1[0-4]):?(\d\d)?$/.exec(name) ?? []
  return sign && `${sign}${hours.padStart(2, '0')}:${minutes}`
}

/** Zones that this Node knows, with their small letters. */
let zones: readonly { name: string; small: string }[] | undefined

function cityOf(name: string): string | undefined {
  const ending = name.replace(/^(?!.*\/)/, '/').replaceAll(' ', '_')
  zones ??= Intl.supportedValuesOf('timeZone').map((one) => ({
    name: one,
    small: one.toLowerCase(),
  }))
  return zones.find(({ small }) => small.endsWith(ending))?.name
}

/** Names that titles begin with as well: “at 9 UK team call”, “9am Central station”. */
const needsTime = /^(?:eastern|central|mountain|pacific|uk|beijing|china)$/

/**
 * `et`, `berlin time` and `europe/berlin` are places, `gmt+8` is an offset; undefined: a bare
 * city, an abbreviation or none.
 */
function placeOf(name: string): string | undefined {
  const city = name.replace(/ ?(?:time|时间)$/, '')
  const isBare = city === name && !name.includes('/')
  return (
    offsetOf(city) ??
    (isBare && needsTime.test(name) ? undefined : places.get(city)) ??
    (isBare ? undefined : cityOf(city))
  )
}

/**
 * True if words behind a clock name a zone. In small letters only the usual abbreviations do:
 * `at 9 eat lunch`. A bare city is one that `zoneOf` refuses: “at 9 London call”.
 *
 * @param typed the same as it was typed.
 */
export function isZone(name: string, typed: string): boolean {
  if (abbreviations.has(name)) return true
  const isName = /^[(\s]*(?:in |[A-Z][A-Z]|[A-Z][a-z]{2})/.test(typed)
  if (!isName && !/^(?:z|utc|gmt)$|[^a-z]/.test(name)) return false
  return needsTime.test(name) || (placeOf(name) ?? cityOf(name)) !== undefined
}

/** True if both have the same clock all year: New York, of `EST`, and Toronto. */
const isLike = (place: string, own: string) =>
  [0, 6]
    .map((month) => Date.UTC(2026, month))
    .every((at) => offsetAt(place, at) === offsetAt(own, at))

/**
 * The zone that is said. An abbreviation of the own zone is that zone, all year (C985). Another is
 * its offset in a single time, and none in a rule. Undefined: an abbreviation of several places, or
 * a bare city.
 *
 * @param own the person's
 */
export function zoneOf(name: string | undefined, own: string, isRule: boolean): string | undefined {
  if (name === undefined) return own
  const [offset, ...named] = abbreviations.get(name)?.split(',') ?? []
  if (named.some((place) => isLike(place, own))) return own
  return placeOf(name) ?? (isRule ? undefined : offset)
}
