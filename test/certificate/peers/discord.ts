import { createDiscordAdapter, type DiscordAdapter } from '@chat-adapter/discord'
import { DefaultRestOptions } from 'discord.js'

/**
 * Discord's adapter with the API at another address. The adapter has a setting for it (`DISCORD_API_URL`); its gateway client,
 * discord.js, has one too, which the adapter does not hand on: here its default is set.
 */
export function createLocalDiscord(): DiscordAdapter {
  const { DISCORD_API_URL = '' } = process.env
  Object.assign(DefaultRestOptions, { api: DISCORD_API_URL.replace(/\/v10$/, '') })
  return createDiscordAdapter()
}
