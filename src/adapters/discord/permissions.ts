import { PermissionFlagsBits as bits, Routes } from 'discord.js'
import { z } from 'zod'
import { type Api, get } from './api.ts'

export const Overwrite = z.object({ id: z.string(), allow: z.string(), deny: z.string() })
type Overwrites = readonly z.infer<typeof Overwrite>[]
const Guild = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string() })),
})
export const Member = z.object({ roles: z.array(z.string()) })

/** Permissions that the invite link requests, with their names in Discord's settings. */
const needed: readonly (readonly [bit: bigint, name: string])[] = [
  [bits.ViewChannel, 'View Channel'],
  [bits.SendMessages, 'Send Messages'],
  [bits.SendMessagesInThreads, 'Send Messages in Threads'],
  [bits.CreatePublicThreads, 'Create Public Threads'],
  [bits.EmbedLinks, 'Embed Links'],
  [bits.AttachFiles, 'Attach Files'],
  [bits.ReadMessageHistory, 'Read Message History'],
  [bits.AddReactions, 'Add Reactions'],
]
export const permissions = needed.reduce((sum, [bit]) => sum | bit, 0n)

/**
 * Computes a member's permissions in a server's channels, given each channel's overwrites. `lacks`
 * lists those that Clew needs; `isOpen`: everybody in the server reads it.
 */
export async function heldBy(api: Api, guildId: string, id: string) {
  const [guild, member] = await Promise.all([
    get(api, Routes.guild(guildId), Guild),
    get(api, Routes.guildMember(guildId, id), Member),
  ])
  if (member.kind === 'refused') return member
  if (guild.kind !== 'ok') return guild
  if (member.kind !== 'ok') return member
  const who = { id, roles: member.value.roles }
  const value = (exceptions: Overwrites) => {
    const held = permissionsIn(guildId, who, guild.value, exceptions)
    const may = (bit: bigint) => (held & bit) !== 0n
    const nobody = permissionsIn(guildId, { id: '', roles: [] }, guild.value, exceptions)
    return {
      isOpen: (nobody & reading) === reading,
      reads: (held & reading) === reading,
      writes: (held & writing) === writing,
      managesThreads: may(bits.ManageThreads),
      lacks: needed.flatMap(([bit, name]) => (may(bit) ? [] : [name])),
    }
  }
  return { kind: 'ok' as const, value, roles: who.roles }
}

const reading = bits.ViewChannel | bits.ReadMessageHistory
const writing = bits.ViewChannel | bits.SendMessages
const everything = (1n << 64n) - 1n

/**
 * Applies permissions in Discord's order: everyone, roles, then the channel's overwrites for
 * everyone, roles and the member.
 */
function permissionsIn(
  guildId: string,
  member: { id: string; roles: readonly string[] },
  guild: z.infer<typeof Guild>,
  overwrites: Overwrites,
): bigint {
  const granted = guild.roles
    .filter(({ id }) => id === guildId || member.roles.includes(id))
    .reduce((sum, role) => sum | BigInt(role.permissions), 0n)
  if ((granted & bits.Administrator) !== 0n || guild.owner_id === member.id) return everything
  const everyone = overwrites.filter(({ id }) => id === guildId)
  const byRole = overwrites.filter(({ id }) => id !== guildId && member.roles.includes(id))
  const own = overwrites.filter(({ id }) => id === member.id)
  return [everyone, byRole, own].reduce((held, those) => {
    const deny = those.reduce((sum, one) => sum | BigInt(one.deny), 0n)
    const allow = those.reduce((sum, one) => sum | BigInt(one.allow), 0n)
    return (held & ~deny) | allow
  }, granted)
}

/** Application flags for granted intents: the verified bit, and the bit for small applications. */
export const appFlags = { content: (1 << 18) | (1 << 19), members: (1 << 14) | (1 << 15) } as const
