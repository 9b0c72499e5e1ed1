import { Routes } from 'discord.js'
import { z } from 'zod'
import type { FileRef, InboundEvent } from '../../agent/domain/event.ts'
import { bytesOf, createAttachments } from '../attachments.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import { Attachment, fileOf } from './parse.ts'

/** Where Discord keeps what people attach. */
const hosts = ['cdn.discordapp.com', 'media.discordapp.net']

const Attached = z.object({ attachments: z.array(Attachment) })

/** Reads what people attached when its turn comes, so that no file keeps a message from being stored (P4). */
export function createFiles({ deps, api }: Discord) {
  /** Addresses of files are good for a day; a message that waited longer is asked for new ones. */
  async function again({ ref }: InboundEvent, { name, size }: FileRef): Promise<string | null> {
    const [channelId = '', messageId = ''] = ref?.split('/') ?? []
    const answer = await api.call('GET', Routes.channelMessage(channelId, messageId))
    const found = answer.kind === 'ok' ? Attached.safeParse(answer.value).data : undefined
    return found?.attachments.map(fileOf).find((one) => one.name === name && one.size === size)?.url ?? null
  }

  /** The file, from Discord's own hosts only; null when it cannot be had in time. */
  async function fetched(address: string | null, signal: AbortSignal): Promise<Buffer | null> {
    const url = URL.parse(address ?? '')
    const known = deps.apiUrl === null ? hosts : [URL.parse(deps.apiUrl)?.host ?? '']
    if (url === null || !known.includes(url.host)) return null
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(limits.fetchMs)])
      const response = await fetch(url, { redirect: 'error', signal: ends })
      return response.ok ? await bytesOf(response, limits.fileBytes) : null
    } catch {
      return null
    }
  }

  return createAttachments({
    see: deps.see,
    documents: deps.documents,
    platform: 'Discord',
    limits: { files: limits.files, bytes: limits.fileBytes },
    download: async (event, file, signal) =>
      (await fetched(file.url, signal)) ?? (await fetched(await again(event, file), signal)),
  })
}
