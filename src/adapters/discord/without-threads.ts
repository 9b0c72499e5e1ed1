import { RESTJSONErrorCodes as codes } from 'discord.js'
import type { Conversation } from '../../agent/domain/conversation.ts'
import { texts } from '../../locales/texts.ts'
import type { Discord } from './context.ts'
import { isForum } from './directory.ts'
import { limits } from './limits.ts'
import { post } from './post.ts'
import { nonceOf, plain } from './render.ts'

const keyOf = (channel: string) => `without_threads:${channel}`

/** True while a channel is used without threads (C341). */
export const isWithoutThreads = async (
  { deps: { notes } }: Discord,
  { address: { workspace, channel } }: Conversation,
): Promise<boolean> => (await notes.get(workspace, keyOf(channel))) !== null

/**
 * C341: switches to the channel for an hour if Clew may open threads but not write in them. Says
 * there once which permission is missing.
 *
 * @param at place that refused a message.
 * @returns true if the channel may take the message instead.
 */
export async function workWithoutThreads(
  discord: Discord,
  { address: { workspace, channel, thread }, locale }: Conversation,
  at: string,
  { code }: { code: number },
): Promise<boolean> {
  if (code !== codes.MissingPermissions || at !== thread || at === channel) return false
  const home = await discord.directory.find(channel)
  if (home === null || home === 'away' || isForum(home)) return false
  await discord.deps.notes.put(workspace, keyOf(channel), at, limits.withoutThreadsMs)
  const line = plain(`-# ${texts(locale).discord.noThreads(`<#${channel}>`)}`)
  await discord.once(
    { workspace, key: `${keyOf(channel)}:said`, keptMs: limits.noteForMs },
    async () => await post(discord, channel, line, nonceOf(channel, 'without_threads')),
  )
  return true
}
