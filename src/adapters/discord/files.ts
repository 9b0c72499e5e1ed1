import { Routes } from 'discord.js'
import type { InboundEvent } from '../../agent/domain/event.ts'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { createAttachments } from '../attachments.ts'
import { createDownload } from '../channel-kit/download.ts'
import { get } from './api.ts'
import { filesOf } from './content.ts'
import type { Discord } from './context.ts'
import { limits } from './limits.ts'
import { Message } from './message.ts'

/** Hosts of Discord's attachments. */
const hosts = ['cdn.discordapp.com', 'media.discordapp.net']

const Attached = Message.pick({ attachments: true, message_snapshots: true })

/**
 * Reads attachments only when the task needs them, so that no file delays the storing of a message
 * (P4).
 */
export function createFiles({ deps, api }: Discord) {
  /**
   * Fetches a file's new address. Addresses expire after a day, and the message may have waited
   * longer.
   */
  async function again({ ref }: InboundEvent, { name, size }: FileRef): Promise<string | null> {
    const [channelId = '', messageId = ''] = ref?.split('/') ?? []
    const answer = await get(api, Routes.channelMessage(channelId, messageId), Attached)
    const files = answer.kind === 'ok' ? filesOf(answer.value) : []
    return files.find((one) => one.name === name && one.size === size)?.url ?? null
  }

  const known = deps.apiUrl === null ? hosts : [URL.parse(deps.apiUrl)?.host ?? '']
  const isOurs = ({ host }: URL) => known.includes(host)
  const fetched = createDownload({
    isOurs,
    bytes: limits.fileBytes,
    ms: limits.fetchMs,
    log: deps.log,
  })

  return createAttachments({
    documents: deps.documents,
    platform: 'Discord',
    limits: { files: limits.files, bytes: limits.fileBytes },
    download: async (event, file, signal) =>
      (await fetched(file, signal)) ??
      (await fetched({ ...file, url: await again(event, file) }, signal)),
  })
}
