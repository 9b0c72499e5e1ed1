import type { AppendFile } from './append-file.ts'
import type { Engine } from './engine.ts'
import type { StoreFolder } from './folder.ts'
import type { LocalConnection } from './sockets.ts'

const MOST_ATTEMPTS = 5

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
export function compact(parts: {
  engine: Engine
  local: LocalConnection
  folder: StoreFolder
  appendFile: AppendFile
}): boolean {
  const { engine, local, folder, appendFile } = parts
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
