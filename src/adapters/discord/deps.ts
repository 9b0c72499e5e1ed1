import { directMessagesOf } from '../../agent/domain/conversation.ts'
import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from '../channel-kit/deps.ts'

export interface DiscordDeps extends ChannelDeps {
  token: string
  /** Null: Discord itself. */
  apiUrl: string | null
  /** Commands are registered in these guilds, where they appear at once; empty: everywhere. */
  guildIds: readonly string[]
  /** Roles whose holders are members; empty: everybody is (S35). */
  memberRoles: readonly string[]
  /** Which of several processes this one is: it takes every `of`-th shard, beginning with `index`. */
  share: { index: number; of: number }
  /** The names of the commands that there are. */
  commands: readonly string[]
}

const platform = 'discord'

/** Discord shows an instant to every reader in their own time. */
export const traits: ChannelTraits = {
  platform,
  times: 'zoned',
  commands: 'forms',
  setsZone: '/timezone',
  isAlone: ({ workspace }) => workspace === directMessagesOf(platform),
  linkTo({ workspace, channel, thread }) {
    const guild =
      workspace === directMessagesOf(platform) ? '@me' : workspace.slice(platform.length + 1)
    return `https://discord.com/channels/${guild}/${thread ?? channel}`
  },
}

/** A guild's workspace; all direct messages share one, and nothing in it. */
export const workspaceOf = (guildId: string | null | undefined): string =>
  guildId ? `${platform}:${guildId}` : directMessagesOf(platform)
