import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { NotSent } from './send-outcomes.ts'

/** Outcome of a courtesy message. `later`: it was certainly not shown. */
export type CourtesyOutcome = { kind: 'sent' } | NotSent

/**
 * Sends courtesy messages that belong to no conversation, such as a greeting or a reason for a
 * refusal. Each is shown once per key, by the process that claims it (C165). A message that was
 * certainly not shown may be shown next time. Never throws.
 */
export function createOnce({ notes, log }: { notes: Pick<Notes, 'claim' | 'drop'>; log: Log }) {
  return async (
    { workspace, key, keptMs }: { workspace: string; key: string; keptMs: number | null },
    tell: () => Promise<CourtesyOutcome>,
  ): Promise<void> => {
    try {
      if (!(await notes.claim(workspace, key, keptMs))) return
      const told = await tell()
      if (told.kind === 'later') await notes.drop(workspace, key)
    } catch (error) {
      log.warn({ err: error, key }, 'private notice not sent')
    }
  }
}
export type Once = ReturnType<typeof createOnce>
