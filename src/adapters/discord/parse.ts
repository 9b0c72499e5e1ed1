import { ChannelType } from 'discord.js'
import { z } from 'zod'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import type { Standing } from '../../agent/domain/words.ts'
import { workspaceOf } from './deps.ts'
import { type AnyChannel, isThread, Snowflake } from './directory.ts'
import { limits, timeOf } from './limits.ts'

/** Raw dispatches as typed values. Everything that Discord sends is checked here; what it adds later is let pass. */

export const User = z.object({
  id: Snowflake,
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
})
export type User = z.infer<typeof User>

export const Attachment = z.object({
  id: Snowflake,
  filename: z.string(),
  size: z.number(),
  url: z.string(),
  content_type: z.string().nullish(),
})
export type Attachment = z.infer<typeof Attachment>

export const Message = z.object({
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.nullish(),
  type: z.number(),
  author: User,
  webhook_id: Snowflake.nullish(),
  content: z.string(),
  edited_timestamp: z.string().nullish(),
  mentions: z.array(User).default([]),
  mention_roles: z.array(z.string()).default([]),
  attachments: z.array(Attachment).default([]),
  message_reference: z
    .object({ channel_id: Snowflake.nullish(), message_id: Snowflake.nullish() })
    .nullish(),
  member: z.object({ nick: z.string().nullish(), roles: z.array(z.string()).optional() }).nullish(),
})
export type Message = z.infer<typeof Message>

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

export interface Reader {
  botId: string
  /** The bot that a role stands for, if it does. */
  botOfRole(id: string): string | null
  now: number
}

export const nameOf = (user: User, nick?: string | null): string =>
  nick || user.global_name || user.username

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
  const { text, named, startsWithOther, namesOthers } = readText(message, reader)
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
      ...(message.attachments.length === 0 ? {} : { files: message.attachments.map(fileOf) }),
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

export const fileOf = ({ filename, content_type, size, url }: Attachment): FileRef => ({
  name: filename,
  mimetype: content_type ?? 'application/octet-stream',
  size,
  url,
})

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
export const standingOf = (message: Message): Standing => (authorOf(message).bot ? 'bot' : 'member')

/** Somebody, a role or everybody. */
const someone = /<@(!|&)?(\d+)>|@(?:everyone|here)\b/
const startOf = ({ content }: Message): number => content.length - content.trimStart().length

/** The words for us: our own name taken out, other people's names instead of their ids. */
export function readText(message: Message, { botId, botOfRole }: Reader) {
  const own = (id: string, role: boolean) => (role ? botOfRole(id) === botId : id === botId)
  const first = someone.exec(message.content)
  const startsWithOther =
    first !== null && !own(first[2] ?? '', first[1] === '&') && first.index === startOf(message)
  const named =
    message.mentions.some(({ id }) => id === botId) ||
    message.mention_roles.some((id) => botOfRole(id) === botId)
  const text = message.content
    .replace(/<@(!|&)?(\d+)>/g, (raw, mark, id) => {
      if (own(id, mark === '&')) return ''
      const user = message.mentions.find((one) => one.id === id)
      return user === undefined ? raw : `@${nameOf(user)}`
    })
    .replace(/^[\s,:，：]+/, '')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim()
  // The author of the message that is replied to is among those whom this one mentions.
  const namesOthers = first !== null || message.mentions.length > 0
  return { text, named, startsWithOther, namesOthers }
}
