import { ChannelType } from 'discord.js'
import { z } from 'zod'
import type { InboundEvent, Replied } from '../../agent/domain/event.ts'
import type { Standing } from '../../agent/domain/words.ts'
import { allWordsOf, filesOf, nameOf, type Self, sharedIn, spokenIn } from './content.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread, Snowflake } from './directory.ts'
import { limits, timeOf } from './limits.ts'
import { GuildMember, type Message, type Written } from './message.ts'

/** Parsers from Discord's dispatches to events. */

export const Deleted = z.object({
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.nullish(),
})
/**
 * Reaction. `message_author_id` is absent for messages of integrations, `member` in direct
 * messages.
 */
export const Reaction = z.object({
  user_id: Snowflake,
  channel_id: Snowflake,
  message_id: Snowflake,
  message_author_id: Snowflake.nullish(),
  emoji: z.object({ name: z.string().nullish() }).default({}),
  member: GuildMember.extend({
    user: z.object({
      bot: z.boolean().optional(),
      username: z.string().optional(),
      global_name: z.string().nullish(),
    }),
  }).nullish(),
})
export const Ready = z.object({
  user: z.object({ id: Snowflake }),
  application: z.object({ id: Snowflake, flags: z.number().default(0) }),
})

/** Types of messages that people write: ordinary ones and replies. */
const saidTypes = [0, 19]

export interface Reader extends Self {
  now: number
}

/** Returns the place of a message: its thread, or the thread that would grow from it. */
export function addressOf(
  message: Pick<Message, 'id' | 'channel_id' | 'guild_id'>,
  place: AnyChannel,
) {
  const workspace = workspaceOf(place.guild_id ?? message.guild_id)
  if (place.type === ChannelType.DM) return { workspace, channel: place.id, thread: place.id }
  if (isThread(place)) return { workspace, channel: place.parent_id ?? place.id, thread: place.id }
  return { workspace, channel: place.id, thread: message.id }
}

/** Returns a message's reference for reactions, which includes its channel. */
export const refOf = (channelId: string, messageId: string) => `${channelId}/${messageId}`
export const messageKey = (id: string) => `m:${id}`

/** Parses a message into an event. Returns `null` for messages of other types and Clew's own. */
export function readMessage(
  message: Message,
  place: AnyChannel,
  reader: Reader,
): InboundEvent | null {
  if (!saidTypes.includes(message.type) || message.author.id === reader.botId) return null
  const { text, named, startsWithOther, namesOthers } = spokenIn(message, reader)
  const files = filesOf(message)
  const shared = sharedIn(message, reader)
  // A message that mentions Clew, answers it, or is a direct message, is addressed to it.
  const isFull = text !== '' || files.length > 0
  const isAnswer = isFull && !namesOthers && answers(message, reader)
  const addressed = named || isAnswer || place.type === ChannelType.DM
  return {
    ...addressOf(message, place),
    keys: [messageKey(message.id)],
    ref: refOf(message.channel_id, message.id),
    ...repliesTo(message),
    author: authorOf(message),
    whose: { way: 'typed', by: standingOf(message) },
    // If our clock is behind, a message must not be in the future.
    at: Math.min(timeOf(message.id), reader.now),
    content: {
      kind: 'message',
      text,
      addressed,
      forSomeoneElse: startsWithOther && !addressed,
      namesOthers: (namesOthers && !addressed) || undefined,
      files: files.length === 0 ? undefined : files,
      shared: shared.length === 0 ? undefined : shared,
    },
  }
}

/**
 * Returns the replied-to message. A forward or a thread's first message also has a reference, but
 * is not a reply.
 */
function repliesTo({
  type,
  channel_id,
  message_reference: to,
}: Message): Pick<InboundEvent, 'repliesTo'> {
  return type === 19 && to?.message_id
    ? { repliesTo: refOf(to.channel_id ?? channel_id, to.message_id) }
    : {}
}

/** True for a reply to Clew, also with its mention switched off (C1005). */
const answers = ({ type, referenced_message: to }: Message, { botId }: Reader): boolean =>
  type === 19 && to?.author.id === botId

/** Returns the message that a message replies to, in its author's name (C975). */
export function repliedIn(replied: Written, self: Self): Replied {
  const { id, name } = authorOf(replied)
  const files = filesOf(replied)
  return {
    key: messageKey(replied.id),
    author: id === self.botId ? null : { id, name },
    text: allWordsOf(replied, self),
    files: files.length === 0 ? undefined : files,
  }
}

/**
 * Parses an edit by the author. Discord also sends updates for link previews, which are dropped.
 */
export function readEdit(message: Message, place: AnyChannel, reader: Reader): InboundEvent | null {
  const event = message.edited_timestamp ? readMessage(message, place, reader) : null
  if (event === null || event.content.kind !== 'message') return null
  const { text, files, ...said } = event.content
  // For an older message, it is unknown if it was taken before (C78).
  const addressed = said.addressed && reader.now - timeOf(message.id) < limits.addressedByEditMs
  const more = { addressed: addressed || undefined, files }
  return {
    ...event,
    keys: [`u:${message.id}:${message.edited_timestamp}`],
    whose: { ...event.whose, way: 'edited' },
    at: reader.now,
    content: { kind: 'edited', key: messageKey(message.id), text, ...more },
  }
}

export const authorOf = ({ author, webhook_id, member }: Written) => ({
  id: author.id,
  name: nameOf(author, member?.nick),
  bot: author.bot === true || (webhook_id ?? null) !== null,
})

/** Derives a preliminary standing from the message alone; membership is looked up later. */
const standingOf = (message: Message): Standing => (authorOf(message).bot ? 'bot' : 'member')
