import type { AppendFile } from './append-file.ts'
import type { Engine } from './engine.ts'
import type { StoreFolder } from './folder.ts'
import type { LocalConnection } from './sockets.ts'

const MOST_ATTEMPTS = 5
/**
 * Divisor of the limit at a start: compacting then delays nobody, and makes the next start faster.
 */
const EARLIER_AT_START = 4

interface Parts {
  engine: Engine
  local: LocalConnection
  folder: StoreFolder
  appendFile: AppendFile
}

interface Settings {
  compactAtBytes: number
  /** Monotonic clock, in ms. */
  now: () => number
  log: (line: string) => void
}

/**
 * Compacts if it is due now. Returns a function that does so later, to be called between two steps
 * of the engine.
 */
export function createCompactor(parts: Parts & Settings): () => void {
  const { folder, appendFile, compactAtBytes, now, log } = parts
  const limit = () => Math.max(compactAtBytes, folder.baseBytes())
  let compactAt = limit() / EARLIER_AT_START

  function compactIfDue() {
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
 * Replaces the append-only file by a snapshot and an empty file, while the engine runs and clients
 * stay connected.
 *
 * Valkey's own way needs `fork`. Here every client waits while SAVE writes the snapshot (about 10
 * ms per MB of data); then the host appends to a new file.
 *
 * It is safe because the snapshot must hold exactly what the file holds. Everything here is one
 * synchronous piece, so nothing arrives from clients meanwhile. The engine itself may still append
 * during the SAVE (a key expires, a blocked client times out); then the snapshot is taken again.
 *
 * @returns true if it was done; `false` leaves everything as it was.
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
