import { formatWall, offsetAt, wallClockIn } from './zone.ts'

/** An instant for a model to read: ISO 8601 to the minute, with the zone's offset, for example `2026-11-20T09:00+01:00`. */
export function zonedTime(at: number, timeZone: string): string {
  const minutes = Math.round(offsetAt(timeZone, at) / 60_000)
  const size = Math.abs(minutes)
  const two = (n: number) => String(n).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  return formatWall(wallClockIn(timeZone, at)).replace(' ', 'T') + offset
}
