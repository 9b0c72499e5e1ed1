import { z } from 'zod'

export const Overwrite = z.object({ id: z.string(), allow: z.string(), deny: z.string() })
export const Guild = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string() })),
})
export const Member = z.object({ roles: z.array(z.string()) })

/** Bits of what somebody may do in a channel. */
export const bits = { administrator: 1n << 3n, view: 1n << 10n, history: 1n << 16n, manageThreads: 1n << 34n } as const
const everything = (1n << 64n) - 1n

/** Discord's own order: everyone, roles, then the channel's exceptions for everyone, for roles and for the member. */
export function permissionsIn(
  guildId: string,
  member: { id: string; roles: readonly string[] },
  guild: z.infer<typeof Guild>,
  overwrites: readonly z.infer<typeof Overwrite>[],
): bigint {
  const granted = guild.roles
    .filter(({ id }) => id === guildId || member.roles.includes(id))
    .reduce((sum, role) => sum | BigInt(role.permissions), 0n)
  if ((granted & bits.administrator) !== 0n || guild.owner_id === member.id) return everything
  const everyone = overwrites.filter(({ id }) => id === guildId)
  const byRole = overwrites.filter(({ id }) => id !== guildId && member.roles.includes(id))
  const own = overwrites.filter(({ id }) => id === member.id)
  return [everyone, byRole, own].reduce((held, those) => {
    const deny = those.reduce((sum, one) => sum | BigInt(one.deny), 0n)
    const allow = those.reduce((sum, one) => sum | BigInt(one.allow), 0n)
    return (held & ~deny) | allow
  }, granted)
}

/** What an application was granted, as its flags say: whole, or as long as it is small. */
export const appFlags = { content: (1 << 18) | (1 << 19), members: (1 << 14) | (1 << 15) } as const
