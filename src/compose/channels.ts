import type { ChannelDeps } from '../adapters/channel-kit/deps.ts'
import type { SlackAccess } from '../adapters/slack/deps.ts'
import type { CommandEndpoint } from '../agent/command-endpoint.ts'
import { scopeBy } from '../agent/commands/scope.ts'
import { isAllowed } from '../agent/intake.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Documents } from '../agent/ports/documents.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Members } from '../agent/ports/members.ts'
import type { Store } from '../agent/ports/store.ts'
import { type Config, slackEntrance } from '../config.ts'
import { accessOf } from './settings.ts'

/** What Slack and Discord need alike. */
export function channelDepsOf(
  config: Config,
  {
    store,
    ...parts
  }: {
    clock: Clock
    log: Log
    store: Store
    endpoint: CommandEndpoint
    documents: Documents
  },
): ChannelDeps {
  return {
    ...parts,
    ...store,
    mayUse: (person, channel) => isAllowed(accessOf(config), person, channel),
    scopeOf: scopeBy(config.TODO_SCOPE),
    linkHosts: config.LINK_HOSTS,
    defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
  }
}

/**
 * Slack from the settings; null when they name none or this process does not play its role. The SDK is loaded only here:
 * it takes a sixth of a second.
 */
export async function openSlack(config: Config, deps: ChannelDeps) {
  const entrance = slackEntrance(config)
  const access = slackAccess(config)
  if (!config.ROLES.includes('slack') || entrance === null || access === null) return null
  const { createSlackChannel } = await import('../adapters/slack/adapter.ts')
  const { SLACK_API_URL: apiUrl, SLACK_PROGRESS_MS: progressEveryMs } = config
  return createSlackChannel({ ...deps, entrance, access, apiUrl, progressEveryMs })
}

function slackAccess(config: Config): SlackAccess | null {
  const { SLACK_BOT_TOKEN: botToken } = config
  if (botToken !== undefined) return { kind: 'token', botToken }
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret } = config
  const { SLACK_STATE_SECRET: stateSecret, ENCRYPTION_KEY: encryptionKey } = config
  if (!clientId || !clientSecret || !stateSecret || !encryptionKey) return null
  return { kind: 'oauth', clientId, clientSecret, stateSecret, encryptionKey }
}

/**
 * Discord from the settings; null when they name no token or this process does not play its role. The library is loaded only
 * here: it takes a quarter of a second and 50 MB.
 *
 * @param commands the names of the commands that there are.
 */
export async function openDiscord(
  config: Config,
  deps: ChannelDeps,
  commands: readonly string[],
): Promise<Channel | null> {
  const { DISCORD_TOKEN: token } = config
  if (!config.ROLES.includes('discord') || token === undefined) return null
  const { createDiscordChannel } = await import('../adapters/discord/adapter.ts')
  return createDiscordChannel({
    ...deps,
    token,
    commands,
    apiUrl: config.DISCORD_API_URL ?? null,
    guildIds: config.DISCORD_GUILD_IDS,
    share: config.DISCORD_SHARDS,
  })
}

/** Platforms whose people can sign in on the page, where it is served and has a public address (S25). */
export async function openMembers(config: Config, deps: ChannelDeps): Promise<Members[]> {
  const { WEB_URL, SLACK_API_URL: apiUrl, DISCORD_TOKEN: token, DISCORD_API_URL } = config
  if (!config.ROLES.includes('web') || WEB_URL === undefined) return []
  const access = slackAccess(config)
  const slack = { clientId: config.SLACK_CLIENT_ID ?? '', clientSecret: config.SLACK_CLIENT_SECRET ?? '' }
  const discord = { clientId: config.DISCORD_CLIENT_ID ?? '', clientSecret: config.DISCORD_CLIENT_SECRET ?? '' }
  const members: Members[] = []
  if (access !== null && slack.clientId !== '' && slack.clientSecret !== '') {
    const { createSlackMembers } = await import('../adapters/slack/members.ts')
    members.push(createSlackMembers({ ...deps, ...slack, access, apiUrl }))
  }
  if (token !== undefined && discord.clientId !== '' && discord.clientSecret !== '') {
    const { createDiscordMembers } = await import('../adapters/discord/members.ts')
    members.push(createDiscordMembers({ ...deps, ...discord, token, apiUrl: DISCORD_API_URL ?? null }))
  }
  return members
}
