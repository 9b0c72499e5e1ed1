import { directMessagesOf } from '../../agent/domain/conversation.ts'
import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from '../channel-kit/deps.ts'

export interface DiscordDeps extends ChannelDeps {
  token: string
  /** Null: Discord itself. */
  apiUrl: string | null
  /** Commands are registered in these guilds, where they appear at once; empty: everywhere. */
  guildIds: readonly string[]
  /** Which of several processes this one is: it takes every `of`-th shard, beginning with `index`. */
  share: { index: number; of: number }
  /** Whether a person may use Clew in a channel. */
  mayUse(personId: string, channel: string): boolean
  /** The names of the commands that there are. */
  commands: readonly string[]
}

const platform = 'discord'

/** Discord shows an instant to every reader in their own time. */
export const traits: ChannelTraits = { platform, times: 'zoned' }

/** A guild's workspace; all direct messages share one, and nothing in it. */
export const workspaceOf = (guildId: string | null | undefined): string =>
  guildId ? `${platform}:${guildId}` : directMessagesOf(platform)
