import { LRUCache } from 'lru-cache'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

/** What a courtesy came to, as far as it matters: `later` is one that was certainly not shown. */
export type Told = { kind: 'sent' } | NotSent

/**
 * Courtesies that belong to no conversation: a greeting, why something was not taken. Each is tried once for a key, as far as
 * the notes of all processes tell; one that was certainly not shown may be shown the next time. Never throws.
 */
export function createOnce({ notes, log }: { notes: Notes; log: Log }) {
  /** Two that come at once are told apart within the process. */
  const going = new LRUCache<string, true>({ max: 5_000 })
  return async (
    { workspace, key, keptMs }: { workspace: string; key: string; keptMs: number | null },
    tell: () => Promise<Told>,
  ): Promise<void> => {
    const name = `${workspace} ${key}`
    if (going.has(name)) return
    going.set(name, true)
    try {
      if ((await notes.get(workspace, key)) !== null) return
      await notes.put(workspace, key, '1', keptMs)
      const told = await tell()
      if (told.kind === 'later') await notes.drop(workspace, key)
    } catch (error) {
      log.warn({ err: error, key }, 'somebody could not be told')
    } finally {
      going.delete(name)
    }
  }
}
export type Once = ReturnType<typeof createOnce>
