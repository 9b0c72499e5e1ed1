import type { AppendFile } from './append-file.ts'
import { type Counts, takeCensus, writeCounts } from './counts.ts'
import type { Engine } from './engine.ts'
import { messageOf } from './errors.ts'
import type { StoreFolder } from './folder.ts'
import type { Census } from './host.ts'
import type { LocalConnection } from './sockets.ts'

const EVERY_MILLISECONDS = 1000

export type Recorder = ReturnType<typeof createRecorder>

/**
 * Keeps the record of what is known to be on the disk.
 *
 * Contract: a record never says more than the disk has confirmed, so that no start complains after
 * a kill at any point. If the record cannot be written, that is logged and retried; work goes on.
 *
 * @param known the record that the folder holds.
 */
export function createRecorder(parts: {
  engine: Engine
  local: LocalConnection
  folder: StoreFolder
  appendFile: AppendFile
  known: Counts | null
  census: Census
  log: (line: string) => void
}) {
  const { engine, local, folder, appendFile, census, log } = parts
  let known = parts.known
  let writing: Promise<void> | null = null
  let next = 0

  async function write(counts: Counts) {
    try {
      await writeCounts(folder.path, counts, census)
      known = counts
    } catch (thrown) {
      log(`The record of counts could not be written: ${messageOf(thrown)}`)
    } finally {
      writing = null
    }
  }

  /** Counts and syncs with nothing in between, so that the sync covers what was counted. */
  function take(sequence: number): Counts {
    const rows = takeCensus(engine, local, census)
    appendFile.sync()
    return { sequence, bytes: appendFile.synced(), rows }
  }

  return {
    /**
     * Writes the record at most once a second, and only if something was synced. Called between two
     * steps of the engine.
     */
    tick() {
      if (writing !== null || performance.now() < next) return
      next = performance.now() + EVERY_MILLISECONDS
      const sequence = folder.sequence()
      if (known?.sequence === sequence && known.bytes === appendFile.synced()) return
      writing = write(take(sequence))
    },
    /** Syncs the append-only file and writes its record. */
    async settle() {
      await writing
      await write(take(folder.sequence()))
    },
  }
}
