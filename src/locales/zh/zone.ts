/** Name of a time zone for people, from its IANA name: `中国时间`, ` UTC 时间`. */
export function zoneName(zone: string): string {
  const format = new Intl.DateTimeFormat('zh', { timeZone: zone, timeZoneName: 'shortGeneric' })
  const name = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name.startsWith('GMT') ? ` ${zone} 时间` : name
}

/** Day for people, from `2026-11-30`: `2026年11月30日周一`, or without its year. */
export const dayName = (day: string, isThisYear = false) =>
  new Intl.DateTimeFormat('zh', {
    year: isThisYear ? undefined : 'numeric',
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    timeZone: 'UTC',
  }).format(Date.parse(day))
