import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { connect, logsOf, startStore, temporaryFolder, withStore } from './support.ts'

describe('compaction', () => {
  const binary = Buffer.from([0, 255, 13, 10])

  async function fill(client: Redis): Promise<void> {
    await client.hset('hash', { one: '1', two: '2' })
    await client.zadd('sorted', '1.5', 'a', '2.5', 'b')
    await client.rpush('list', 'x', 'y')
    await client.set('expiring', 'soon', 'PX', 3_600_000)
    await client.set('binary', binary)
    await client.xadd('stream', '1-1', 'field', 'value')
    await client.xgroup('CREATE', 'stream', 'group', '0')
    await client.xreadgroup('GROUP', 'group', 'me', 'STREAMS', 'stream', '>')
    for (let turn = 0; turn < 300; turn++) await client.incr('counter')
  }

  async function checkFilled(client: Redis): Promise<void> {
    expect(await client.get('counter')).toBe('300')
    expect(await client.hgetall('hash')).toEqual({ one: '1', two: '2' })
    expect(await client.zmscore('sorted', 'a', 'b')).toEqual(['1.5', '2.5'])
    expect(await client.lrange('list', 0, -1)).toEqual(['x', 'y'])
    expect(await client.pttl('expiring')).toBeGreaterThan(3_000_000)
    expect(await client.getBuffer('binary')).toEqual(binary)
    expect(await client.xpending('stream', 'group')).toEqual([1, '1-1', '1-1', [['me', '1']]])
    expect(await client.dbsize()).toBe(7)
  }

  it('keeps everything at a start, and leaves only the new files', async () => {
    const dataDir = await temporaryFolder()
    await withStore({ dataDir }, fill)
    const lines: string[] = []
    await withStore({ dataDir, compactAtBytes: 4000, log: (line) => lines.push(line) }, checkFilled)
    expect(lines.join()).toMatch(/Compacted \d+ bytes/)
    await withStore({ dataDir }, checkFilled)
    expect((await readdir(logsOf(dataDir))).sort()).toEqual([
      'appendonly.aof.2.base.rdb',
      'appendonly.aof.2.incr.aof',
      'appendonly.aof.manifest',
    ])
    expect(await readdir(join(dataDir, 'valkey'))).toEqual([
      'appendonlydir',
      'counts',
      'valkey.conf',
    ])
  })

  it('runs while clients stay connected, write and wait', async () => {
    const dataDir = await temporaryFolder()
    const lines: string[] = []
    const store = await startStore({
      dataDir,
      compactAtBytes: 50_000,
      log: (line) => lines.push(line),
    })
    const [writer, waiter] = [connect(store.url), connect(store.url)]
    await waiter.ping()
    const popped = waiter.blpop('queue', 0)
    await fill(writer)
    let written = 0
    while (lines.length < 3) {
      await writer.multi().incr('one').incr('two').exec()
      written++
    }
    await writer.rpush('queue', 'woken')
    expect(await popped).toEqual(['queue', 'woken'])
    await writer.del('one')
    await store.stop()
    expect(lines.every((line) => line.startsWith('Compacted'))).toBe(true)
    await withStore({ dataDir }, async (client) => {
      expect(Number(await client.getdel('two'))).toBe(written)
      await checkFilled(client)
    })
  })

  it('leaves a loadable folder wherever it is interrupted', async () => {
    const source = await temporaryFolder()
    await withStore({ dataDir: source }, async (client) => {
      await fill(client)
      await client.save() // what a compaction starts with
    })
    const manifest = 'appendonly.aof.manifest'
    const base = 'appendonly.aof.2.base.rdb'
    const next = 'appendonly.aof.2.incr.aof'
    const listed = `file ${base} seq 2 type b\nfile ${next} seq 2 type i\n`
    const snapshot = await readFile(join(source, 'valkey', 'dump.rdb'))
    /** Each state is what the one before it left, and one thing more. */
    const interruptions: [
      name: string,
      state: (folder: string, logs: string) => Promise<unknown>,
    ][] = [
      [
        'half a snapshot',
        (folder) => writeFile(join(folder, 'temp-42.rdb'), snapshot.subarray(0, 50)),
      ],
      ['a snapshot', (folder) => writeFile(join(folder, 'dump.rdb'), snapshot)],
      ['the new base', (_folder, logs) => writeFile(join(logs, base), snapshot)],
      ['the new increment', (_folder, logs) => writeFile(join(logs, next), '')],
      [
        'half a manifest',
        (_folder, logs) => writeFile(join(logs, `temp-${manifest}`), listed.slice(0, 20)),
      ],
      ['a manifest', (_folder, logs) => writeFile(join(logs, `temp-${manifest}`), listed)],
      ['the manifest in place', (_folder, logs) => writeFile(join(logs, manifest), listed)],
    ]
    for (let count = 1; count <= interruptions.length; count++) {
      const dataDir = await temporaryFolder()
      const folder = join(dataDir, 'valkey')
      await cp(join(source, 'valkey'), folder, { recursive: true })
      for (const [, state] of interruptions.slice(0, count)) await state(folder, logsOf(dataDir))
      await withStore({ dataDir }, checkFilled)
      const left = await readdir(logsOf(dataDir))
      expect(left, interruptions[count - 1]?.[0]).toHaveLength(3)
      expect(await readdir(folder)).toEqual(['appendonlydir', 'counts', 'valkey.conf'])
    }
  })
})
