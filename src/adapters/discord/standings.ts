import { Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import type { Standing } from '../../agent/domain/words.ts'
import { type Api, get } from './api.ts'
import type { DiscordDeps } from './deps.ts'
import type { Directory } from './directory.ts'
import { Member } from './permissions.ts'

/** How long a looked-up role counts. */
const knownForMs = 5 * 60_000
const max = 20_000

interface Speaker {
  id: string
  bot: boolean
  guildId: string | null | undefined
  /** As the event tells them; left out where it does not. */
  roles?: readonly string[] | undefined
}

/**
 * S35: where `DISCORD_MEMBER_ROLES` names roles, members are those who have one in the server where they speak, and in direct
 * messages and servers without Clew those who have one in any of its servers. S38: who cannot be looked up now is `unknown`.
 */
export function createStandings(
  { memberRoles, clock }: Pick<DiscordDeps, 'memberRoles' | 'clock'>,
  api: Api,
  directory: Pick<Directory, 'guilds'>,
) {
  const known = new LRUCache<string, { holds: boolean }>({
    ...{ max, ttl: knownForMs, ttlResolution: 0, perf: clock },
  })
  const isMembers = (roles: readonly string[]) => roles.some((role) => memberRoles.includes(role))

  /** Null: Discord does not say now. */
  async function holds(guildId: string, id: string): Promise<boolean | null> {
    const key = `${guildId} ${id}`
    const before = known.get(key)
    if (before !== undefined) return before.holds
    const answer = await get(api, Routes.guildMember(guildId, id), Member)
    if (answer.kind !== 'ok' && answer.kind !== 'refused') return null
    const now = { holds: answer.kind === 'ok' && isMembers(answer.value.roles) }
    known.set(key, now)
    return now.holds
  }

  return async ({ id, bot, guildId, roles }: Speaker): Promise<Standing> => {
    if (bot) return 'bot'
    if (memberRoles.length === 0) return 'member'
    const guilds = directory.guilds()
    const isHere = typeof guildId === 'string' && guilds.includes(guildId)
    if (isHere && roles !== undefined) return isMembers(roles) ? 'member' : 'outsider'
    let isKnown = true
    for (const guild of isHere ? [guildId] : guilds) {
      const found = await holds(guild, id)
      if (found === true) return 'member'
      isKnown &&= found !== null
    }
    return isKnown ? 'outsider' : 'unknown'
  }
}
