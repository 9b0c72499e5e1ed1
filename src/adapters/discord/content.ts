import { z } from 'zod'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { outsideCode } from '../code.ts'
import type { Attachment, Message, Said, User } from './message.ts'

/** Identity of Clew in a server. */
export interface Self {
  botId: string
  /** The bot that a role stands for, if it does. */
  botOfRole(id: string): string | null
}

export const nameOf = (user: User, nick?: string | null): string =>
  nick || user.global_name || user.username

const named = /<@(!|&)?(\d+)>([ \t]*[,:，：])?[ \t]?/g
const first = /^\s*(?:<@(!|&)?(\d+)>|@(?:everyone|here)\b)/
const all = /(?<![\w.+-])@(?:everyone|here)(?![\w-]|\.\w)/

/** Words for Clew: its own name is gone, other people's names stand where Discord has ids; code and indentation stay. */
function readText(message: Said, { botId, botOfRole }: Self) {
  const { content, mentions, mention_roles: roles } = message
  const isOwn = (id: string, mark: string | undefined) =>
    (mark === '&' ? botOfRole(id) : id) === botId
  const text = outsideCode(content, (words) =>
    words.replace(named, (whole, mark, id) => {
      if (isOwn(id, mark)) return ''
      const user = mentions.find((one) => one.id === id)
      return user === undefined ? whole : whole.replace(/<[^<>]+>/, `@${nameOf(user)}`)
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
    // The author of the message that is replied to is among those whom this one mentions.
    namesOthers: mentions.length > 0 || roles.length > 0 || callsAll,
  }
}

/** Discord says whether a message called everybody; of one that it does not say so of, the words count. */
function callsEverybody({ content, mention_everyone: isSo }: Said): boolean {
  if (isSo !== undefined) return isSo
  let called = false
  outsideCode(content, (words) => {
    called ||= all.test(words)
    return words
  })
  return called
}

/** Blank lines around a text go; blanks before a line belong to it where others stand below. */
function withoutMargin(text: string): string {
  const lines = text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
  return lines.includes('\n') ? lines : lines.trimStart()
}

/** All words of a message, with those beside its content: of polls, of embeds, of components. */
export function wordsOf(message: Said, self: Self): string {
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

/** A person's own words, their poll among them. */
export function spokenIn(message: Said, self: Self): ReturnType<typeof readText> {
  const read = readText(message, self)
  const poll = message.poll == null ? '' : pollText(message.poll)
  return { ...read, text: [read.text, poll].filter(Boolean).join('\n') }
}

/** A poll's question over its answers, with their votes where they are told. */
function pollText({ question, answers, results }: NonNullable<Said['poll']>): string {
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

/** The words in components, from top to bottom. */
function textsIn(components: readonly unknown[]): string[] {
  return components.flatMap((raw) => {
    const { content, components: inner = [] } = Component.safeParse(raw).data ?? {}
    return [...(typeof content === 'string' ? [content] : []), ...textsIn(inner)]
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
  ...(seconds == null ? {} : { seconds }),
})

/** Files of a message and of what it forwards. */
export const filesOf = ({
  attachments,
  message_snapshots: forwarded,
}: Pick<Message, 'attachments' | 'message_snapshots'>): FileRef[] =>
  [attachments, ...(forwarded ?? []).map(({ message }) => message.attachments)].flat().map(fileOf)

/** Messages of others that a message forwards; Discord does not say whose they were. */
export const sharedIn = (
  { message_snapshots: forwarded }: Message,
  self: Self,
): { author: string; text: string }[] =>
  (forwarded ?? []).flatMap(({ message }) => {
    const text = wordsOf(message, self)
    return text === '' ? [] : [{ author: '', text }]
  })
