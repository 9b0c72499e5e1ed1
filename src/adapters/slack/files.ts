import { z } from 'zod'
import type { ThreadAddress } from '../../agent/domain/conversation.ts'
import { createAttachments } from '../attachments.ts'
import { createDownload } from '../channel-kit/download.ts'
import { keptMs } from '../channel-kit/poster.ts'
import { type Answer, Anything } from './api.ts'
import type { Slack } from './context.ts'
import { limits } from './limits.ts'
import { File, fileOf } from './message.ts'
import { readBack } from './readback.ts'

/** Creates the reader of attachments. */
export function createFiles({ api, deps, installations }: Slack) {
  const own = URL.parse(deps.apiUrl)?.origin
  const isOurs = ({ origin, protocol, hostname }: URL) =>
    origin === own ||
    (protocol === 'https:' && /(?:^|\.)slack(?:-edge|-files)?\.com$/.test(hostname))
  const download = createDownload({
    isOurs,
    bytes: limits.fileBytes,
    ms: limits.callMs,
    log: deps.log,
  })
  return createAttachments({
    documents: deps.documents,
    platform: 'Slack',
    limits: { files: limits.filesOfMessage, bytes: limits.fileBytes },
    async find({ workspace }, file) {
      const args = { file: file.id }
      const answer = await api.call(workspace, 'files.info', args, Info, { minor: true })
      if (answer.kind !== 'ok') return null
      const { name, mimetype, size, url } = fileOf(answer.value.file)
      return url === null ? null : { name, mimetype, size, url }
    },
    async download({ workspace }, file, signal) {
      const token = await installations.of(workspace).catch(() => null)
      return token === null
        ? null
        : await download(file, signal, { authorization: `Bearer ${token.botToken}` })
    },
  })
}

const Info = z.looseObject({ file: File })

const Ticket = z.looseObject({ upload_url: z.string(), file_id: z.string() })

interface NewFile {
  name: string
  title: string
  content: Uint8Array
  /** Text of a picture. */
  alt?: string | undefined
}

const triesMost = 4

/**
 * Uploads a file into a thread, once. Never throws. Returns false if it is worth a retry. After a
 * few tries, or if Slack refuses it, the file is skipped and logged, so that it does not block the
 * delivery.
 */
export async function attach(
  slack: Slack,
  place: ThreadAddress,
  deliveryId: string,
  given: NewFile,
): Promise<boolean> {
  const { notes, log } = slack.deps
  const { workspace } = place
  // The name identifies the file in its thread.
  const file = { ...given, name: named(given.name, deliveryId) }
  const note = `file:${deliveryId}`
  try {
    const before = await notes.get(workspace, note)
    if (before === 'done') return true
    const tries = Number(before ?? 0)
    if (tries > 0 && (await isThere(slack, place, file.name))) return true
    if (tries >= triesMost) {
      log.warn({ delivery: deliveryId }, 'file not uploaded; giving up')
      return true
    }
    await notes.put(workspace, note, String(tries + 1), keptMs.shown)
    const outcome = await upload(slack, place, file)
    if (outcome === 'refused') log.warn({ delivery: deliveryId }, 'Slack refused a file')
    if (outcome !== 'perhaps') await notes.put(workspace, note, 'done', keptMs.shown)
    return outcome !== 'perhaps'
  } catch (error) {
    log.warn({ err: error, delivery: deliveryId }, 'file not uploaded; retrying')
    return false
  }
}

/** Uploads in Slack's three steps. Only the last step makes the file visible. */
async function upload({ api }: Slack, place: ThreadAddress, given: NewFile) {
  const { name, title, content, alt } = given
  const { workspace, channel, thread } = place
  const size = { filename: name, length: content.byteLength, alt_txt: alt }
  const ticket = await api.call(workspace, 'files.getUploadURLExternal', size, Ticket, {
    minor: true,
  })
  if (ticket.kind !== 'ok') return outcomeOf(ticket)
  const signal = AbortSignal.timeout(limits.callMs)
  const put = await fetch(ticket.value.upload_url, {
    method: 'POST',
    body: Buffer.from(content),
    signal,
  })
  if (!put.ok) return 'perhaps'
  const args = {
    files: [{ id: ticket.value.file_id, title }],
    channel_id: channel,
    thread_ts: thread,
  }
  return outcomeOf(
    await api.call(workspace, 'files.completeUploadExternal', args, Anything, { minor: true }),
  )
}

function outcomeOf(answer: Answer<unknown>): 'done' | 'perhaps' | 'refused' {
  if (answer.kind === 'ok') return 'done'
  const isRefused =
    answer.kind === 'refused' || (answer.kind === 'later' && answer.token !== undefined)
  return isRefused ? 'refused' : 'perhaps'
}

/** Makes a file name unique to a delivery: `report.md` becomes `report-1f2e3d4c5b6a.md`. */
function named(name: string, deliveryId: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `${stem.replace(/[^\p{L}\p{N}._-]/gu, '-')}-${deliveryId.slice(2, 14)}${end}`
}

async function isThere(slack: Slack, place: ThreadAddress, name: string): Promise<boolean> {
  const { items, problem } = await readBack(slack, place, Number(place.thread) * 1_000)
  return (
    problem === null &&
    items.some(({ files }) => files?.some((file) => file.name === name) ?? false)
  )
}
