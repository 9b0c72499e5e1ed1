import { LRUCache } from 'lru-cache'
import { type DiscordDeps, everywhere } from './deps.ts'

/** Settings that a person has chosen, `null` where they have not. */
interface Person {
  timeZone: string | null
  locale: string | null
}

const zoneKey = (id: string): string => `zone:${id}`
const localeKey = (id: string): string => `locale:${id}`

/** Cache time in milliseconds; another process may have stored something newer. */
const knownForMs = 30_000
const max = 5_000

/** Caches the time zones and languages of authors, so that not every message reads the store. */
export function createPeople({ notes, clock }: Pick<DiscordDeps, 'notes' | 'clock'>) {
  const zoneOf = (id: string) => notes.get(everywhere, zoneKey(id))
  const read = async (id: string): Promise<Person> => {
    const [timeZone, locale] = await Promise.all([zoneOf(id), notes.get(everywhere, localeKey(id))])
    return { timeZone, locale }
  }
  const known = new LRUCache<string, Person>({
    max,
    ttl: knownForMs,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: read,
  })
  return {
    who: async (id: string): Promise<Person> => (await known.fetch(id)) ?? (await read(id)),
    /** Reads the current zone, bypassing the cache, for a command that depends on it. */
    zoneOf,
    keepZone: (id: string, zone: string) => notes.put(everywhere, zoneKey(id), zone, null),
    keepLocale: (id: string, locale: string) => notes.put(everywhere, localeKey(id), locale, null),
  }
}
export type People = ReturnType<typeof createPeople>
