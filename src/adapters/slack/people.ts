import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isTimeZone } from '../../agent/domain/zone.ts'
import { inTime } from '../channel-kit/patience.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import { limits } from './limits.ts'

const Person = z.object({
  name: z.string(),
  locale: z.string().nullable(),
  timeZone: z.string().nullable(),
  bot: z.boolean().optional(),
})
type Person = z.infer<typeof Person>

const UsersInfo = z.looseObject({
  user: z.looseObject({
    name: z.string().default(''),
    real_name: z.string().optional(),
    tz: z.string().nullish(),
    locale: z.string().nullish(),
    is_bot: z.boolean().optional(),
    profile: z
      .looseObject({ display_name: z.string().optional(), real_name: z.string().optional() })
      .optional(),
  }),
})

/** Names, languages and time zones of people, asked for once in a while and kept for all processes. */
export function createPeople({ notes, clock }: Pick<SlackDeps, 'notes' | 'clock'>, api: Api) {
  const memory = new LRUCache<string, Person, { workspace: string; id: string }>({
    max: limits.profilesInMemory,
    ttl: limits.profileKeptMs,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: async (_name, _stale, { context: { workspace, id } }) => await ask(workspace, id),
  })

  /** Nothing is remembered of somebody whom Slack did not tell about. */
  async function ask(workspace: string, id: string): Promise<Person | undefined> {
    const noted = await notes.get(workspace, `person:${id}`)
    if (noted !== null) return Person.parse(JSON.parse(noted))
    const answer = await api.call(
      workspace,
      'users.info',
      { user: id, include_locale: true },
      UsersInfo,
    )
    if (answer.kind !== 'ok') return undefined
    const { user } = answer.value
    const person = {
      name:
        user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || id,
      locale: user.locale ?? null,
      timeZone: user.tz && isTimeZone(user.tz) ? user.tz : null,
      ...(user.is_bot === true ? { bot: true } : {}),
    }
    await notes.put(workspace, `person:${id}`, JSON.stringify(person), limits.profileKeptMs)
    return person
  }

  return {
    /** Who somebody is; null when that is not known in time. Never throws, and never holds an event up for long (P4). */
    async who(workspace: string, id: string): Promise<Person | null> {
      const known = memory
        .fetch(`${workspace} ${id}`, { context: { workspace, id } })
        .catch(() => undefined)
      return (await inTime(clock, limits.profileMs, known)) ?? null
    },
    /** They say that something about them has changed: the next `who` asks Slack. */
    async forget(workspace: string, id: string): Promise<void> {
      memory.delete(`${workspace} ${id}`)
      await notes.drop(workspace, `person:${id}`)
    },
  }
}
export type People = ReturnType<typeof createPeople>
