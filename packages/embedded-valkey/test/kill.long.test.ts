import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { connect, spawnStore, startStore, temporaryFolder } from './support.ts'

/** `STORE_KILLS=80` is the soak. */
const KILLS = Number(process.env.STORE_KILLS ?? 8)
const WRITERS = 4
const SCRIPT =
  "for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1]) end redis.call('RPUSH', 'script:all:' .. ARGV[2], ARGV[1])"

type Kind = 'single' | 'transaction' | 'script'

/** Numbers that one writer has sent, and those that it was told are done. */
interface Progress {
  kind: Kind
  writer: number
  sent: number
  acknowledged: number
}

const keysOf = ({ kind, writer }: Progress): string[] =>
  ['a', 'b', 'c'].map((part) => `${kind}:${part}:${writer}`)

/**
 * Write of a number in three places and at the end of a list: one command, one MULTI or one script.
 */
async function write(client: Redis, progress: Progress, value: number): Promise<void> {
  const keys = keysOf(progress)
  const list = `${progress.kind}:all:${progress.writer}`
  if (progress.kind === 'single') {
    await client.rpush(list, value)
  } else if (progress.kind === 'script') {
    await client.eval(SCRIPT, keys.length, ...keys, value, progress.writer)
  } else {
    const transaction = client.multi().rpush(list, value)
    for (const key of keys) transaction.set(key, `${value}`)
    await transaction.exec()
  }
}

async function writeUntilItDies(client: Redis, progress: Progress): Promise<void> {
  try {
    for (;;) {
      progress.sent++
      await write(client, progress, progress.sent)
      progress.acknowledged = progress.sent
    }
  } catch {
    // the process was killed under us
  }
}

async function check(client: Redis, progress: Progress): Promise<void> {
  const list = (await client.lrange(`${progress.kind}:all:${progress.writer}`, 0, -1)).map(Number)
  expect(list, 'whole and in order').toEqual(
    Array.from({ length: list.length }, (_, index) => index + 1),
  )
  expect(list.length, 'nothing acknowledged is lost').toBeGreaterThanOrEqual(progress.acknowledged)
  expect(list.length, 'nothing is there that was not sent').toBeLessThanOrEqual(progress.sent)
  if (progress.kind !== 'single' && list.length > 0) {
    expect(await client.mget(keysOf(progress)), 'not half there').toEqual(
      Array(3).fill(`${list.length}`),
    )
  }
  progress.sent = progress.acknowledged = list.length
}

describe('a killed process', () => {
  it(`loses nothing that was acknowledged, nor complains of a loss, in ${KILLS} kills under load and compaction (P21)`, async () => {
    const dataDir = await temporaryFolder()
    const kinds: Kind[] = ['single', 'transaction', 'script']
    const all: Progress[] = kinds.flatMap((kind) =>
      Array.from({ length: WRITERS }, (_, writer) => ({ kind, writer, sent: 0, acknowledged: 0 })),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      const store = await spawnStore(dataDir, { compactAtBytes: 100_000 })
      expect(store.said).toMatch(/^redis:/)
      const reader = connect(store.said)
      for (const progress of all) await check(reader, progress)
      const writing = all.map((progress) => writeUntilItDies(connect(store.said), progress))
      await sleep(randomInt(10, 400))
      store.child.kill('SIGKILL')
      await Promise.all([store.exited, ...writing])
    }
    const store = await startStore({ dataDir })
    expect(store.notes).toEqual([])
    const reader = connect(store.url)
    for (const progress of all) await check(reader, progress)
    expect(all.every((progress) => progress.acknowledged > 0)).toBe(true)
  })

  it('ends without a word of acknowledgement when the disk is full, and has everything after a restart', async () => {
    const dataDir = await temporaryFolder()
    const store = await spawnStore(dataDir, { wrapper: 'ulimit -f 200' })
    const progress: Progress = { kind: 'transaction', writer: 1, sent: 0, acknowledged: 0 }
    await writeUntilItDies(connect(store.said), progress)
    const [status] = [await store.exited].flat()
    expect(status).toBe(1)
    await check(connect((await startStore({ dataDir })).url), progress)
    expect(progress.acknowledged).toBeGreaterThan(100)
  })
})
