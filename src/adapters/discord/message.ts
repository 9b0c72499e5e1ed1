import { z } from 'zod'
import { Snowflake } from './directory.ts'

/** Message in dispatches and in the history. Unknown fields are ignored. */

export const User = z.object({
  id: Snowflake,
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
  /** Set on people who are mentioned in a server: their name there. */
  member: z.object({ nick: z.string().nullish() }).nullish().catch(null),
})
export type User = z.infer<typeof User>

export const Attachment = z.object({
  id: Snowflake,
  filename: z.string(),
  size: z.number(),
  url: z.string(),
  content_type: z.string().nullish(),
  /** Length of a voice message, in seconds. */
  duration_secs: z.number().nullish(),
})
export type Attachment = z.infer<typeof Attachment>

const words = z.string().nullish()
const Embed = z.object({
  title: words,
  description: words,
  fields: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
})
const Poll = z.object({
  question: z.object({ text: words }),
  answers: z.array(
    z.object({ answer_id: z.number().nullish(), poll_media: z.object({ text: words }) }),
  ),
  results: z
    .object({ answer_counts: z.array(z.object({ id: z.number(), count: z.number() })) })
    .nullish(),
})

/** Text and files of a message, written or forwarded. */
const MessageBody = z.object({
  content: z.string().default(''),
  mentions: z.array(User).default([]),
  mention_roles: z.array(z.string()).default([]),
  /** Absent in forwarded messages. */
  mention_everyone: z.boolean().optional(),
  attachments: z.array(Attachment).default([]),
  embeds: z.array(Embed).default([]).catch([]),
  components: z.array(z.unknown()).default([]),
  poll: Poll.nullish().catch(null),
  sticker_items: z
    .array(z.object({ name: z.string() }))
    .default([])
    .catch([]),
})
export type MessageBody = z.infer<typeof MessageBody>

/** Membership that comes with something that a person did in a server. */
export const GuildMember = z.object({
  nick: z.string().nullish(),
  roles: z.array(z.string()).optional(),
})

const Written = MessageBody.extend({
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.nullish(),
  type: z.number(),
  author: User,
  webhook_id: Snowflake.nullish(),
  edited_timestamp: z.string().nullish(),
  message_reference: z
    .object({ channel_id: Snowflake.nullish(), message_id: Snowflake.nullish() })
    .nullish(),
  member: GuildMember.nullish(),
  /** Forwarded messages. Discord does not name their authors. */
  message_snapshots: z
    .array(z.object({ message: MessageBody }))
    .nullish()
    .catch(null),
})
export type Written = z.infer<typeof Written>

/**
 * `referenced_message`: what it replies to; `null` if that is gone, absent if Discord does not say.
 */
export const Message = Written.extend({
  referenced_message: Written.nullish().catch(undefined),
})
export type Message = z.infer<typeof Message>
