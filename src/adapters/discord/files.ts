import type { InboundEvent } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { fileInWords, isReadable } from '../attachments.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import type { Attachment } from './parse.ts'

/** Where Discord keeps what people attach. */
const hosts = ['cdn.discordapp.com', 'media.discordapp.net']

/** Puts what people attached into what they said: a task reads it like the words around it. */
export async function withFiles(
  discord: Discord,
  event: InboundEvent,
  files: readonly Attachment[],
): Promise<InboundEvent> {
  const { content } = event
  if (content.kind !== 'message') return event
  const locale = event.locale ?? discord.deps.defaults.locale
  const read = await Promise.all(files.slice(0, limits.files).map((file) => inWords(discord, file, locale)))
  const text = [content.text, ...read].filter((part) => part !== '').join('\n\n')
  return { ...event, content: { ...content, text } }
}

async function inWords({ deps }: Discord, file: Attachment, locale: string): Promise<string> {
  const words = texts(locale).discord.files
  const type = file.content_type ?? 'application/octet-stream'
  if (!isReadable(file.filename, type)) return words.unreadable(file.filename, type)
  if (file.size > limits.fileBytes) return words.tooLarge(file.filename, limits.fileBytes / 1024 / 1024)
  const bytes = await fetched(file.url, deps.apiUrl)
  return bytes === null ? words.failed(file.filename) : fileInWords({ name: file.filename, type, bytes }, words)
}

/** The file, from Discord's own hosts only; null when it cannot be had in time. */
async function fetched(address: string, apiUrl: string | null): Promise<Buffer | null> {
  const url = URL.parse(address)
  const known = apiUrl === null ? hosts : [URL.parse(apiUrl)?.host ?? '']
  if (url === null || !known.includes(url.host)) return null
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(limits.fetchMs) })
    if (!response.ok) return null
    const bytes = Buffer.from(await response.arrayBuffer())
    return bytes.length > limits.fileBytes ? null : bytes
  } catch {
    return null
  }
}
