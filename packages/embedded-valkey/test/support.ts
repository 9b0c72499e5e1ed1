import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { type EmbeddedStore, type EmbeddedStoreOptions, startEmbeddedStore } from '../index.ts'
import { census, names } from './acme.ts'

export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'embedded-valkey-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

export async function startStore(
  options: Pick<EmbeddedStoreOptions, 'dataDir'> & Partial<EmbeddedStoreOptions>,
): Promise<EmbeddedStore> {
  const store = await startEmbeddedStore({ log: () => undefined, names, census, ...options })
  onTestFinished(() => store.stop())
  return store
}

/** A client that neither reconnects nor sends anything twice. */
export function connect(url: string): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => null })
  client.on('error', () => undefined) // what fails shows in the commands
  onTestFinished(() => client.disconnect())
  return client
}

export interface StoreProcess {
  child: ChildProcess
  /** First line that it printed: the url, or the code of the error that it met. */
  said: string
  exited: Promise<unknown>
}

/**
 * Runs the store in a process of its own. `wrapper` is a shell command that starts it, like
 * `ulimit -f 100`.
 */
export async function spawnStore(
  dataDir: string,
  options: { compactAtBytes?: number; wrapper?: string } = {},
): Promise<StoreProcess> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url))
  const shell = `${options.wrapper ?? ':'}; exec "$@"`
  const words = [process.execPath, script, dataDir, String(options.compactAtBytes ?? '')]
  const child = spawn('/bin/sh', ['-c', shell, 'sh', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const [printed] = await once(child.stdout, 'data')
  return { child, said: String(printed).trim(), exited }
}

export const logsOf = (dataDir: string): string => join(dataDir, 'valkey', 'appendonlydir')
export const incrementOf = (dataDir: string, sequence = 1): string =>
  join(logsOf(dataDir), `appendonly.aof.${sequence}.incr.aof`)

/** Runs a store for as long as the work takes. */
export async function withStore<T>(
  options: Parameters<typeof startStore>[0],
  work: (client: Redis) => Promise<T>,
): Promise<T> {
  const store = await startStore(options)
  const client = connect(store.url)
  try {
    return await work(client)
  } finally {
    client.disconnect()
    await store.stop()
  }
}
