import { Routes } from 'discord.js'
import { z } from 'zod'
import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import { texts } from '../../locales/texts.ts'
import { fileInWords, isReadable } from '../attachments.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import { Attachment, fileOf } from './parse.ts'

/** Where Discord keeps what people attach. */
const hosts = ['cdn.discordapp.com', 'media.discordapp.net']

const Attached = z.object({ attachments: z.array(Attachment) })

/** Reads what people attached when its turn comes, so that no file keeps a message from being stored (P4). */
export function createFiles(discord: Discord) {
  const { deps, rest } = discord

  /** Addresses of files are good for a day; a message that waited longer is asked for new ones. */
  async function again({ ref }: InboundEvent, { name, size }: FileRef): Promise<string | null> {
    const [channelId = '', messageId = ''] = ref?.split('/') ?? []
    const answer = await rest.call('GET', Routes.channelMessage(channelId, messageId))
    const found = answer.kind === 'ok' ? Attached.safeParse(answer.value).data : undefined
    return found?.attachments.map(fileOf).find((one) => one.name === name && one.size === size)?.url ?? null
  }

  async function read(event: InboundEvent, file: FileRef, locale: string, signal: AbortSignal): Promise<string> {
    const words = texts(locale).discord.files
    const { name, mimetype: type, size, url } = file
    if (!isReadable(name, type)) return words.unreadable(name, type)
    if (size > limits.fileBytes) return words.tooLarge(name, limits.fileBytes / 1024 / 1024)
    const bytes = (await fetched(url, signal)) ?? (await fetched((await again(event, file)) ?? '', signal))
    return bytes === null ? words.failed(name) : fileInWords({ name, type, bytes }, words)
  }

  /** The file, from Discord's own hosts only; null when it cannot be had in time. */
  async function fetched(address: string, signal: AbortSignal): Promise<Buffer | null> {
    const url = URL.parse(address)
    const known = deps.apiUrl === null ? hosts : [URL.parse(deps.apiUrl)?.host ?? '']
    if (url === null || !known.includes(url.host)) return null
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(limits.fetchMs)])
      const response = await fetch(url, { redirect: 'error', signal: ends })
      if (!response.ok) return null
      const bytes = Buffer.from(await response.arrayBuffer())
      return bytes.length > limits.fileBytes ? null : bytes
    } catch {
      return null
    }
  }

  return async (event: InboundEvent, locale: string, signal: AbortSignal): Promise<string> => {
    const files = event.content.kind === 'message' ? (event.content.files ?? []) : []
    return (await Promise.all(files.map((file) => read(event, file, locale, signal)))).join('\n\n')
  }
}
