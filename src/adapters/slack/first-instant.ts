import type { Notes } from '../../agent/ports/notes.ts'

/**
 * Note of a workspace's start in this store. Stores of older versions have none and count as old.
 */
const begunKey = 'begun'
/** Note of the instant up to which all messages are stored, as far as Slack sent them. */
export const aliveKey = 'alive'

/**
 * Returns a workspace's start, and stores `now` if there is none. Earlier messages were not for
 * Clew (C440).
 */
export async function firstInstant(
  notes: Pick<Notes, 'get' | 'claim'>,
  { workspace, alive, now }: { workspace: string; alive: number | null; now: number },
): Promise<number> {
  const kept = Number(await notes.get(workspace, begunKey))
  if (kept > 0 || alive !== null) return kept
  await notes.claim(workspace, begunKey, null, String(now))
  return Number(await notes.get(workspace, begunKey))
}

/** True if Slack delivers a message again that is older than the workspace's start (C440). */
export async function isFromBefore(
  { notes, now }: { notes: Pick<Notes, 'get' | 'claim'>; now: number },
  { workspace, isAgain = false }: { workspace: string; isAgain?: boolean | undefined },
  at: number,
): Promise<boolean> {
  if (!isAgain) return false
  const alive = Number(await notes.get(workspace, aliveKey)) || null
  return at < (await firstInstant(notes, { workspace, alive, now }))
}
