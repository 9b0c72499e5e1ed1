import { z } from 'zod'
import { list, optional, share, url } from '../../config/values.ts'
import { missingToSignIn, type SharedSettings } from '../channel-kit/own-channel.ts'

export const discordSettings = {
  DISCORD_TOKEN: optional,
  DISCORD_GUILD_IDS: list
    .pipe(z.array(z.string().regex(/^\d{15,20}$/, 'is not a list of server ids')))
    .default([]),
  DISCORD_MEMBER_ROLES: list
    .pipe(z.array(z.string().regex(/^\d{15,20}$/, 'is not a list of role ids')))
    .default([]),
  DISCORD_SHARDS: share.default({ index: 0, of: 1 }),
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{15,20}$/, 'is not the id of an application')
    .optional(),
  DISCORD_CLIENT_SECRET: optional,
  DISCORD_API_URL: url,
}
export type DiscordSettings = z.infer<z.ZodObject<typeof discordSettings>> & SharedSettings

/** Lists settings that make no sense without another one. */
export function contradictionsOf(settings: DiscordSettings): string[] {
  const { DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET, WEB_URL, DISCORD_TOKEN } = settings
  if (DISCORD_CLIENT_ID === undefined && DISCORD_CLIENT_SECRET === undefined) return []
  return missingToSignIn({ DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET, WEB_URL, DISCORD_TOKEN })
}
