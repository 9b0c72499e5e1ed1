import { withInstants } from '../../instants.ts'

/**
 * Times as people of a language write them. `at` is ms since the epoch; the zone is the browser's.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), options)
  formats.set(key, known)
  return known
}

export const clockTime = (at: number, language: string): string =>
  format(language, { hour: 'numeric', minute: '2-digit' }).format(at)

/** Locale of the browser for a language of the page, so that an hour is 9:00 in Lisbon and 9 AM in Boston. */
export const localeOf = (language: string): string =>
  navigator.languages.find((one) => one.split('-')[0] === language) ?? language

/** Day in words: `today`, `yesterday`, or an older day's date. */
export function day(at: number, now: number, language: string): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (isSameDay(at, now)) return relative.format(0, 'day')
  if (isSameDay(at, now - 24 * 60 * 60 * 1000)) return relative.format(-1, 'day')
  return longDay(at, language)
}

export const longDay = (at: number, language: string): string =>
  format(language, { weekday: 'long', day: 'numeric', month: 'long' }).format(at)

export const isSameDay = (a: number, b: number): boolean =>
  new Date(a).toDateString() === new Date(b).toDateString()

/** Time of today, date of any other day. */
export function shortTime(at: number, now: number, language: string): string {
  if (isSameDay(at, now)) return clockTime(at, language)
  return format(language, { day: 'numeric', month: 'short' }).format(at)
}

const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** The year, where it is not this one (C616). */
const yearOf = (at: number): 'numeric' | undefined =>
  new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric'

/** Format of day and time in a zone; defaults to the browser's. */
export const dateTime = (language: string, timeZone?: string) => ({
  format(at: number): string {
    const options = { ...dayOptions, hour: 'numeric', minute: '2-digit' } as const
    return format(language, { ...options, year: yearOf(at), timeZone }).format(at)
  },
})

/** Day in the browser's zone, as `Tue, Dec 1`. */
export const dayDate = (at: number, language: string): string =>
  format(language, { ...dayOptions, year: yearOf(at) }).format(at)

/** Time as commands parse it: `2031-03-08 18:00`. */
export const wallTime = (at: number, timeZone?: string): string =>
  format('sv', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(at)

/** Plain text with its times in the reader's zone. */
export const ownTime = (text: string, language: string): string =>
  withInstants(text, (at) => dateTime(language).format(at))

/** HTML of a message with its times in the reader's zone (C138). */
export const ownTimes = (html: string, language: string): string =>
  html.replace(/<time datetime="([^"<>]+)">[^<]*<\/time>/g, (whole, written: string) => {
    const at = Date.parse(written)
    const shown = dateTime(language).format(at)
    return Number.isNaN(at)
      ? whole
      : `<time datetime="${written}" title="${fullTime(at, language)}">${shown}</time>`
  })

export const fullTime = (at: number, language: string): string =>
  format(language, { dateStyle: 'full', timeStyle: 'medium' }).format(at)

/** Duration in words, from ms. */
export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
