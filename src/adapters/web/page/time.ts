import { withInstants } from '../../instants.ts'

/**
 * Times as people of a language write them. `at` is ms since the epoch; the zone is the browser's.
 */

/** Time zone of the browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), options)
  formats.set(key, known)
  return known
}

const formatter =
  (options: Intl.DateTimeFormatOptions) =>
  (at: number, language: string): string =>
    format(language, options).format(at)

export const clockTime = formatter({ hour: 'numeric', minute: '2-digit' })

/**
 * Locale of the browser for a language of the page, so that an hour is 9:00 in Lisbon and 9 AM in
 * Boston.
 */
export const localeOf = (language: string): string =>
  navigator.languages.find((one) => one.split('-')[0] === language) ?? language

/** Day in words: `today`, `yesterday`, or an older day's date. */
export function day(at: number, now: number, language: string): string {
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  if (isSameDay(at, now)) return relative.format(0, 'day')
  if (isSameDay(at, now - 24 * 60 * 60 * 1000)) return relative.format(-1, 'day')
  return longDay(at, language)
}

export const longDay = formatter({ weekday: 'long', day: 'numeric', month: 'long' })

export const isSameDay = (a: number, b: number): boolean =>
  new Date(a).toDateString() === new Date(b).toDateString()

const shortDay = formatter({ day: 'numeric', month: 'short' })

/** Time of today, date of any other day. */
export const shortTime = (at: number, now: number, language: string): string =>
  isSameDay(at, now) ? clockTime(at, language) : shortDay(at, language)

const dayOptions = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** The year, where it is not this one (C616). */
const yearOf = (at: number): 'numeric' | undefined =>
  new Date(at).getFullYear() === new Date().getFullYear() ? undefined : 'numeric'

/** Day and time in a zone; defaults to the browser's. */
export const dateTime = (at: number, language: string, timeZone?: string): string =>
  format(language, {
    ...dayOptions,
    hour: 'numeric',
    minute: '2-digit',
    year: yearOf(at),
    timeZone,
  }).format(at)

/** Day in the browser's zone, as `Tue, Dec 1`. */
export const dayDate = (at: number, language: string): string =>
  format(language, { ...dayOptions, year: yearOf(at) }).format(at)

/** Time in a field, as people write it and commands parse it: `Mar 8, 2031, 6:00 PM` (C703). */
export const typedTime = (at: number, language: string, timeZone?: string): string =>
  format(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)

/** Day in a field, as `Mar 8, 2031`. */
export const typedDay = formatter({ dateStyle: 'medium' })

/**
 * Text with its days and clock times, such as `2031-03-08 09:00`, as the browser writes them
 * (C703).
 */
export const ownClocks = (text: string, language: string): string =>
  text
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (date) => typedDay(Date.parse(`${date}T12:00`), language))
    .replaceAll(/\b(?:[01]?\d|2[0-3]):[0-5]\d\b(?!\s?[ap]m)/gi, (clock) =>
      clockTime(Date.parse(`2026-01-01T${clock.padStart(5, '0')}`), language),
    )

/** Plain text with its times in the reader's zone. */
export const ownTime = (text: string, language: string): string =>
  withInstants(text, (at) => dateTime(at, language))

/** HTML of a message with its times in the reader's zone (C138). */
export const ownTimes = (html: string, language: string): string =>
  html.replace(/<time datetime="([^"<>]+)">[^<]*<\/time>/g, (whole, written: string) => {
    const at = Date.parse(written)
    const shown = dateTime(at, language)
    return Number.isNaN(at)
      ? whole
      : `<time datetime="${written}" title="${fullTime(at, language)}">${shown}</time>`
  })

/** Clock time with its seconds. */
export const timeOfDay = formatter({ timeStyle: 'medium' })

export const fullTime = formatter({ dateStyle: 'full', timeStyle: 'medium' })

/** Duration in words of the page's language, from ms. */
export function lasted(ms: number): string {
  const [seconds, minutes] = [ms / 1_000, Math.floor(ms / 60_000)]
  const show = (...parts: (readonly [number, string])[]) =>
    parts
      .map(([value, unit]) =>
        new Intl.NumberFormat(localeOf(document.documentElement.lang), {
          style: 'unit',
          unit,
          unitDisplay: 'narrow',
          maximumFractionDigits: seconds < 10 ? 1 : 0,
        }).format(value),
      )
      .join(' ')
  if (seconds < 1) return show([Math.round(ms), 'millisecond'])
  if (minutes === 0) return show([seconds, 'second'])
  if (minutes < 60) return show([minutes, 'minute'], [Math.floor(seconds % 60), 'second'])
  return show([Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute'])
}
