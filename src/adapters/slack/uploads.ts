import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { Shelf } from '../../agent/ports/shelf.ts'
import type { Api } from './api.ts'
import { limits } from './limits.ts'
import { readBack } from './readback.ts'

const Ticket = z.looseObject({ upload_url: z.string(), file_id: z.string() })
const Anything = z.looseObject({})

interface Place {
  workspace: string
  channel: string
  thread: string
}

export interface Uploads {
  /** Puts a report into its thread as a file, once. Never throws: the words are there already. */
  report(place: Place, deliveryId: string, text: string, title: string): Promise<void>
}

export function createUploads(deps: { api: Api; shelf: Shelf; log: Log; fetch: typeof fetch }): Uploads {
  const { api, shelf, log } = deps

  /** Slack's three steps; only the last one shows anything to anybody. */
  async function upload(place: Place, name: string, content: Uint8Array, title: string): Promise<boolean> {
    const { workspace, channel, thread } = place
    const size = { filename: name, length: content.byteLength }
    const ticket = await api.call(workspace, 'files.getUploadURLExternal', size, Ticket)
    if (!ticket.ok) return false
    const signal = AbortSignal.timeout(limits.callMs)
    const put = await deps.fetch(ticket.value.upload_url, { method: 'POST', body: Buffer.from(content), signal })
    if (!put.ok) return false
    const files = [{ id: ticket.value.file_id, title }]
    const args = { files, channel_id: channel, thread_ts: thread }
    const completed = await api.call(workspace, 'files.completeUploadExternal', args, Anything)
    return completed.ok || completed.problem.kind === 'unknown'
  }

  return {
    async report(place, deliveryId, text, title) {
      const name = `report-${deliveryId.slice(2, 14)}.md`
      const note = `file:${deliveryId}`
      try {
        const before = await shelf.get(place.workspace, note)
        if (before === 'done') return
        if (before === 'begun' && (await isThere(api, place, name))) return
        await shelf.put(place.workspace, note, 'begun', limits.placeKeptMs)
        if (await upload(place, name, new TextEncoder().encode(text), title))
          await shelf.put(place.workspace, note, 'done', limits.placeKeptMs)
        else log.warn({ delivery: deliveryId }, 'a report could not be uploaded as a file')
      } catch (error) {
        log.warn({ err: error, delivery: deliveryId }, 'a report could not be uploaded as a file')
      }
    },
  }
}

async function isThere(api: Api, place: Place, name: string): Promise<boolean> {
  const answer = await readBack(api, place, Number(place.thread) * 1_000)
  return answer.ok && answer.value.some(({ files }) => files?.some((file) => file.name === name) ?? false)
}
