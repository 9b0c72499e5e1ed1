import { join } from 'node:path'
import type { Log } from '../agent/ports/log.ts'
import type { Config } from '../config.ts'
import { lockDataDir } from '../store/embedded/lock.ts'
import { startEmbeddedStore } from '../store/embedded.ts'

/** The server that holds every row, and the name under which this process works on them. */
export interface Storage {
  readonly url: string
  readonly workerId: string
  /** Whether it is a server of the operator's, not our own. */
  readonly external: boolean
  /** For the start: which store this is, what it guarantees, and what was found. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/** The Redis at REDIS_URL; without one, our own Valkey in DATA_DIR. Throws where another process has the folder. */
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
      ...(onStoreFailure === undefined ? {} : { onFailure: onStoreFailure }),
    })
    return {
      url: embedded.url,
      workerId: embedded.workerId,
      external: false,
      lines: [embedded.describe(), ...embedded.notes],
      stop: () => embedded.stop(),
    }
  }
  // The folder's owner has a name that outlives it, so that a restart takes back at once what it held (P14).
  const lock = lockDataDir(join(config.DATA_DIR, 'worker'), { shared: true })
  return {
    url: config.REDIS_URL,
    workerId: lock.workerId,
    external: true,
    lines: ['Store: the Redis at REDIS_URL.'],
    stop: async () => lock.release(),
  }
}
