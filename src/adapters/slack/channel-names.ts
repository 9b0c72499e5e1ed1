import { z } from 'zod'
import type { Channel } from '../../agent/ports/channel.ts'
import { inTime } from '../channel-kit/patience.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'

const Info = z.looseObject({
  channel: z.looseObject({ name: z.string().optional(), is_mpim: z.boolean().optional() }),
})

/** C148: looks up channel names. Like people's names, they are cached for all processes. */
export function createChannelNames({ api, deps }: Slack): NonNullable<Channel['nameOf']> {
  async function ask(workspace: string, channel: string): Promise<string | null> {
    const noted = await deps.notes.get(workspace, `channel:${channel}`)
    if (noted !== null) return noted
    const answer = await api.call(workspace, 'conversations.info', { channel }, Info)
    if (answer.kind !== 'ok') return null
    const { name, is_mpim: isGroup } = answer.value.channel
    const own = name === undefined ? null : `#${name}`
    const called = isGroup ? 'a group message' : own
    if (called !== null)
      await deps.notes.put(workspace, `channel:${channel}`, called, limits.profileKeptMs)
    return called
  }
  return async ({ workspace, channel }) => {
    if (channel.startsWith('D')) return 'a direct message'
    const asked = ask(workspace, channel).catch(() => null)
    return await inTime(deps.clock, limits.profileMs, asked)
  }
}
