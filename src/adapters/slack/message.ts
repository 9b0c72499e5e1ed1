import { z } from 'zod'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { present } from '../../agent/domain/present.ts'
import { isPasted, withPieces, wordsOfBlocks } from './block-words.ts'

/** Message as Slack sends it in its events and its history. */

export const id = z.string().min(1)
/** Optional text; `null` if Slack leaves it out. */
export const text = z.string().nullable().default(null)
const flag = z.boolean().nullable().default(false)
const list = <S extends z.ZodType>(item: S) => z.array(item).nullish()

export const File = z.object({
  id,
  name: text,
  mimetype: text,
  size: z.number().nullish(),
  url_private_download: text,
  url_private: text,
  /** `check_file_info`: a file of another workspace, of which Slack tells nothing else. */
  file_access: text,
  /** `tombstone`: deleted; `hidden_by_limit`: hidden by the workspace's plan. */
  mode: text,
})
const blocks = list(z.unknown()).catch(null)
/** Attachment: text of a shared or linked message, and of most bots. */
const Attachment = z.object({
  text,
  fallback: text,
  pretext: text,
  title: text,
  title_link: text,
  fields: list(z.object({ title: text, value: text })).catch(null),
  author_name: text,
  is_share: flag,
  is_msg_unfurl: flag,
  /** Address of a link preview. */
  from_url: text,
  app_unfurl_url: text,
  blocks,
  message_blocks: list(z.object({ message: z.object({ blocks }) })).catch(null),
  files: list(File).catch(null),
})
type Attachment = z.infer<typeof Attachment>
export const Message = z.object({
  channel: id,
  channel_type: text,
  ts: id,
  thread_ts: text,
  user: text,
  bot_id: text,
  app_id: text,
  username: text,
  bot_profile: z.object({ app_id: text, name: text }).nullish().catch(null),
  subtype: text,
  text,
  client_msg_id: text,
  parent_user_id: text,
  edited: z.object({ ts: z.string() }).nullish(),
  files: list(File),
  blocks,
  attachments: list(Attachment).catch(null),
})

export type SlackMessage = ReturnType<typeof messageOf>

export function messageOf(message: z.infer<typeof Message>) {
  const { channel, ts, user, subtype } = message
  const attachments = message.attachments ?? []
  const shared = attachments.filter((one) => one.is_share === true || one.is_msg_unfurl === true)
  const pasted = attachments.filter(
    (one) =>
      !shared.includes(one) &&
      one.from_url === null &&
      one.app_unfurl_url === null &&
      isPasted(one.blocks ?? []),
  )
  return {
    channel,
    ts,
    /** Thread that the message is in or would open. */
    thread: message.thread_ts ?? ts,
    user: user ?? '',
    text: withPieces(
      message.text ?? '',
      wordsOfBlocks([message.blocks ?? [], ...pasted.map((one) => one.blocks ?? [])].flat()),
    ),
    clientId: message.client_msg_id,
    /** True if a bot or an integration wrote it. */
    bot:
      message.bot_id !== null || subtype === 'bot_message' || user === null || user === 'USLACKBOT',
    app: appOf(message),
    direct:
      message.channel_type === 'im' || (message.channel_type === null && channel.startsWith('D')),
    /** Author of the thread's first message, set on replies. */
    parentUser: message.parent_user_id,
    /** Texts of attachments: those of most alerts, and of shared messages. */
    attached: attachments.filter((one) => !pasted.includes(one)).map(wordsOfAttachment),
    /** Messages of others that it shares. */
    shared: shared.map((one) => ({
      author: one.author_name ?? '',
      text: wordsOfAttachment(one),
    })),
    files: [message.files ?? [], ...shared.map((one) => one.files ?? [])].flat().map(fileOf),
  }
}

/**
 * Returns the app that posted the message. A workflow or an old integration without an app is named
 * by its bot.
 */
function appOf(message: z.infer<typeof Message>): { id: string; name: string } | null {
  const { bot_profile: profile, bot_id: bot } = message
  const id = bot === null ? null : (message.app_id ?? profile?.app_id ?? bot)
  return id === null ? null : { id, name: profile?.name ?? message.username ?? id }
}

/** Returns an attachment's text as it is shown, or else the text that stands for it (C977). */
function wordsOfAttachment(one: Attachment): string {
  const { pretext, title, title_link: link, text } = one
  const blocks = [
    one.blocks ?? [],
    ...(one.message_blocks ?? []).map(({ message }) => message.blocks ?? []),
  ]
  const fields = (one.fields ?? []).map((field) => present([field.title, field.value]).join(': '))
  const heading = title !== null && link !== null ? `<${link}|${title}>` : title
  const pieces = [heading, text, ...fields, ...wordsOfBlocks(blocks.flat())]
  return withPieces(pretext ?? '', present(pieces)) || one.fallback || ''
}

export const fileOf = (file: z.infer<typeof File>) => ({
  id: file.id,
  name: file.name ?? file.id,
  mimetype: file.mimetype ?? 'application/octet-stream',
  size: file.size ?? 0,
  url: file.url_private_download ?? file.url_private,
  gone: goneAs.get(file.mode ?? '') ?? null,
})

const goneAs: ReadonlyMap<string, FileRef['gone']> = new Map([
  ['tombstone', 'deleted'],
  ['hidden_by_limit', 'hidden'],
])

/** Message with words of somebody. Other subtypes report joins, pins, topics and the like. */
export const TextMessage = Message.extend({
  subtype: z
    .enum(['', 'thread_broadcast', 'file_share', 'me_message', 'bot_message'])
    .nullable()
    .default(null),
})

/** Parses a message from Slack's history. Returns `null` for messages without words of anybody. */
export function parseSaid(raw: object, channel: string): SlackMessage | null {
  const { data } = TextMessage.safeParse({ ...raw, channel })
  return data === undefined ? null : messageOf(data)
}
