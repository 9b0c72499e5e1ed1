import type { AppendFile } from './append-file.ts'
import type { Engine } from './engine.ts'
import type { StoreFolder } from './folder.ts'
import type { LocalConnection } from './sockets.ts'

const MOST_ATTEMPTS = 5
/** At a start nobody waits for the compaction, and it makes the next start faster. */
const EARLIER_AT_START = 4

interface Parts {
  engine: Engine
  local: LocalConnection
  folder: StoreFolder
  appendFile: AppendFile
}

interface Settings {
  compactAtBytes: number
  /** Milliseconds, from any start. */
  now: () => number
  log: (line: string) => void
}

/** Compacts where it is due now; answers what is to be called between steps of the engine, to do so later on. */
export function createCompactor(parts: Parts & Settings): () => void {
  const { folder, appendFile, compactAtBytes, now, log } = parts
  const limit = (): number => Math.max(compactAtBytes, folder.baseBytes())
  let compactAt = limit() / EARLIER_AT_START

  function compactIfDue(): void {
    const before = appendFile.size()
    if (before < compactAt) return
    const started = now()
    const done = compact(parts)
    compactAt = done ? limit() : before + limit() / EARLIER_AT_START
    const milliseconds = Math.round(now() - started)
    log(
      `${done ? 'Compacted' : 'Could not compact'} ${before} bytes of append-only file in ${milliseconds} ms`,
    )
  }

  compactIfDue()
  compactAt = Math.max(compactAt, limit())
  return compactIfDue
}

/**
 * Replaces the append-only file by a snapshot and an empty file, while the engine runs and clients stay connected.
 *
 * Valkey's own way needs `fork`. Here every client waits while SAVE writes the snapshot (about 10 ms per MB of data),
 * and the host then goes on appending in a new file.
 *
 * What makes it safe: the snapshot must hold exactly what the file holds. All of this is one synchronous piece, so nothing
 * arrives from clients meanwhile. What the engine does by itself (a key expires, a blocked client's time is up) may still
 * be appended during the SAVE; then the snapshot is taken again.
 *
 * @returns whether it was done; `false` leaves everything as it was.
 */
function compact({ engine, local, folder, appendFile }: Parts): boolean {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    engine.pump()
    const before = appendFile.size()
    if (engine.command(local, 'SAVE') !== '+OK\r\n') break
    if (appendFile.size() !== before) continue
    appendFile.open(folder.installSnapshot())
    return true
  }
  folder.sweep()
  return false
}
