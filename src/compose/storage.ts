import { join } from 'node:path'
import type { Log } from '../agent/ports/log.ts'
import type { Config } from '../config.ts'
import { lockDataDir, startEmbeddedStore } from '../store/embedded.ts'

/** The server that holds every row, and this process's name in its leases. */
export interface Storage {
  readonly url: string
  readonly workerId: string
  /** True if it is the operator's server, not the embedded one. */
  readonly external: boolean
  /** True if other processes use it too. */
  readonly shared: boolean
  /** Lines for the start: which store this is, what it guarantees, and what was found. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/**
 * Opens the Redis at REDIS_URL, or the embedded Valkey in DATA_DIR if that is not set.
 *
 * @throws EmbeddedStoreError `locked` if another process uses the folder, among others.
 */
export async function openStorage(
  config: Config,
  { log, onStoreFailure }: { log: Log; onStoreFailure?: ((error: Error) => void) | undefined },
): Promise<Storage> {
  if (config.REDIS_URL === undefined) {
    const embedded = await startEmbeddedStore({
      dataDir: config.DATA_DIR,
      strict: config.STORE_STRICT,
      acceptLoss: config.CLEW_ACCEPT_LOSS,
      log: (line) => log.debug({}, line),
      onFailure: onStoreFailure,
    })
    return {
      url: embedded.url,
      workerId: embedded.workerId,
      external: false,
      shared: config.WORKERS !== undefined,
      lines: [embedded.describe(), ...embedded.notes],
      stop: () => embedded.stop(),
    }
  }
  // The name of the folder's owner is stable, so that a restart takes back its leases at once
  // (P14).
  const lock = lockDataDir(join(config.DATA_DIR, 'worker'), { shared: true })
  return {
    url: config.REDIS_URL,
    workerId: lock.workerId,
    external: true,
    shared: true,
    lines: ['Store: the Redis at REDIS_URL.'],
    stop: async () => lock.release(),
  }
}
