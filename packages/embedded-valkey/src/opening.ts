import { join } from 'node:path'
import { readCounts, writtenAt } from './counts.ts'
import { EmbeddedStoreError, messageOf } from './errors.ts'
import { openStoreFolder, type StoreFolder } from './folder.ts'
import type { Census } from './host.ts'
import { bytesLeft } from './loss.ts'
import { cutLog, damagedLog, measureLog } from './repair.ts'

/** A folder that the engine can load, with what was found in it. */
export type Opened = ReturnType<typeof openFolder>

/**
 * Prepares the store's folder for loading: copies damaged files before anything is changed, and
 * cuts torn ends.
 *
 * @throws EmbeddedStoreError `corrupt` when files are missing or damaged in their middle and nobody
 * has accepted that.
 */
export function openFolder(
  settings: { path: string; acceptLoss: boolean; census: Census },
  log: (line: string) => void,
) {
  const { path, acceptLoss, census } = settings
  const folder = openStoreFolder(path)
  const record = readCounts(path, census)
  const known = record === 'unreadable' ? null : record
  const sequence = folder.sequence()
  const increment = folder.increment()
  const extent =
    increment === undefined ? { size: 0, whole: 0, damagedAt: null } : measureLog(increment)
  const damaged = increment !== undefined && extent.damagedAt !== null
  if (damaged && !acceptLoss) throw damagedLog(increment, extent.damagedAt ?? 0)

  const bytes = known && bytesLeft(known, sequence, extent.whole)
  const name = `damaged-${known?.sequence ?? sequence}-${known?.bytes ?? extent.size}`
  const aside = damaged || bytes !== null ? keepCopy(folder, name) : ''
  folder.sweep()
  const cut = increment === undefined ? 0 : cutLog(increment, extent, join(path, 'torn-tail'))
  if (cut > 0) log(`Cut ${cut} bytes of an unfinished, never acknowledged write off ${increment}`)
  return {
    folder,
    /** Record that lies beside the append-only file. */
    known,
    loss: known === null || bytes === null ? null : { known, at: writtenAt(path), bytes, aside },
    /** Notes for people, shown at the start. */
    notes: [
      record === 'unreadable' ? UNREADABLE : null,
      damaged ? cutNote(cut, aside) : null,
    ].filter((note) => note !== null),
  }
}

const UNREADABLE =
  'The record of counts beside the append-only file could not be read, so {program} cannot tell whether data is missing. It writes a new one.'

const cutNote = (cut: number, aside: string) =>
  `The append-only file was damaged in its middle: ${cut} bytes from there on are not used, because {acceptLoss} is set. The damaged files are kept in ${aside}.`

/**
 * Copies the files.
 *
 * @param name derived from the record, so that repeated starts keep one copy.
 */
function keepCopy(folder: StoreFolder, name: string): string {
  try {
    return folder.keepCopy(name)
  } catch (thrown) {
    throw new EmbeddedStoreError(
      'unusable',
      `Data is missing in ${folder.path}, and the damaged files could not be copied: ${messageOf(thrown)}. Make room on the disk, then start again.`,
      { cause: thrown },
    )
  }
}
