import { LRUCache } from 'lru-cache'
import type { DiscordDeps } from './deps.ts'

/** What a person has told us about themselves; null where they have not. */
interface Person {
  timeZone: string | null
  locale: string | null
}

/** Notes of people are the same in every server. */
const everywhere = 'discord:people'
const zoneKey = (id: string): string => `zone:${id}`
const localeKey = (id: string): string => `locale:${id}`

/** How long an answer is good for; another process may have heard something newer. */
const knownForMs = 30_000
const max = 5_000

/** Zones and languages of those who write, asked for once in a while and not for every message. */
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
    /** As it is now, for a command that depends on it. */
    zoneOf,
    keepZone: (id: string, zone: string) => notes.put(everywhere, zoneKey(id), zone, null),
    keepLocale: (id: string, locale: string) => notes.put(everywhere, localeKey(id), locale, null),
  }
}
export type People = ReturnType<typeof createPeople>
