import { discord } from '../adapters/discord/own-channel.ts'
import { discordSettings } from '../adapters/discord/settings.ts'
import { slack } from '../adapters/slack/own-channel.ts'
import { slackSettings } from '../adapters/slack/settings.ts'

/**
 * Clew's own channels apart from the page, each with its settings. A new one is a folder, and a
 * line here.
 */
export const ownChannels = [slack, discord]
export const channelSettings = { ...slackSettings, ...discordSettings }

/** Names that no outside channel can have. Each is a role of a process too. */
export const ownPlatforms = ['web' as const, ...ownChannels.map(({ platform }) => platform)]
