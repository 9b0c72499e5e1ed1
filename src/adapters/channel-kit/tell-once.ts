import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

/** What a courtesy came to, as far as it matters: `later` is one that was certainly not shown. */
export type Told = { kind: 'sent' } | NotSent

/**
 * Courtesies that belong to no conversation: a greeting, why something was not taken. Each is shown once for a key, by the one of
 * all processes that claims it (C165); one that was certainly not shown may be shown the next time. Never throws.
 */
export function createOnce({ notes, log }: { notes: Pick<Notes, 'claim' | 'drop'>; log: Log }) {
  return async (
    { workspace, key, keptMs }: { workspace: string; key: string; keptMs: number | null },
    tell: () => Promise<Told>,
  ): Promise<void> => {
    try {
      if (!(await notes.claim(workspace, key, keptMs))) return
      const told = await tell()
      if (told.kind === 'later') await notes.drop(workspace, key)
    } catch (error) {
      log.warn({ err: error, key }, 'somebody could not be told')
    }
  }
}
export type Once = ReturnType<typeof createOnce>
