import { ChannelType } from 'discord.js'
import { channelSource, sourceOf } from '../../agent/domain/event-source.ts'
import { mayStart, reactionGiven, type Seen, toldOf } from '../channel-kit/happenings.ts'
import { filesOf, wordsOf } from './content.ts'
import type { Discord } from './context.ts'
import { traits } from './deps.ts'
import type { AnyChannel } from './directory.ts'
import { timeOf } from './limits.ts'
import type { Message } from './message.ts'
import { addressOf, authorOf, messageKey, type Reader, refOf } from './parse.ts'
import { directly } from './private-message.ts'
import { nonceOf } from './render.ts'
import { messageAt } from './thread-reading.ts'

/**
 * Tells the rules of a channel about a message at its top that is not for Clew (C782, C783). A
 * reply of a bot answers somebody. Resolves once each rule that it matches has it stored.
 */
export async function watched(
  { deps, standingOf }: Discord,
  reader: Reader,
  { message, place }: { message: Message; place: AnyChannel },
): Promise<void> {
  const { workspace, channel, thread } = addressOf(message, place)
  const { id, name, bot: byBot } = authorOf(message)
  const isTop = thread === message.id && place.type !== ChannelType.DM
  if (!isTop || id === reader.botId || (byBot && message.type === reply)) return
  const sources = byBot ? [id, name].map((one) => sourceOf('bot', one)) : [channelSource]
  const at = timeOf(message.id)
  await deps.happened({ workspace, channel, sources, at, byBot }, async () => {
    const speaker = { id, bot: byBot, guildId: place.guild_id, roles: message.member?.roles }
    const person = byBot ? null : { id, by: await standingOf(speaker) }
    if (person !== null && !mayStart(deps, person, channel)) return null
    return toldOf(seenOf(reader, { message, place }))
  })
}

/** Type of a message that replies to another. */
const reply = 19

function seenOf(reader: Reader, { message, place }: { message: Message; place: AnyChannel }): Seen {
  const address = addressOf(message, place)
  return {
    id: messageKey(message.id),
    thread: address.thread,
    author: authorOf(message).name,
    text: wordsOf(message, reader),
    files: filesOf(message),
    link: traits.linkTo?.(address) ?? null,
  }
}

interface Reaction {
  messageId: string
  sign: string
  person: { id: string; name: string; roles: string[] | undefined }
}

/** Tells what a person's reaction starts (C781, C785). Throws if the store is down. */
export async function reactedWith(
  discord: Discord,
  reader: Reader,
  place: AnyChannel,
  { messageId, sign, person: { id, name, roles } }: Reaction,
): Promise<void> {
  const { deps } = discord
  const { workspace, channel } = addressOf({ id: messageId, channel_id: place.id }, place)
  const by = await discord.standingOf({ id, bot: false, guildId: place.guild_id, roles })
  const read = async () => {
    const message = await messageAt(discord, refOf(place.id, messageId))
    return message === null ? null : seenOf(reader, { message, place })
  }
  const gesture = async (key: string) => {
    const { timeZone, locale } = await discord.people.who(id)
    const { defaults } = deps
    const zoneUnset = timeZone === null
    const zone = { timeZone: timeZone ?? defaults.timeZone, zoneUnset }
    return { workspace, person: { id, name }, by, locale: locale ?? defaults.locale, ...zone, key }
  }
  const given = { workspace, channel, sign, at: deps.clock.now(), person: { id, by } }
  const text = await reactionGiven(deps, given, { read, gesture })
  if (text === null) return
  const once = { workspace, key: `said:todo:${messageId}:${id}`, keptMs: dayMs }
  void discord.once(once, () => directly(discord, id, { text }, nonceOf('todo', messageId, id)))
}

const dayMs = 24 * 60 * 60_000
