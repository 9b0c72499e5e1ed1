import type { Clock } from './ports/clock.ts'

/** People whose last message is long ago are forgotten when there are more than this. */
const knownMost = 10_000

/**
 * How many messages one person may send (S8): `perMinute` at once, and then as they come back over the minute. Of one process:
 * several of them together let several times as many through. 0 lets everything through.
 */
export function createRate({ clock, perMinute }: { clock: Pick<Clock, 'now'>; perMinute: number }) {
  const buckets = new Map<string, { left: number; at: number }>()
  const refilled = ({ left, at }: { left: number; at: number }, now: number) =>
    Math.min(perMinute, left + (Math.max(0, now - at) * perMinute) / 60_000)

  return {
    /** False: it is one too many. */
    take(person: string): boolean {
      if (perMinute === 0) return true
      const now = clock.now()
      const left = refilled(buckets.get(person) ?? { left: perMinute, at: now }, now)
      if (buckets.size >= knownMost)
        for (const [name, bucket] of buckets) if (refilled(bucket, now) >= perMinute) buckets.delete(name)
      buckets.set(person, { left: left < 1 ? left : left - 1, at: now })
      return left >= 1
    },
  }
}
