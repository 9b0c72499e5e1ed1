import { mkdtemp, readFile, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { lockDataDir, startEmbeddedStore } from '../../src/store/embedded.ts'
import { keysOf, workspacesKey } from '../../src/store/redis/keys.ts'

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'clew-embedded-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

it('counts what is missing by the keys of the store, and names the settings of Clew (P21)', async () => {
  const dataDir = await temporaryFolder()
  const store = await startEmbeddedStore({ dataDir, log: () => undefined })
  const client = new Redis(store.url, { retryStrategy: () => null })
  const keys = keysOf('web:local')
  await client.sadd(workspacesKey, 'web:local')
  await client.zadd(keys.conversations, 1, 'c1', 2, 'c2')
  await client.zadd(keys.runs, 1, 'r1')
  client.disconnect()
  await store.stop()
  const record = await readFile(join(dataDir, 'valkey/counts'), 'utf8')
  expect(record).toMatch(/^version 1, sequence 1, bytes \d+, conversations 2, runs 1\n/)
  await truncate(join(dataDir, 'valkey/appendonlydir/appendonly.aof.1.incr.aof'), 0)
  await expect(startEmbeddedStore({ dataDir, log: () => undefined })).rejects.toThrow(
    /there were 2 conversations and 1 tasks on the disk, now there are 0 conversations.*CLEW_ACCEPT_LOSS=1/,
  )
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(/set DATA_DIR to another folder, or set REDIS_URL/)
  lock.release()
})
