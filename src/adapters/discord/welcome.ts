import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { post } from './post.ts'
import { nonceOf, plain } from './render.ts'

const Joined = z.object({
  id: z.string(),
  joined_at: z.string().nullish(),
  system_channel_id: z.string().nullish(),
  preferred_locale: z.string().nullish(),
})

/** Longest time since Clew joined a server for which a welcome is posted. */
const newForMs = 10 * 60_000

/**
 * Posts the welcome in a server, once: what Clew does, with three things to try. Posts nothing
 * where it may not write.
 */
export async function welcome(discord: Discord, raw: unknown): Promise<void> {
  const { clock, defaults } = discord.deps
  const guild = Joined.safeParse(raw).data
  const self = discord.self()
  const channelId = guild?.system_channel_id ?? null
  if (guild === undefined || self === null || channelId === null) return
  const since = clock.now() - Date.parse(guild.joined_at ?? '')
  if (!(since < newForMs)) return
  await discord.once({ workspace: workspaceOf(guild.id), key: 'welcomed', keptMs: null }, () => {
    const text = texts(guild.preferred_locale ?? defaults.locale).discord.welcome(`<@${self.id}>`)
    return post(discord, channelId, plain(text), nonceOf('welcome', guild.id))
  })
}
