/*
 * Points in time within texts for people. They carry their time zone, so that each channel can show
 * them in the reader's own (C138).
 */

const instant =
  /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})(?!\w|:\d)/g

/**
 * Replaces each point in time in a text.
 *
 * @param show called with milliseconds since the epoch and the original text.
 */
export const withInstants = (text: string, show: (at: number, written: string) => string) =>
  text.replace(instant, (written) => {
    const at = Date.parse(written)
    return Number.isNaN(at) ? written : show(at, written)
  })

export const hasInstant = (text: string) => text.search(instant) !== -1

/**
 * Renders an instant in its own zone, for places that cannot use the reader's: `2026-03-04 10:00
 * (UTC+08:00)`.
 */
export const namedInstant = (_: number, written: string): string => {
  const [, day, clock, zone = ''] = /^(.{10})T(.{5}).*?(Z|[+-]\d\d:?\d\d)$/.exec(written) ?? []
  return `${day} ${clock} (UTC${zone === 'Z' || /^.00:?00$/.test(zone) ? '' : zone})`
}
