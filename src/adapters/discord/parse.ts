import { ChannelType } from 'discord.js'
import { z } from 'zod'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { Standing } from '../../agent/domain/words.ts'
import { filesOf, nameOf, type Self, sharedIn, spokenIn } from './content.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread, Snowflake } from './directory.ts'
import { limits, timeOf } from './limits.ts'
import type { Message } from './message.ts'

/** Dispatches of Discord as events. */

export const Deleted = z.object({
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.nullish(),
})
/** `message_author_id`: absent where an integration wrote it. In direct messages there is no member. */
export const Reaction = z.object({
  user_id: Snowflake,
  channel_id: Snowflake,
  message_id: Snowflake,
  message_author_id: Snowflake.nullish(),
  member: z
    .object({
      user: z.object({ bot: z.boolean().optional() }),
      roles: z.array(z.string()).optional(),
    })
    .nullish(),
})
export const Ready = z.object({
  user: z.object({ id: Snowflake }),
  application: z.object({ id: Snowflake, flags: z.number().default(0) }),
})

/** What was said in an ordinary message or a reply; everything else that Discord writes by itself is none. */
const saidTypes = [0, 19]

export interface Reader extends Self {
  now: number
}

/** Where a message belongs: its thread, or the thread that would grow from it. */
export function addressOf(
  message: Pick<Message, 'id' | 'channel_id' | 'guild_id'>,
  place: AnyChannel,
) {
  const workspace = workspaceOf(place.guild_id ?? message.guild_id)
  if (place.type === ChannelType.DM) return { workspace, channel: place.id, thread: place.id }
  if (isThread(place)) return { workspace, channel: place.parent_id ?? place.id, thread: place.id }
  return { workspace, channel: place.id, thread: message.id }
}

/** The name of a message for marks on it; it says in which channel the message is. */
export const refOf = (channelId: string, messageId: string): string => `${channelId}/${messageId}`
export const messageKey = (id: string): string => `m:${id}`

/** A message as an event for intake; null when it says nothing to anybody. */
export function readMessage(
  message: Message,
  place: AnyChannel,
  reader: Reader,
): InboundEvent | null {
  if (!saidTypes.includes(message.type) || message.author.id === reader.botId) return null
  const { text, named, startsWithOther, namesOthers } = spokenIn(message, reader)
  const files = filesOf(message)
  const shared = sharedIn(message, reader)
  // What names Clew too, or is said to it alone, is for it.
  const addressed = named || place.type === ChannelType.DM
  return {
    ...addressOf(message, place),
    keys: [messageKey(message.id)],
    ref: refOf(message.channel_id, message.id),
    ...repliesTo(message),
    author: authorOf(message),
    whose: { way: 'typed', by: standingOf(message) },
    // A clock of ours that is behind must not put a message into the future.
    at: Math.min(timeOf(message.id), reader.now),
    content: {
      kind: 'message',
      text,
      addressed,
      forSomeoneElse: startsWithOther && !addressed,
      ...(namesOthers && !addressed ? { namesOthers } : {}),
      ...(files.length === 0 ? {} : { files }),
      ...(shared.length === 0 ? {} : { shared }),
    },
  }
}

/** A reply, and not a message that was forwarded or a thread's beginning. */
function repliesTo({
  type,
  channel_id,
  message_reference: to,
}: Message): Pick<InboundEvent, 'repliesTo'> {
  return type === 19 && to?.message_id
    ? { repliesTo: refOf(to.channel_id ?? channel_id, to.message_id) }
    : {}
}

/** A message that was changed by its author. Discord also tells when it has looked at a link; that changes nothing. */
export function readEdit(message: Message, place: AnyChannel, reader: Reader): InboundEvent | null {
  const event = message.edited_timestamp ? readMessage(message, place, reader) : null
  if (event === null || event.content.kind !== 'message') return null
  const { text, files, ...said } = event.content
  // Of an older message nobody knows any more whether it was taken before (C78).
  const addressed = said.addressed && reader.now - timeOf(message.id) < limits.addressedByEditMs
  const more = { ...(addressed ? { addressed } : {}), ...(files === undefined ? {} : { files }) }
  return {
    ...event,
    keys: [`u:${message.id}:${message.edited_timestamp}`],
    whose: { ...event.whose, way: 'edited' },
    at: reader.now,
    content: { kind: 'edited', key: messageKey(message.id), text, ...more },
  }
}

export const authorOf = ({ author, webhook_id, member }: Message) => ({
  id: author.id,
  name: nameOf(author, member?.nick),
  bot: author.bot === true || (webhook_id ?? null) !== null,
})

/** Bots as far as the message itself tells; who is a member is looked up. */
const standingOf = (message: Message): Standing => (authorOf(message).bot ? 'bot' : 'member')
