import type { Counts } from './counts.ts'
import { EmbeddedStoreError } from './errors.ts'
import { type Census, inWords } from './host.ts'

/** Data that is missing although it was once known to be on the disk. */
export interface Loss {
  /** Counts from the record. */
  known: Counts
  /** Time of the record. */
  at: Date
  /** Bytes of the same append-only file that are whole now. */
  bytes: number
  /** Folder in which the damaged files are kept. */
  aside: string
}

/**
 * Number of bytes left of those known to be on the disk, or null if nothing is missing.
 *
 * A torn end after kill -9 is no loss: only bytes that the disk had confirmed are counted. Nor is
 * an append-only file later than the known one: a compaction has put the known one into its
 * snapshot, which has a checksum.
 *
 * @param sequence number of the folder's append-only file; 0 if there is none.
 * @param whole number of its bytes that are whole.
 */
export function bytesLeft(known: Counts, sequence: number, whole: number): number | null {
  const nothingWasWritten = known.sequence <= 1 && known.bytes === 0
  if (nothingWasWritten || sequence > known.sequence) return null
  const left = sequence === known.sequence ? whole : 0
  return sequence === known.sequence && left >= known.bytes ? null : left
}

function whatIsMissing(loss: Loss, found: readonly number[], census: Census): string {
  const { known, at, bytes, aside } = loss
  const latest = (found[0] ?? 0) > 0 ? ', without what happened in them last' : ''
  const log = `${bytes} of ${known.bytes} bytes of append-only file ${known.sequence}`
  return `Data is missing: at ${at.toISOString()} there were ${inWords(known.rows, census)} on the disk, now there are ${inWords(found, census)}${latest} (${log}). The damaged files are kept in ${aside}.`
}

/** Error for a start that is refused because nobody has accepted the loss. */
export function refusal(loss: Loss, found: readonly number[], census: Census): EmbeddedStoreError {
  return new EmbeddedStoreError(
    'incomplete',
    `${whatIsMissing(loss, found, census)} Restore the data folder from a backup; or set {acceptLoss} to go on with what is there.`,
  )
}

/** Note for a start that goes on because the loss is accepted. */
export function acceptance(loss: Loss, found: readonly number[], census: Census): string {
  return `${whatIsMissing(loss, found, census)} {program} goes on with what is there, because {acceptLoss} is set; take it out again, so that the next loss is asked about too.`
}
