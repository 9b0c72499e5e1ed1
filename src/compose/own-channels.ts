import { discord } from '../adapters/discord/own-channel.ts'
import { discordSettings } from '../adapters/discord/settings.ts'
import { slack } from '../adapters/slack/own-channel.ts'
import { slackSettings } from '../adapters/slack/settings.ts'

/** Clew's own channels beside the page, each with its settings. A new one is its folder and its lines here. */
export const ownChannels = [slack, discord]
export const channelSettings = { ...slackSettings, ...discordSettings }

/** The names that no channel from outside can have. Each is a role of a process too. */
export const ownPlatforms = ['web' as const, ...ownChannels.map(({ platform }) => platform)]
