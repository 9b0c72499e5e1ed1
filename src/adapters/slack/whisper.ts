import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Api } from './api.ts'
import { renderMarkdown } from './render.ts'

const Anything = z.looseObject({})
const Opened = z.looseObject({ channel: z.looseObject({ id: z.string() }) })
const keptMs = 24 * 60 * 60 * 1_000

/** A line for one person that belongs to no conversation: why something was not taken. */
export interface Whisper {
  /** At most once for a key, as far as one process can tell. Never throws. */
  once(
    key: string,
    to: { workspace: string; channel: string; thread: string | null; user: string },
    text: string,
  ): Promise<void>
}

export function createWhisper({ api, shelf, log }: { api: Api; shelf: Notes; log: Log }): Whisper {
  const said = new LRUCache<string, true>({ max: 5_000 })
  return {
    async once(key, { workspace, channel, thread, user }, text) {
      const name = `${workspace} ${key}`
      if (said.has(name)) return
      said.set(name, true)
      try {
        if ((await shelf.get(workspace, `said:${key}`)) !== null) return
        await shelf.put(workspace, `said:${key}`, '1', keptMs)
        const [post] = renderMarkdown(text, () => false)
        const args = { channel, user, ...post, ...(thread === null ? {} : { thread_ts: thread }) }
        const answer = await api.call(workspace, 'chat.postEphemeral', args, Anything, { lane: channel })
        if (answer.ok || answer.problem.kind !== 'refused') return
        // Where Clew is not, only a direct message reaches anybody.
        const opened = await api.call(workspace, 'conversations.open', { users: user }, Opened)
        if (!opened.ok) return
        const { id } = opened.value.channel
        await api.call(workspace, 'chat.postMessage', { channel: id, ...post }, Anything, { lane: id })
      } catch (error) {
        log.warn({ err: error }, 'a private line could not be said')
      }
    },
  }
}
