import { z } from 'zod'
import type { Channel } from '../../agent/ports/channel.ts'
import type { Slack } from './context.ts'

const Info = z.looseObject({
  channel: z.looseObject({ is_archived: z.boolean().nullish(), is_member: z.boolean().nullish() }),
})
const User = z.looseObject({ user: z.looseObject({ deleted: z.boolean().nullish() }) })

/**
 * C378: reports a channel that Clew can no longer post in, or an owner whose account was closed, as
 * Slack knows now. Other owners count as present, since operators of the page are unknown to Slack.
 */
export function createMissing({ api }: Slack): NonNullable<Channel['missing']> {
  async function isGone(workspace: string, channel: string): Promise<boolean> {
    const minor = { minor: true }
    const info = await api.call(workspace, 'conversations.info', { channel }, Info, minor)
    if (info.kind === 'refused') return info.reason === 'channel_not_found'
    if (info.kind !== 'ok') return false
    const { is_archived: isArchived, is_member: isMember } = info.value.channel
    // Direct messages have no membership flag.
    return isArchived === true || (isMember === false && !channel.startsWith('D'))
  }

  async function hasLeft(workspace: string, user: string): Promise<boolean> {
    const info = await api.call(workspace, 'users.info', { user }, User, { minor: true })
    return info.kind === 'ok' && info.value.user.deleted === true
  }

  return async ({ workspace, channel }, owner) => {
    async function look() {
      if (await isGone(workspace, channel)) return 'place'
      return owner !== null && (await hasLeft(workspace, owner.id)) ? 'owner' : null
    }
    return await look().catch(() => null)
  }
}
