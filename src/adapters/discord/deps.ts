import { directMessagesOf } from '../../agent/domain/conversation.ts'
import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from '../channel-kit/deps.ts'

export interface DiscordDeps extends ChannelDeps {
  token: string
  /** Base URL of the API; `null` for Discord's own. */
  apiUrl: string | null
  /** Guilds where commands are registered, with immediate effect. Empty: registered globally. */
  guildIds: readonly string[]
  /** Roles that make their holders members. Empty: everybody is a member (S35). */
  memberRoles: readonly string[]
  /** Share of this process: it runs every `of`-th shard, starting with `index`. */
  share: { index: number; of: number }
  /** Names of the existing commands. */
  commands: readonly string[]
}

const platform = 'discord'
/** Namespace of people's settings, which apply in every server. */
export const everywhere = `${platform}:people`

/** Traits of Discord, which shows times in each reader's zone. */
export const traits: ChannelTraits = {
  platform,
  times: 'zoned',
  commands: 'forms',
  tellsEvents: true,
  setsZone: '/timezone',
  peopleIn: everywhere,
  isAlone: ({ workspace }) => workspace === directMessagesOf(platform),
  linkTo({ workspace, channel, thread }) {
    const guild =
      workspace === directMessagesOf(platform) ? '@me' : workspace.slice(platform.length + 1)
    return `https://discord.com/channels/${guild}/${thread ?? channel}`
  },
  linkToFirst({ workspace, channel, thread }) {
    const link = `https://discord.com/channels/${workspace.slice(platform.length + 1)}/${channel}`
    return thread === null ? link : `${link}/${thread}`
  },
}

/** Returns a guild's workspace. All direct messages share one workspace that holds nothing. */
export const workspaceOf = (guildId: string | null | undefined) =>
  guildId ? `${platform}:${guildId}` : directMessagesOf(platform)

/** Returns the guild of a workspace. */
export const guildIn = (workspace: string) => workspace.slice(workspace.indexOf(':') + 1)
