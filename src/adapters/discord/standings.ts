import { Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import type { Standing } from '../../agent/domain/words.ts'
import { type Api, get } from './api.ts'
import type { DiscordDeps } from './deps.ts'
import type { Directory } from './directory.ts'
import { Member } from './permissions.ts'

/** Cache time of a looked-up role, in milliseconds. */
const knownForMs = 5 * 60_000
const max = 20_000

interface Speaker {
  id: string
  bot: boolean
  guildId: string | null | undefined
  /** Roles from the event, absent if the event has none. */
  roles?: readonly string[] | undefined
}

/**
 * S35: derives standings if `DISCORD_MEMBER_ROLES` is set. In a server with Clew, members have one
 * of the roles there. In direct messages and other servers, members have one in any of Clew's
 * servers. S38: a failed look-up gives `unknown`.
 */
export function createStandings(
  { memberRoles, clock }: Pick<DiscordDeps, 'memberRoles' | 'clock'>,
  api: Api,
  directory: Pick<Directory, 'guilds'>,
) {
  const known = new LRUCache<string, { holds: boolean }>({
    max,
    ttl: knownForMs,
    ttlResolution: 0,
    perf: clock,
  })
  const isMembers = (roles: readonly string[]) => roles.some((role) => memberRoles.includes(role))

  /** Returns `null` if Discord does not tell now. */
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
