import type { Session } from './session.ts'

/**
 * Least time between two lines of a call, and between two looks whether anybody sees them, in ms.
 */
const [everyMs, lookMs] = [3_000, 30_000]

/**
 * Shows how far a call is, in its task's progress (C922).
 *
 * Contract: of many lines the newest is written, at most every 3 s, and none while nobody looks;
 * `end` resolves when nothing more is written.
 */
export function createCallProgress(session: Session) {
  const over = new AbortController()
  let newest: string | null = null
  let writing: Promise<void> | null = null

  async function write() {
    while (newest !== null && !over.signal.aborted) {
      if (session.isUnseen) await session.commit({ progress: session.run.id })
      if (!session.isUnseen) {
        const said = newest
        newest = null
        await show(session, said)
      }
      await session.deps.clock.sleep(session.isUnseen ? lookMs : everyMs, over.signal)
    }
    writing = null
  }

  return {
    say(line: string) {
      newest = line
      writing ??= write().catch((error: unknown) =>
        session.deps.log.debug({ run: session.run.id, err: error }, 'progress not written'),
      )
    },
    async end() {
      over.abort(null)
      await writing
    },
  }
}

/** The line stands in the call's row until its result does. */
async function show(session: Session, said: string) {
  const { run, task: before } = session
  if (before === null || before.intent === null) return
  const after = { ...before, intent: { ...before.intent, said } }
  await session.commit({ task: { before, after }, progress: run.id })
}
