import { ChannelType, Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Members, Places, PlacesSource, Reach, Rooms } from '../../agent/ports/members.ts'
import { authorizeUrl, grantOf, type Provider } from '../channel-kit/oauth.ts'
import { type Api, createApi, get } from './api.ts'
import { type DiscordDeps, guildIn, workspaceOf } from './deps.ts'
import { AnyChannel, isThread, Snowflake } from './directory.ts'
import { limits } from './limits.ts'
import { membersNamed, NamedMember, personOf } from './member-names.ts'
import { heldBy, Member, Overwrite } from './permissions.ts'

const Self = z.object({ id: Snowflake, username: z.string(), global_name: z.string().nullish() })
const Ids = z.array(z.object({ id: Snowflake }))
const Channel = z.object({
  id: Snowflake,
  type: z.number().optional(),
  name: z.string().nullish(),
  permission_overwrites: z.array(Overwrite).default([]),
})
const Active = z.object({ threads: z.array(AnyChannel) })
/** Most cached threads. A thread never changes between private and public. */
const threadsKnown = 20_000
const guildsPages = 20

type PlacesDeps = Pick<DiscordDeps, 'token' | 'apiUrl' | 'memberRoles' | 'clock' | 'log'>
type MembersDeps = PlacesDeps & Pick<Provider, 'clientId' | 'clientSecret'>

interface Asking {
  api: Api
  /** Cache of threads: true if private. */
  isPrivate: LRUCache<string, boolean>
  memberRoles: readonly string[]
}

function askingOf({ memberRoles, ...deps }: PlacesDeps): Asking {
  const api = createApi({
    ...deps,
    onRefused: () => deps.log.error({}, 'DISCORD_TOKEN: Discord refuses it'),
  })
  return { api, isPrivate: new LRUCache(atMost(threadsKnown)), memberRoles }
}

/** Asks Discord as the bot what people see in a server now, in any process (S26, S83). */
export function createDiscordPlaces(deps: PlacesDeps): PlacesSource {
  const asking = askingOf(deps)
  return {
    platform: 'discord',
    places: (workspace, person) => guildRooms(asking, guildIn(workspace), person),
    reach: (workspace, person) => guildReach(asking, guildIn(workspace), person),
  }
}

/**
 * Signs people in with Discord (OAuth 2), and asks Discord as the bot what they can see. Works in
 * any process, without a gateway connection (S25, S26).
 */
export function createDiscordMembers({ clientId, clientSecret, ...deps }: MembersDeps): Members {
  const base = deps.apiUrl ?? 'https://discord.com/api'
  const { origin } = new URL(base)
  const provider: Provider = {
    issuer: origin,
    authorize: `${origin}/oauth2/authorize`,
    token: `${base}/oauth2/token`,
    clientId,
    clientSecret,
    scope: 'identify guilds',
    binds: 'pkce',
  }
  const asking = askingOf(deps)
  const { api } = asking

  return {
    platform: 'discord',
    label: 'Discord',
    begin: (signIn) => authorizeUrl(provider, signIn),
    async finish(signIn, back) {
      const granted = await grantOf(provider, signIn, back)
      if (granted.kind !== 'granted') return granted
      const own = <S extends z.ZodType>(path: string, schema: S) =>
        askAs(granted.accessToken, base + path, schema)
      const [self, guilds, here] = await Promise.all([
        own('/v10/users/@me', Self),
        own('/v10/users/@me/guilds', Ids),
        guildsOf(api),
      ])
      if (self === null || guilds === null || here === null) return { kind: 'failed' }
      const common = guilds.filter(({ id }) => here.has(id)).map(({ id }) => id)
      const served = await Promise.all(common.map((id) => isMemberIn(asking, id, self.id)))
      const shared = common.filter((_, at) => served[at] === true).map(workspaceOf)
      if (shared.length === 0) return { kind: served.includes(null) ? 'failed' : 'stranger' }
      const person = { id: self.id, name: self.global_name || self.username }
      const workspaces = [...shared, workspaceOf(null)]
      return {
        kind: 'member',
        member: { platform: 'discord', key: `discord:${self.id}`, person, workspaces },
      }
    },
    rooms: (workspace, person) =>
      workspace === workspaceOf(null)
        ? directRooms(api, person)
        : guildRooms(asking, guildIn(workspace), person),
  }
}

async function askAs<S extends z.ZodType>(
  accessToken: string,
  url: string,
  schema: S,
): Promise<z.infer<S> | null> {
  try {
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await fetch(url, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(limits.requestMs),
    })
    return answer.ok ? (schema.safeParse(await answer.json()).data ?? null) : null
  } catch {
    return null
  }
}

/** Returns the guilds that the bot is in. */
async function guildsOf(api: Api): Promise<Set<string> | null> {
  const all = new Set<string>()
  let after = '0'
  for (let page = 0; page < guildsPages; page++) {
    const answer = await get(api, Routes.userGuilds(), Ids, { after, limit: '200' })
    if (answer.kind !== 'ok') return null
    const fresh = answer.value.filter(({ id }) => !all.has(id))
    for (const { id } of fresh) all.add(id)
    after = fresh.at(-1)?.id ?? ''
    if (fresh.length < 200) break
  }
  return all
}

/** Opens the direct messages of a person with the bot; null: Discord refuses them. */
async function directWith(api: Api, person: string): Promise<string | null | 'away'> {
  const answer = await api.call('POST', Routes.userChannels(), { body: { recipient_id: person } })
  if (answer.kind === 'refused') return null
  const opened =
    answer.kind === 'ok' ? z.object({ id: Snowflake }).safeParse(answer.value).data : undefined
  return opened?.id ?? 'away'
}

