import { randomBytes } from 'node:crypto'
import { getCompileCacheDir } from 'node:module'
import { extname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  EmbeddedStoreError,
  type EmbeddedStoreErrorCode,
  messageOf,
  orFullDisk,
} from './src/errors.ts'
import type { Census, Names } from './src/host.ts'
import { lockDataDir } from './src/lock.ts'

export { EmbeddedStoreError, type EmbeddedStoreErrorCode } from './src/errors.ts'
export { giveMemoryBack } from './src/heap.ts'
export type { Census, Names } from './src/host.ts'
export { lockDataDir } from './src/lock.ts'

const COMPACT_AT_BYTES = 64 << 20
const GUARANTEE =
  'a killed process loses nothing that was acknowledged, a power failure at most about the last second'
const STRICT_GUARANTEE =
  'neither a killed process nor a power failure loses anything that was acknowledged'

/** A Valkey that runs inside this process. */
export type EmbeddedStore = Awaited<ReturnType<typeof startEmbeddedStore>>

export interface EmbeddedStoreOptions {
  /** Created when it is missing; must be on a local disk. */
  dataDir: string
  log: (line: string) => void
  names: Names
  census: Census
  /** Size of the append-only file, in bytes, at which a snapshot replaces it. */
  compactAtBytes?: number
  /**
   * Syncs every write to the disk before it is acknowledged, so that a power failure loses nothing
   * either.
   * WAITAOF does not give that: Valkey 9.1.1 with `everysec` confirms before it has synced.
   */
  strict?: boolean
  /**
   * Starts although data is missing that was once known to be on the disk. The damaged files are
   * kept beside.
   */
  acceptLoss?: boolean
  /** Stops the store, even while it starts. */
  signal?: AbortSignal
  /**
   * Called when the store has ended by itself: nothing can be read or written any more. By default
   * the error is thrown outside any call, which ends the process. After a restart everything that
   * was acknowledged is there.
   */
  onFailure?: (error: EmbeddedStoreError) => void
}

/**
 * Starts a real Valkey (WebAssembly, in a worker thread) on a free loopback port. It has a random
 * password, and an append-only file in the data folder.
 *
 * Contract: resolves when clients can connect. At most one store runs on a data folder. A write is
 * in the file before it is acknowledged, so a killed process loses nothing. The file is synced
 * every second (unless `strict`), so a power failure can lose about the last second. Transactions
 * and scripts are stored whole or not at all. The thread starts within this call, so that it works
 * while the caller's thread is busy.
 *
 * @throws EmbeddedStoreError
 */
export async function startEmbeddedStore(options: EmbeddedStoreOptions) {
  options.signal?.throwIfAborted()
  const dataDir = resolve(options.dataDir)
  const lock = lockDataDir(dataDir, { names: options.names })
  const password = randomBytes(24).toString('base64url')
  const { compactAtBytes = COMPACT_AT_BYTES, strict = false, acceptLoss = false } = options
  const { names, census } = options
  const path = resolve(dataDir, 'valkey')
  const thread = startThread(
    { path, password, compactAtBytes, strict, acceptLoss, names, census },
    options,
  )

  /** Syncs everything to the disk, ends the store and unlocks the data folder. Idempotent. */
  async function stop() {
    await thread.stop()
    lock.release()
  }

  try {
    const { port, notes } = await thread.ready
    options.signal?.throwIfAborted()
    options.signal?.addEventListener('abort', () => void stop(), { once: true })
    return {
      /** Address for any Redis client on this machine. */
      url: `redis://:${password}@127.0.0.1:${port}`,
      /** Name of this worker, the same after every restart on this data folder. */
      workerId: lock.workerId,
      /** Notes for people about what the start found, missing data above all. */
      notes,
      /** Returns one line that names the store and what it guarantees. */
      describe: () => `Embedded Valkey 9 in ${dataDir}: ${strict ? STRICT_GUARANTEE : GUARANTEE}.`,
      stop,
    }
  } catch (thrown) {
    await stop()
    throw orFullDisk(dataDir, thrown)
  }
}

/** Settings that the store's thread is started with. */
export interface WorkerSettings
  extends Required<
    Pick<EmbeddedStoreOptions, 'compactAtBytes' | 'strict' | 'acceptLoss' | 'names' | 'census'>
  > {
  path: string
  password: string
}

type Ready = { kind: 'ready'; port: number; notes: readonly string[] }

/** Message from the store's thread. The thread itself receives only one: to stop. */
export type WorkerMessage =
  | Ready
  | { kind: 'log'; line: string }
  | { kind: 'failed'; code: EmbeddedStoreErrorCode; message: string }

function startThread(workerData: WorkerSettings, options: EmbeddedStoreOptions) {
  const worker = new Worker(new URL(`./src/worker${extname(import.meta.url)}`, import.meta.url), {
    name: 'valkey',
    workerData,
    env: compileCache(),
    execArgv: ['--disable-warning=ExperimentalWarning'], // Node calls WASI experimental
  })
  const exited = new Promise<void>((done) => worker.once('exit', () => done()))
  const ready = Promise.withResolvers<Ready>()
  let state: 'starting' | 'running' | 'ended' = 'starting'

  function fail(error: EmbeddedStoreError) {
    const before = state
    state = 'ended'
    void worker.terminate()
    if (before === 'starting') ready.reject(error)
    if (before === 'running') (options.onFailure ?? throwOutside)(error)
    if (before === 'ended') options.log(error.message)
  }

  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'log') options.log(message.line)
    if (message.kind === 'failed') fail(new EmbeddedStoreError(message.code, message.message))
    if (message.kind !== 'ready' || state !== 'starting') return
    state = 'running'
    ready.resolve(message)
  })
  worker.on('error', (error) =>
    fail(new EmbeddedStoreError('crashed', `The embedded Valkey ended: ${messageOf(error)}`)),
  )
  worker.on('exit', () => {
    if (state !== 'ended')
      fail(new EmbeddedStoreError('crashed', 'The embedded Valkey ended without a word.'))
  })

  return {
    /** Rejects with an EmbeddedStoreError if the store does not start. */
    ready: ready.promise,
    async stop() {
      if (state !== 'ended') worker.postMessage('stop')
      state = 'ended'
      await exited
    },
  }
}

/**
 * Passes the process's compile cache on to the thread, which saves 20 MB of type stripping. The
 * thread needs no other variable.
 */
function compileCache(): Record<string, string> {
  const path = getCompileCacheDir()
  return path === undefined ? {} : { NODE_COMPILE_CACHE: path }
}

/** Ends the process, unless it handles uncaught exceptions. */
function throwOutside(error: EmbeddedStoreError) {
  setImmediate(() => {
    throw error
  })
}
