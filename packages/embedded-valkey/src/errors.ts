import { existsSync, statfsSync } from 'node:fs'

/**
 * Reason why the embedded store refused or ended. Callers branch on the code; the message says what
 * a person can do.
 *
 * - `locked`: another process owns the data folder.
 * - `unusable`: the data folder cannot be created, written or locked.
 * - `wrong_engine`: the WebAssembly file is not the one that was tested.
 * - `incomplete`: less is there than was once known to be on the disk, and nobody has accepted
 * that.
 * - `corrupt`: the stored data is damaged at a place that no crash of ours explains.
 * - `not_durable`: the append-only file is not on, so an acknowledged write could be lost.
 * - `write_failed`: the append-only file could not be written or synced (mostly a full disk).
 * - `crashed`: the engine ended by itself.
 */
export type EmbeddedStoreErrorCode =
  | 'locked'
  | 'unusable'
  | 'wrong_engine'
  | 'incomplete'
  | 'corrupt'
  | 'not_durable'
  | 'write_failed'
  | 'crashed'

export class EmbeddedStoreError extends Error {
  override readonly name = 'EmbeddedStoreError'
  readonly code: EmbeddedStoreErrorCode

  constructor(code: EmbeddedStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/**
 * Free bytes below which a failed start is blamed on the full disk, whatever the engine reports.
 */
const fullBelow = 64 << 10

/** Returns an error about the full disk if the disk is full, and else what was thrown. */
export function orFullDisk(dataDir: string, thrown: unknown): unknown {
  if (thrown instanceof EmbeddedStoreError && thrown.code === 'locked') return thrown
  if (!existsSync(dataDir)) return thrown
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize >= fullBelow) return thrown
  return new EmbeddedStoreError(
    'write_failed',
    `The disk that holds ${dataDir} is full. Nothing acknowledged is lost. Make room on it, then start again.`,
    { cause: thrown },
  )
}
