import { closeSync, fdatasyncSync, fstatSync, openSync, writevSync } from 'node:fs'
import { EmbeddedStoreError, messageOf } from './errors.ts'

/** The increment file to which acknowledged writes go. */
export type AppendFile = ReturnType<typeof createAppendFile>

/**
 * Writes the append-only file in the engine's place.
 *
 * This gains two things. A failed write or sync (mostly a full disk) throws through the engine
 * before it answers the client; Valkey with `everysec` would acknowledge that first write. And
 * compaction can switch to a new file while the engine runs.
 *
 * Contract: every failure throws EmbeddedStoreError `write_failed`, and the engine must not take
 * another step.
 */
export function createAppendFile() {
  let handle: number | undefined
  let size = 0
  let synced = 0

  function attempt<T>(action: (opened: number) => T) {
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
    /** Switches to this file, from the next write on. */
    open(file: string) {
      const next = openSync(file, 'a', 0o600)
      if (handle !== undefined) closeSync(handle)
      handle = next
      size = fstatSync(next).size
      synced = 0
    },
    isOpen: () => handle !== undefined,
    /**
     * Returns the number of bytes written. The engine retries with the rest, which throws if the
     * disk is full.
     */
    write: (parts: readonly Uint8Array[]) =>
      attempt((opened) => {
        const written = writevSync(opened, parts)
        size += written
        return written
      }),
    sync: () =>
      attempt((opened) => {
        fdatasyncSync(opened)
        synced = fstatSync(opened).size
      }),
    /** Size of the file, in bytes. */
    size: () => size,
    /** Number of its bytes that are known to be on the disk. */
    synced: () => synced,
  }
}
