import { Routes } from 'discord.js'
import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { createOnce } from '../channel-kit/once.ts'
import { asSent } from './api.ts'
import type { Discord } from './context.ts'
import { workspaceOf } from './deps.ts'
import { nonceOf, plain } from './render.ts'

const Joined = z.object({
  id: z.string(),
  joined_at: z.string().nullish(),
  system_channel_id: z.string().nullish(),
  preferred_locale: z.string().nullish(),
})

/** A server that Clew came to longer ago than this knows it already. */
const newForMs = 10 * 60_000

/** The first words in a server, once: what Clew does, with three things to try. Where it may not write it says nothing. */
export async function welcome(discord: Discord, raw: unknown): Promise<void> {
  const { deps, api } = discord
  const guild = Joined.safeParse(raw).data
  const self = discord.self()
  const channelId = guild?.system_channel_id ?? null
  if (guild === undefined || self === null || channelId === null) return
  const since = deps.clock.now() - Date.parse(guild.joined_at ?? '')
  if (!(since < newForMs)) return
  const workspace = workspaceOf(guild.id)
  await createOnce({ ...deps, ...deps.store })({ workspace, key: 'welcomed', keptMs: null }, async () => {
    const text = texts(guild.preferred_locale ?? deps.defaults.locale).discord.welcome(`<@${self.id}>`)
    return asSent(
      await api.call('POST', Routes.channelMessages(channelId), {
        body: { ...plain(text), nonce: nonceOf('welcome', guild.id), enforce_nonce: true },
      }),
    )
  })
}