async function directRooms(api: Api, person: string): Promise<Rooms | 'away'> {
  const direct = await directWith(api, person)
  return direct === 'away' ? direct : { has: async (channel) => channel === direct }
}

/** Kinds of channels at whose top people write. */
const writtenIn: readonly number[] = [ChannelType.GuildText, ChannelType.GuildAnnouncement]

/** Channels of a server in which a member may write, and its people (C840). */
async function guildReach(
  { api, memberRoles }: Asking,
  guildId: string,
  asker: string,
): Promise<Reach | null | 'away'> {
  const [may, all, self] = await Promise.all([
    heldBy(api, guildId, asker),
    get(api, Routes.guildChannels(guildId), z.array(Channel)),
    get(api, Routes.user(), Self),
  ])
  if (may.kind === 'refused') return null
  if (may.kind === 'ok' && !isServed(memberRoles, may.roles)) return null
  if (may.kind !== 'ok' || all.kind !== 'ok' || self.kind !== 'ok') return 'away'
  const open = all.value.filter(
    ({ type = -1, permission_overwrites: own }) =>
      writtenIn.includes(type) && may.value(own).writes,
  )
  return {
    channels: open.map(({ id, name }) => ({ id, name: name ?? id })),
    async isOurs(channel) {
      const held = await heldBy(api, guildId, self.value.id)
      if (held.kind !== 'ok') return 'away'
      const place = open.find(({ id }) => id === channel)
      return place !== undefined && held.value(place.permission_overwrites).writes
    },
    async people(name) {
      const found = await membersNamed(api, guildId, name)
      if (found.kind === 'ok') return found
      // Without the Server Members Intent nobody is found by name.
      return found.kind === 'refused' ? { people: [], gap: false } : 'away'
    },
    async person(id) {
      const member = await get(api, Routes.guildMember(guildId, id), NamedMember)
      if (member.kind === 'ok') return personOf(member.value)
      return member.kind === 'refused' ? null : 'away'
    },
    direct: (person) => directWith(api, person),
  }
}

/** S35: true if no member roles are set, or if the person has one. */
const isServed = (memberRoles: readonly string[], roles: readonly string[]) =>
  memberRoles.length === 0 || roles.some((role) => memberRoles.includes(role))

/** Returns whether a person is a member, or `null` if Discord does not tell now (S38). */
async function isMemberIn(
  { api, memberRoles }: Asking,
  guildId: string,
  person: string,
): Promise<boolean | null> {
  if (memberRoles.length === 0) return true
  const member = await get(api, Routes.guildMember(guildId, person), Member)
  if (member.kind === 'refused') return false
  return member.kind === 'ok' ? isServed(memberRoles, member.value.roles) : null
}

/**
 * Returns the channels that a person may open and read, and the private threads that they were
 * added to. A refusal by Discord means that it does not exist or is closed to Clew.
 */
async function guildRooms(
  asking: Asking,
  guildId: string,
  person: string,
): Promise<Places | null | 'away'> {
  const { api, isPrivate, memberRoles } = asking
  const [may, channels, active] = await Promise.all([
    heldBy(api, guildId, person),
    get(api, Routes.guildChannels(guildId), z.array(Channel)),
    get(api, Routes.guildActiveThreads(guildId), Active),
  ])
  if (may.kind === 'refused') return null
  if (may.kind === 'ok' && !isServed(memberRoles, may.roles)) return null
  if (may.kind !== 'ok' || channels.kind !== 'ok') return 'away'
  for (const { id, type } of active.kind === 'ok' ? active.value.threads : [])
    isPrivate.set(id, type === ChannelType.PrivateThread)
  const held = new Map(
    channels.value.map(({ id, permission_overwrites: own }) => [id, may.value(own)]),
  )
  const joined = new Map<string, Promise<boolean>>()
  const isIn = async (thread: string) =>
    (await api.call('GET', Routes.threadMembers(thread, person))).kind === 'ok'
  const hides = async (channel: string, thread: string) =>
    isPrivate.get(thread) ?? (await privacyOf(asking, channel, thread))
  const rights = new Map(
    channels.value.map(({ id, permission_overwrites: own }) => [id, rightsIn(own)]),
  )
  return {
    async isOpenTo(by, { channel, thread }) {
      if (thread !== null && (await hides(channel, thread)) !== false) return false
      if (by === channel || held.get(channel)?.isOpen === true) return true
      // Channels with the same exceptions are read by the same people.
      return rights.has(by) && rights.get(by) === rights.get(channel)
    },
    async has(channel, thread) {
      const own = held.get(channel)
      if (!own?.reads) return false
      if (thread === null || own.managesThreads) return true
      const hidden = await hides(channel, thread)
      if (hidden !== true) return hidden === false
      const asked = joined.get(thread) ?? isIn(thread)
      joined.set(thread, asked)
      return await asked
    },
  }
}

/** The exceptions of a channel, in a form that is the same for the same ones. */
const rightsIn = (own: z.infer<typeof Channel>['permission_overwrites']) =>
  own
    .map(({ id, allow, deny }) => `${id} ${allow} ${deny}`)
    .sort()
    .join()

/**
 * True for a private thread, `null` if unknown. A message of the channel, and a thread that begins
 * with one, are not private.
 */
async function privacyOf(
  { api, isPrivate }: Asking,
  channel: string,
  thread: string,
): Promise<boolean | null> {
  const place = await get(api, Routes.channel(thread), AnyChannel)
  if (place.kind === 'refused') {
    const message = await get(
      api,
      Routes.channelMessage(channel, thread),
      z.object({ id: z.literal(thread) }),
    )
    return message.kind === 'ok' ? false : null
  }
  if (place.kind !== 'ok' || !isThread(place.value)) return null
  isPrivate.set(thread, place.value.type === ChannelType.PrivateThread)
  return place.value.type === ChannelType.PrivateThread
}
