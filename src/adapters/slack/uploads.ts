import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Api, Problem } from './api.ts'
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
  /**
   * Puts a file into a thread, once. Never throws. False: it is not there yet and is worth another try; after a few of them,
   * or where Slack will not have it, it is left out and the log says so, so that no file holds up what has to be said.
   */
  put(place: Place, deliveryId: string, file: { name: string; title: string; content: Uint8Array }): Promise<boolean>
}

const triesMost = 4

export function createUploads(deps: { api: Api; notes: Notes; log: Log; fetch: typeof fetch }): Uploads {
  const { api, notes, log } = deps

  /** Slack's three steps; only the last one shows anything to anybody. */
  async function upload(place: Place, file: Parameters<Uploads['put']>[2]): Promise<'done' | 'perhaps' | 'refused'> {
    const { workspace, channel, thread } = place
    const { name, title, content } = file
    const ticket = await api.call(workspace, 'files.getUploadURLExternal', sizeOf(name, content), Ticket, {
      minor: true,
    })
    if (!ticket.ok) return outcomeOf(ticket.problem)
    const signal = AbortSignal.timeout(limits.callMs)
    const put = await deps.fetch(ticket.value.upload_url, { method: 'POST', body: Buffer.from(content), signal })
    if (!put.ok) return 'perhaps'
    const args = { files: [{ id: ticket.value.file_id, title }], channel_id: channel, thread_ts: thread }
    const completed = await api.call(workspace, 'files.completeUploadExternal', args, Anything, { minor: true })
    return completed.ok ? 'done' : outcomeOf(completed.problem)
  }

  return {
    async put(place, deliveryId, file) {
      const { workspace } = place
      // Names tell the files of a thread apart.
      const name = named(file.name, deliveryId)
      const note = `file:${deliveryId}`
      try {
        const before = await notes.get(workspace, note)
        if (before === 'done') return true
        const tries = Number(before ?? 0)
        if (tries > 0 && (await isThere(api, place, name))) return true
        if (tries >= triesMost) {
          log.warn({ delivery: deliveryId }, 'a file could not be uploaded')
          return true
        }
        await notes.put(workspace, note, String(tries + 1), limits.placeKeptMs)
        const outcome = await upload(place, { ...file, name })
        if (outcome === 'refused') log.warn({ delivery: deliveryId }, 'Slack refused a file')
        if (outcome !== 'perhaps') await notes.put(workspace, note, 'done', limits.placeKeptMs)
        return outcome !== 'perhaps'
      } catch (error) {
        log.warn({ err: error, delivery: deliveryId }, 'a file could not be uploaded this time')
        return false
      }
    },
  }
}

const sizeOf = (filename: string, { byteLength: length }: Uint8Array) => ({ filename, length })
const outcomeOf = ({ kind }: Problem) => (kind === 'later' || kind === 'unknown' ? 'perhaps' : 'refused')

/** `report.md` of one delivery is `report-1f2e3d4c5b6a.md`. */
function named(name: string, deliveryId: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `${stem.replace(/[^\p{L}\p{N}._-]/gu, '-')}-${deliveryId.slice(2, 14)}${end}`
}

async function isThere(api: Api, place: Place, name: string): Promise<boolean> {
  const answer = await readBack(api, place, Number(place.thread) * 1_000)
  return answer.ok && answer.value.some(({ files }) => files?.some((file) => file.name === name) ?? false)
}
