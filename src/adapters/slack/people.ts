import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { inTime } from '../../agent/deadline.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import type { Standing } from '../../agent/domain/words.ts'
import { isTimeZone } from '../../agent/domain/zone.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import { type Home, teamOf, workspaceOf } from './installations.ts'
import { limits } from './limits.ts'

const Person = z.object({
  /** The person's own workspace and organisation. */
  team: z.string().nullable(),
  enterprise: z.string().nullable(),
  guest: z.boolean(),
  stranger: z.boolean(),
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
    team_id: z.string().nullish(),
    enterprise_user: z.looseObject({ enterprise_id: z.string().nullish() }).nullish(),
    is_restricted: z.boolean().nullish(),
    is_ultra_restricted: z.boolean().nullish(),
    is_stranger: z.boolean().nullish(),
    profile: z
      .looseObject({ display_name: z.string().optional(), real_name: z.string().optional() })
      .optional(),
  }),
})

/** Errors for a person of another company, whom Slack does not show to Clew. */
const unseen = ['user_not_visible', 'user_not_found']

const strangerWith = (id: string): Person => ({
  team: '',
  enterprise: null,
  guest: false,
  stranger: true,
  name: id,
  locale: null,
  timeZone: null,
})

/**
 * Caches names, languages and time zones of people, in memory and for all processes in the store.
 */
export function createPeople({ notes, clock }: Pick<SlackDeps, 'notes' | 'clock'>, api: Api) {
  const memory = new LRUCache<string, Person, { workspace: string; id: string }>({
    max: limits.profilesInMemory,
    ttl: limits.profileKeptMs,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: async (_name, _stale, { context: { workspace, id } }) => await ask(workspace, id),
  })

  /** Looks up a person. A failed look-up is not cached. */
  async function ask(workspace: string, id: string): Promise<Person | undefined> {
    const noted = await notes.get(workspace, `person:${id}`)
    // A note of an earlier release lacks the guest flag, so it does not parse.
    const known = Person.safeParse(jsonIn(noted ?? '')).data
    if (known !== undefined) return known
    const answer = await api.call(
      workspace,
      'users.info',
      { user: id, include_locale: true },
      UsersInfo,
    )
    if (answer.kind === 'refused' && unseen.includes(answer.reason)) return strangerWith(id)
    if (answer.kind !== 'ok') return undefined
    const { user } = answer.value
    const person = {
      team: user.team_id ?? null,
      enterprise: user.enterprise_user?.enterprise_id ?? null,
      guest: user.is_restricted === true || user.is_ultra_restricted === true,
      stranger: user.is_stranger === true,
      name:
        user.profile?.display_name || user.profile?.real_name || user.real_name || user.name || id,
      locale: user.locale ?? null,
      timeZone: user.tz && isTimeZone(user.tz) ? user.tz : null,
      bot: user.is_bot === true || undefined,
    }
    await notes.put(workspace, `person:${id}`, JSON.stringify(person), limits.profileKeptMs)
    return person
  }

  /**
   * Organisations of workspaces, from their newest events. A process without such an event reads
   * the stored one.
   */
  const organisations = new Map<string, string>()
  async function organisationOf(workspace: string): Promise<string> {
    const known = organisations.get(workspace)
    if (known !== undefined) return known
    const noted = (await notes.get(workspace, 'organisation')) ?? ''
    organisations.set(workspace, noted)
    return noted
  }

  return {
    /** Stores the organisation of an event's workspace. An event without one is a no-op. */
    async note({ team, enterprise }: Home): Promise<void> {
      const workspace = workspaceOf(team)
      if (enterprise === null || organisations.get(workspace) === enterprise) return
      if ((await organisationOf(workspace)) !== enterprise)
        await notes.put(workspace, 'organisation', enterprise, null)
      organisations.set(workspace, enterprise)
    },
    /** Returns a person's standing in a workspace. */
    async standing(workspace: string, person: Person | null): Promise<Standing> {
      const enterprise = await organisationOf(workspace)
      return standingOf(person, { team: teamOf(workspace), enterprise })
    },
    /**
     * Returns a person's profile, stale if Slack is slow, or `null` if it is not known in time.
     * Never throws, and delays an event only briefly (P4).
     */
    async who(workspace: string, id: string): Promise<Person | null> {
      const key = `${workspace} ${id}`
      const stale = memory.peek(key, { allowStale: true })
      const known = memory.fetch(key, { context: { workspace, id } }).catch(() => undefined)
      return (await inTime(clock, limits.profileMs, known)) ?? stale ?? null
    },
    /**
     * Drops a person's cached profile after they say that it changed. The next `who` asks Slack.
     */
    async forget(workspace: string, id: string): Promise<void> {
      memory.delete(`${workspace} ${id}`)
      await notes.drop(workspace, `person:${id}`)
    },
  }
}
export type People = ReturnType<typeof createPeople>

/**
 * Derives a standing. S35: guests are as Slack marks them; outsiders are of another workspace
 * outside the organisation. S38: without data from Slack the standing is `unknown`.
 */
export function standingOf(
  person: Omit<Person, 'name' | 'locale' | 'timeZone'> | null,
  { team, enterprise }: { team: string; enterprise: string },
): Standing {
  if (person === null || person.team === null) return 'unknown'
  if (person.bot === true) return 'bot'
  if (person.guest) return 'guest'
  if (person.stranger) return 'outsider'
  const isColleague = enterprise !== '' && person.enterprise === enterprise
  return person.team === team || isColleague ? 'member' : 'outsider'
}
