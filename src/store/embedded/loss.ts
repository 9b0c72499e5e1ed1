import type { Census, Counts } from './counts.ts'
import { EmbeddedStoreError } from './errors.ts'

/** Less is there than was once known to be on the disk. */
export interface Loss {
  /** What was there. */
  known: Counts
  /** When that was. */
  at: Date
  /** How many bytes of the same append-only file are whole now. */
  bytes: number
  /** Where the damaged files are kept. */
  aside: string
}

/**
 * How many bytes are left of what was known to be there, or null when nothing is missing.
 *
 * A torn end after kill -9 is no loss: only what the disk had confirmed is counted. A later append-only file than the
 * known one is none either: a compaction has put all of it into its snapshot, which has a checksum of its own.
 *
 * @param sequence which append-only file the folder has; 0 when there is none.
 * @param whole how many bytes of it are whole.
 */
export function bytesLeft(known: Counts, sequence: number, whole: number): number | null {
  const nothingWasWritten = known.sequence <= 1 && known.bytes === 0
  if (nothingWasWritten || sequence > known.sequence) return null
  const left = sequence === known.sequence ? whole : 0
  return sequence === known.sequence && left >= known.bytes ? null : left
}

const both = ({ conversations, runs }: Census) => `${conversations} conversations and ${runs} tasks`

function whatIsMissing(loss: Loss, found: Census): string {
  const { known, at, bytes, aside } = loss
  const latest = found.conversations > 0 ? ', without what happened in them last' : ''
  const log = `${bytes} of ${known.bytes} bytes of append-only file ${known.sequence}`
  return `Data is missing: at ${at.toISOString()} there were ${both(known)} on the disk, now there are ${both(found)}${latest} (${log}). The damaged files are kept in ${aside}.`
}

/** For a start that nobody has allowed to go on. */
export function refusal(loss: Loss, found: Census): EmbeddedStoreError {
  return new EmbeddedStoreError(
    'incomplete',
    `${whatIsMissing(loss, found)} Restore the data folder from a backup; or set CLEW_ACCEPT_LOSS=1 to go on with what is there.`,
  )
}

/** For a start that goes on all the same. */
export function acceptance(loss: Loss, found: Census): string {
  return `${whatIsMissing(loss, found)} Clew goes on with what is there, because CLEW_ACCEPT_LOSS=1 is set; take it out again, so that the next loss is asked about too.`
}
