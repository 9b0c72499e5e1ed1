import { Routes } from 'discord.js'
import { isTeam } from '../../agent/domain/conversation.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { Snowflake } from './directory.ts'

/**
 * Error codes for a missing place (Unknown Channel, Unknown Guild, Missing Access) and for a
 * missing person (Unknown Member).
 */
const noPlace = [10_003, 10_004, 50_001]
const noMember = [10_007]

/**
 * C378: reports a missing place or owner, as Discord knows now. The gateway does not report
 * everything that happened while Clew was down.
 */
export function createMissing({ api }: Discord): NonNullable<Channel['missing']> {
  async function refuses(route: `/${string}`, codes: readonly number[]): Promise<boolean> {
    const answer = await api.call('GET', route)
    return answer.kind === 'refused' && codes.includes(answer.code)
  }

  return async ({ workspace, channel, thread }, owner) => {
    if (!isTeam(workspace)) return null
    async function look() {
      if (await refuses(Routes.channel(thread ?? channel), noPlace)) return 'place'
      // An operator of the page has no Discord id.
      const isPerson = owner !== null && Snowflake.safeParse(owner.id).success
      const guild = workspace.slice(workspaceOf('0').length - 1)
      const left = isPerson && (await refuses(Routes.guildMember(guild, owner.id), noMember))
      return left ? 'owner' : null
    }
    return await look().catch(() => null)
  }
}
