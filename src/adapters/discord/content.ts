import { z } from 'zod'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { present } from '../../agent/domain/present.ts'
import { outsideCode } from '../code.ts'
import type { Attachment, MessageBody, User, Written } from './message.ts'

/** Identity of Clew in a server. */
export interface Self {
  botId: string
  /** Returns the bot that a role belongs to, or `null`. */
  botOfRole(id: string): string | null
  /** Returns the name of a role or channel, as people see it, or `null`. */
  nameOf(id: string): string | null
}

export const nameOf = (user: User, nick = user.member?.nick) =>
  nick || user.global_name || user.username

const named = /<@(!|&)?(\d+)>([ \t]*[,:，：])?[ \t]?/g
const first = /^\s*(?:<@(!|&)?(\d+)>|@(?:everyone|here)\b)/
/** Signs that Discord draws: a channel or role, an own emoji, a time, a command. */
const signs =
  /<(?:(?:#|@&)(\d{15,20})|a?:(\w{1,40}):\d{15,20}|t:(\d{1,12})(?::\w)?|\/([\w -]{1,100}):\d{15,20})>/g
const all = /(?<![\w.+-])@(?:everyone|here)(?![\w-]|\.\w)/

/**
 * Parses the text of a message: drops Clew's own name and replaces ids by names. Code and
 * indentation stay.
 */
function readText(message: MessageBody, self: Self) {
  const { botId, botOfRole } = self
  const { content, mentions, mention_roles: roles } = message
  const isOwn = (id: string, mark: string | undefined) =>
    (mark === '&' ? botOfRole(id) : id) === botId
  const text = outsideCode(content, (words) =>
    words
      .replace(named, (whole, mark, id) => {
        if (isOwn(id, mark)) return ''
        const user = mentions.find((one) => one.id === id)
        return user === undefined ? whole : whole.replace(/<[^<>]+>/, `@${nameOf(user)}`)
      })
      .replace(signs, (whole, id, emoji, seconds, command) => {
        if (emoji !== undefined) return `:${emoji}:`
        if (seconds !== undefined) return instant(Number(seconds) * 1_000)
        return command === undefined ? (self.nameOf(id) ?? whole) : `/${command}`
      }),
  )
  const callsAll = callsEverybody(message)
  const [begins, mark, id = ''] = first.exec(content) ?? []
  const isCalled =
    id === '' ? callsAll : roles.includes(id) || mentions.some((user) => user.id === id)
  return {
    text: withoutMargin(text),
    named:
      mentions.some((user) => user.id === botId) || roles.some((role) => botOfRole(role) === botId),
    startsWithOther: begins !== undefined && isCalled && !isOwn(id, mark),
    // A reply counts the author it replies to as mentioned.
    namesOthers: mentions.length > 0 || roles.length > 0 || callsAll,
  }
}

const instant = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * True if a message mentions everybody. Discord's own flag decides; without it, the text is
 * searched.
 */
function callsEverybody({ content, mention_everyone: isSo }: MessageBody): boolean {
  if (isSo !== undefined) return isSo
  let called = false
  outsideCode(content, (words) => {
    called ||= all.test(words)
    return words
  })
  return called
}

/** Trims blank lines around a text. The first line keeps its indentation if more lines follow. */
function withoutMargin(text: string): string {
  const lines = text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
  return lines.includes('\n') ? lines : lines.trimStart()
}

/** Returns the text of a message, including polls, embeds and components. */
export function wordsOf(message: MessageBody, self: Self): string {
  const { embeds, components } = message
  const beside = embeds.flatMap(({ title, description, fields }) => [
    title,
    description,
    ...(fields ?? []).map(({ name, value }) => `${name}: ${value}`),
  ])
  return [spokenIn(message, self).text, ...textsIn(components), ...beside]
    .filter(Boolean)
    .join('\n')
}

/** Parses the person's own text, including a poll and stickers. */
export function spokenIn(message: MessageBody, self: Self): ReturnType<typeof readText> {
  const read = readText(message, self)
  const poll = message.poll == null ? '' : pollText(message.poll)
  const stickers = message.sticker_items.map(({ name }) => `:${name}:`)
  return { ...read, text: [read.text, poll, ...stickers].filter(Boolean).join('\n') }
}

/** Renders a poll: its question, its answers, and the votes if they are known. */
function pollText({ question, answers, results }: NonNullable<MessageBody['poll']>): string {
  const votes = new Map(results?.answer_counts.map(({ id, count }) => [id, count]))
  const lines = answers.map(({ answer_id: id, poll_media: { text } }) => {
    const count = votes.get(id ?? -1)
    return `- ${text ?? ''}${count === undefined ? '' : ` (${count})`}`
  })
  return [`📊 ${question.text ?? ''}`, ...lines].join('\n')
}

const Component: z.ZodType<{ content?: unknown; components?: unknown[] | undefined }> = z.object({
  content: z.unknown().optional(),
  components: z.array(z.unknown()).optional(),
})

/** Returns the text of components, from top to bottom. */
function textsIn(components: readonly unknown[]): string[] {
  return components.flatMap((raw) => {
    const { content, components: inner = [] } = Component.safeParse(raw).data ?? {}
    return present([typeof content === 'string' && content, ...textsIn(inner)])
  })
}

const fileOf = ({
  filename,
  content_type,
  size,
  url,
  duration_secs: seconds,
}: Attachment): FileRef => ({
  name: filename,
  mimetype: content_type ?? 'application/octet-stream',
  size,
  url,
  seconds: seconds ?? undefined,
})

/** Returns the files of a message and of messages that it forwards. */
export const filesOf = ({
  attachments,
  message_snapshots: forwarded,
}: Pick<Written, 'attachments' | 'message_snapshots'>): FileRef[] =>
  [attachments, ...(forwarded ?? []).map(({ message }) => message.attachments)].flat().map(fileOf)

/** Returns all text of a message, with what it forwards. */
export const allWordsOf = (message: Written, self: Self): string =>
  [message, ...(message.message_snapshots ?? []).map((one) => one.message)]
    .map((one) => wordsOf(one, self))
    .filter(Boolean)
    .join('\n')

/** Returns forwarded messages. Discord does not name their authors. */
export const sharedIn = (
  { message_snapshots: forwarded }: Written,
  self: Self,
): { author: string; text: string }[] =>
  (forwarded ?? []).flatMap(({ message }) => {
    const text = wordsOf(message, self)
    return text === '' ? [] : [{ author: '', text }]
  })
