import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js'
import { z } from 'zod'
import type { Api } from './api.ts'
import { Overwrite } from './permissions.ts'

export const Snowflake = z.string().regex(/^\d{15,20}$/)

/** Channel or thread, reduced to what Clew uses. */
export const AnyChannel = z.object({
  id: Snowflake,
  type: z.number(),
  guild_id: Snowflake.nullish(),
  parent_id: Snowflake.nullish(),
  owner_id: Snowflake.nullish(),
  name: z.string().nullish(),
  last_message_id: Snowflake.nullish(),
  flags: z.number().nullish(),
  available_tags: z
    .array(z.object({ id: Snowflake, name: z.string(), moderated: z.boolean().nullish() }))
    .nullish(),
  permission_overwrites: z.array(Overwrite).nullish().catch(null),
})
export type AnyChannel = z.infer<typeof AnyChannel>

const Guild = z.object({
  id: Snowflake,
  unavailable: z.boolean().optional(),
  channels: z.array(z.unknown()).optional(),
  threads: z.array(z.unknown()).optional(),
  roles: z.array(z.unknown()).optional(),
})

const Role = z.object({
  id: Snowflake,
  name: z.string().default(''),
  tags: z.object({ bot_id: Snowflake.optional() }).optional(),
})

const RoleChange = z.object({ role: z.unknown() })

export const isThread = ({ type }: AnyChannel) => type === 10 || type === 11 || type === 12
export const isForum = ({ type }: AnyChannel) =>
  type === ChannelType.GuildForum || type === ChannelType.GuildMedia

/** True if a channel is hidden from some of those who read others. */
const isHidden = ({ permission_overwrites: exceptions }: AnyChannel): boolean =>
  (exceptions ?? []).some(({ deny }) => (BigInt(deny) & PermissionFlagsBits.ViewChannel) !== 0n)

/** Directory of channels and threads. The gateway reports them; others are looked up once. */
export function createDirectory(api: Api) {
  const places = new Map<string, AnyChannel>()
  const roles = new Map<string, z.infer<typeof Role>>()
  const guilds = new Set<string>()

  function keep(raw: unknown, guildId?: string): AnyChannel | null {
    const parsed = AnyChannel.safeParse(raw)
    if (!parsed.success) return null
    const known = places.get(parsed.data.id)
    const place = {
      ...parsed.data,
      guild_id: parsed.data.guild_id ?? guildId ?? known?.guild_id ?? null,
    }
    places.set(place.id, place)
    return place
  }

  function keepRole(raw: unknown): void {
    const role = Role.safeParse(raw).data
    if (role !== undefined) roles.set(role.id, role)
  }

  return {
    keep,
    /** Stores a role that was made or changed. */
    keepRole: (raw: unknown) => keepRole(RoleChange.safeParse(raw).data?.role),
    /** Stores a guild from the gateway. Returns its channels and threads where people write. */
    keepGuild(raw: unknown): { id: string; places: AnyChannel[] } | null {
      const parsed = Guild.safeParse(raw)
      if (!parsed.success || parsed.data.unavailable) return null
      const { id, channels = [], threads = [] } = parsed.data
      guilds.add(id)
      for (const raw of parsed.data.roles ?? []) keepRole(raw)
      return { id, places: [...channels, ...threads].flatMap((one) => keep(one, id) ?? []) }
    },
    /** Returns the servers that Clew is in, as the gateway reported. */
    guilds: () => [...guilds],
    forget: (id: string) => void places.delete(id),
    known: (id: string): AnyChannel | null => places.get(id) ?? null,
    /**
     * Returns the bot that a role belongs to. People who want to mention Clew often pick its role.
     */
    botOfRole: (id: string): string | null => roles.get(id)?.tags?.bot_id ?? null,
    /**
     * Returns the name of a role, or of a channel or public thread that is hidden from nobody, as
     * people see it; `null` for any other.
     */
    nameOf(id: string): string | null {
      const role = roles.get(id)?.name
      if (role) return `@${role}`
      const place = places.get(id)
      const seenBy = place && isThread(place) ? places.get(place.parent_id ?? '') : place
      if (!place?.name || place.type === ChannelType.PrivateThread) return null
      return seenBy === undefined || isHidden(seenBy) ? null : `#${place.name}`
    },
    /**
     * Finds a channel. `null`: it does not exist or Clew may not see it. `away`: Discord cannot be
     * asked.
     */
    async find(id: string): Promise<AnyChannel | null | 'away'> {
      const known = places.get(id)
      if (known !== undefined) return known
      const answer = await api.call('GET', Routes.channel(id))
      if (answer.kind === 'ok') return keep(answer.value)
      return answer.kind === 'refused' ? null : 'away'
    },
  }
}
export type Directory = ReturnType<typeof createDirectory>
