import { closeSync, fdatasyncSync, fstatSync, openSync, writevSync } from 'node:fs'
import { EmbeddedStoreError, messageOf } from './errors.ts'

/** The increment that acknowledged writes go to. */
export type AppendFile = ReturnType<typeof createAppendFile>

/**
 * Writes the append-only file in the engine's place.
 *
 * Two things are gained. A write or sync that fails (a full disk, most often) throws right through the engine before it
 * answers the client, where Valkey with `everysec` acknowledges that first write all the same. And compaction can go on in
 * a new file while the engine runs.
 *
 * Contract: whatever fails throws EmbeddedStoreError `write_failed`, and the engine must not take another step.
 */
export function createAppendFile() {
  let handle: number | undefined
  let size = 0
  let synced = 0

  function attempt<T>(action: (opened: number) => T): T {
    try {
      if (handle === undefined) throw new Error('it is not open')
      return action(handle)
    } catch (thrown) {
      throw new EmbeddedStoreError(
        'write_failed',
        `The append-only file could not be written: ${messageOf(thrown)}. Nothing acknowledged is lost. Make room on the disk, then start again.`,
        { cause: thrown },
      )
    }
  }

  return {
    /** Goes on in this file, from the next write on. */
    open(file: string): void {
      const next = openSync(file, 'a', 0o600)
      if (handle !== undefined) closeSync(handle)
      handle = next
      size = fstatSync(next).size
      synced = 0
    },
    isOpen: () => handle !== undefined,
    /** Returns how many bytes found room; the engine comes again with the rest, and a disk that is full then throws. */
    write: (parts: readonly Uint8Array[]): number =>
      attempt((opened) => {
        const written = writevSync(opened, parts)
        size += written
        return written
      }),
    sync: (): void =>
      attempt((opened) => {
        fdatasyncSync(opened)
        synced = fstatSync(opened).size
      }),
    /** Bytes in the file. */
    size: () => size,
    /** How many of them are known to be on the disk. */
    synced: () => synced,
  }
}
