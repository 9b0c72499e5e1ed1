import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isTimeZone } from '../../agent/domain/zone.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Api } from './api.ts'
import { inTime } from './in-time.ts'
import { limits } from './limits.ts'

export const Person = z.object({ name: z.string(), locale: z.string().nullable(), timeZone: z.string().nullable() })
export type Person = z.infer<typeof Person>

const UsersInfo = z.looseObject({
  user: z.looseObject({
    name: z.string().default(''),
    real_name: z.string().optional(),
    tz: z.string().nullish(),
    locale: z.string().nullish(),
    profile: z.looseObject({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
  }),
})

export interface People {
  /** Who somebody is; null when that is not known in time. Never throws, and never holds an event up for long (P4). */
  who(workspace: string, id: string): Promise<Person | null>
  /** They say that something about them has changed: the next `who` asks Slack. */
  forget(workspace: string, id: string): Promise<void>
}

/** Names, languages and time zones of people, asked for once in a while and kept for all processes. */
export function createPeople(deps: { api: Api; shelf: Notes; clock: Clock }): People {
  const { api, shelf, clock } = deps
  const memory = new LRUCache<string, { person: Person; until: number }>({ max: limits.profilesInMemory })
  const asked = new Map<string, Promise<Person | null>>()

  function keep(name: string, person: Person): Person {
    memory.set(name, { person, until: clock.now() + limits.profileKeptMs })
    return person
  }

  async function ask(workspace: string, id: string, name: string): Promise<Person | null> {
    const noted = await shelf.get(workspace, `person:${id}`)
    if (noted !== null) return keep(name, Person.parse(JSON.parse(noted)))
    const answer = await api.call(workspace, 'users.info', { user: id, include_locale: true }, UsersInfo)
    if (!answer.ok) return null
    const { user } = answer.value
    const person = keep(name, {
      name: user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || id,
      locale: user.locale ?? null,
      timeZone: user.tz && isTimeZone(user.tz) ? user.tz : null,
    })
    await shelf.put(workspace, `person:${id}`, JSON.stringify(person), limits.profileKeptMs)
    return person
  }

  return {
    async who(workspace, id) {
      const name = `${workspace} ${id}`
      const known = memory.get(name)
      if (known !== undefined && known.until > clock.now()) return known.person
      const going = asked.get(name) ?? ask(workspace, id, name).catch(() => null)
      asked.set(name, going)
      void going.finally(() => asked.delete(name))
      return await inTime(clock, limits.profileMs, going)
    },
    async forget(workspace, id) {
      memory.delete(`${workspace} ${id}`)
      await shelf.drop(workspace, `person:${id}`)
    },
  }
}
