import type { OwnChannel } from '../channel-kit/own-channel.ts'
import { traits } from './deps.ts'
import { contradictionsOf, type DiscordSettings } from './settings.ts'

export const discord = {
  platform: 'discord',
  label: 'Discord',
  traits,
  isConnected: ({ DISCORD_TOKEN: token }) => token !== undefined,
  contradictions: contradictionsOf,

  async open(settings, deps, commands) {
    const access = accessOf(settings)
    if (access === null) return null
    const { createDiscordChannel } = await import('./adapter.ts')
    const { DISCORD_GUILD_IDS: guildIds, DISCORD_SHARDS: share } = settings
    return createDiscordChannel({ ...deps, ...access, commands, guildIds, share })
  },

  async openMembers(settings, deps) {
    const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = settings
    const access = accessOf(settings)
    if (access === null || !clientId || !clientSecret) return null
    const { createDiscordMembers } = await import('./members.ts')
    return createDiscordMembers({ ...deps, ...access, clientId, clientSecret })
  },
  async openPlaces(settings, deps) {
    const access = accessOf(settings)
    if (access === null) return null
    const { createDiscordPlaces } = await import('./members.ts')
    return createDiscordPlaces({ ...deps, ...access })
  },
  signIn: {
    settings: ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'],
    redirects: ({ discord }) => discord.redirects,
  },

  async guide(words) {
    return {
      link: 'https://discord.com/developers/applications',
      before: words.discordCreate,
      questions: [['DISCORD_TOKEN', words.discordToken]],
      after: words.discordInvite,
    }
  },

  async examine({
    DISCORD_TOKEN: token = null,
    DISCORD_API_URL: apiUrl = null,
    DISCORD_GUILD_IDS: guildIds,
  }) {
    const { examineDiscord } = await import('./doctor.ts')
    return await examineDiscord({ token, apiUrl, guildIds })
  },
} as const satisfies OwnChannel<DiscordSettings>

/** Settings of Discord: how it is reached and whom it serves; null if they do not connect it. */
function accessOf(settings: DiscordSettings) {
  const { DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl = null } = settings
  const { DISCORD_MEMBER_ROLES: memberRoles } = settings
  return token === undefined ? null : { token, apiUrl, memberRoles }
}
