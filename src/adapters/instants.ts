/*
 * Instants in texts for people: written with their zone, so that each channel can show them in its readers' own time (C138).
 */

const instant =
  /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})(?!\w|:\d)/g

/** @param show gets milliseconds since the epoch and what stands there. */
export const withInstants = (text: string, show: (at: number, written: string) => string): string =>
  text.replace(instant, (written) => {
    const at = Date.parse(written)
    return Number.isNaN(at) ? written : show(at, written)
  })

export const hasInstant = (text: string): boolean => text.search(instant) !== -1

/** As it is read where nothing shows it in the reader's own time: `2026-03-04 10:00 (UTC+08:00)`. */
export const namedInstant = (_: number, written: string): string => {
  const [, day, clock, zone = ''] = /^(.{10})T(.{5}).*?(Z|[+-]\d\d:?\d\d)$/.exec(written) ?? []
  return `${day} ${clock} (UTC${zone === 'Z' || /^.00:?00$/.test(zone) ? '' : zone})`
}
