import { LRUCache } from 'lru-cache'
import type { Discord } from './context.ts'

/** What a person has told us about themselves; null where they have not. */
interface Known {
  timeZone: string | null
  locale: string | null
}

/** Notes of people are the same in every server. */
export const peopleHome = 'discord:people'
export const zoneKey = (personId: string): string => `zone:${personId}`
export const localeKey = (personId: string): string => `locale:${personId}`

/** How long an answer is good for; another process may have heard something newer. */
const knownForMs = 30_000
const max = 5_000

/** Zones and languages of those who write, asked for once in a while and not for every message. */
export function createPeople({ deps }: Discord) {
  const read = async (id: string): Promise<Known> => {
    const { notes } = deps.store
    const [timeZone, locale] = await Promise.all([
      notes.get(peopleHome, zoneKey(id)),
      notes.get(peopleHome, localeKey(id)),
    ])
    return { timeZone, locale }
  }
  const known = new LRUCache<string, Known>({
    ...{ max, ttl: knownForMs, ttlResolution: 0, perf: deps.clock },
    fetchMethod: read,
  })
  return { of: async (id: string): Promise<Known> => (await known.fetch(id)) ?? (await read(id)) }
}
