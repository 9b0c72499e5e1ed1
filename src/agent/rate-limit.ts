import { LRUCache } from 'lru-cache'

/** People and messages that are known at a time; those of long ago are forgotten first. By `maxSize`, since `max` reserves all of it at once. */
const atMost = { maxSize: 10_000, sizeCalculation: () => 1 }

/**
 * How many messages one person may send (S8): `perMinute` at once, and then as they come back over the minute. Of one process:
 * several of them together let several times as many through. 0 lets everything through.
 */
export function createRate({ perMinute }: { perMinute: number }) {
  /** Messages that were let through: platforms send them again, some of them always twice. */
  const taken = new LRUCache<string, true>(atMost)
  const buckets = new LRUCache<string, { left: number; at: number }>(atMost)
  const refilled = ({ left, at }: { left: number; at: number }, now: number) =>
    Math.min(perMinute, left + (Math.max(0, now - at) * perMinute) / 60_000)

  return {
    /**
     * False: it is one too many.
     *
     * @param at when it was said: what is read late, after an outage, was not said all at once.
     */
    take(person: string, { key, at }: { key: string; at: number }): boolean {
      if (perMinute === 0 || taken.has(key)) return true
      const before = buckets.get(person) ?? { left: perMinute, at }
      const left = refilled(before, at)
      buckets.set(person, { left: left < 1 ? left : left - 1, at: Math.max(at, before.at) })
      if (left < 1) return false
      taken.set(key, true)
      return true
    },
  }
}
