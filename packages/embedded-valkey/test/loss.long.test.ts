import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { readCounts } from '../src/counts.ts'
import { census } from './acme.ts'
import {
  connect,
  incrementOf,
  logsOf,
  spawnStore,
  startStore,
  temporaryFolder,
  withStore,
} from './support.ts'

const folderOf = (dataDir: string) => join(dataDir, 'valkey')

async function addBooks(client: Redis, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await client.zadd('books', index, `b${index}`)
    await client.zadd('loans', index, `l${index}`)
  }
}

const booksIn = (dataDir: string, acceptLoss = false) =>
  withStore({ dataDir, acceptLoss }, (client) => client.zcard('books'))

/** A store that held 40 books when it ended. */
async function filledFolder(): Promise<string> {
  const dataDir = await temporaryFolder()
  await withStore({ dataDir }, (client) => addBooks(client, 40))
  return dataDir
}

async function halve(file: string): Promise<void> {
  await truncate(file, Math.floor((await readFile(file)).length / 2))
}

const keptCopies = async (dataDir: string) =>
  (await readdir(folderOf(dataDir))).filter((name) => /^damaged|^unloadable/.test(name))

describe('an embedded store in which data is missing (P21)', () => {
  it('says what is missing of a file cut in half, keeps it, and goes on when that is accepted', async () => {
    const dataDir = await filledFolder()
    await halve(incrementOf(dataDir))
    const cut = await readFile(incrementOf(dataDir))
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(startStore({ dataDir })).rejects.toMatchObject({
        code: 'incomplete',
        message: expect.stringMatching(
          /there were 40 books and 40 loans on the disk, now there are (19|20) books and .*ACME_ACCEPT_LOSS=1/,
        ),
      })
    }
    const [kept = '', ...more] = await keptCopies(dataDir)
    expect(more).toEqual([])
    expect(await readFile(join(folderOf(dataDir), kept, 'appendonly.aof.1.incr.aof'))).toEqual(cut)

    const store = await startStore({ dataDir, acceptLoss: true })
    expect(store.notes.join()).toMatch(/there were 40 books.*Acme goes on.*take it out again/)
    expect(await connect(store.url).zcard('books')).toBeOneOf([19, 20])
    await store.stop()
    expect((await startStore({ dataDir })).notes).toEqual([])
  })

  it('asks about a file that was emptied, and about files that are gone', async () => {
    const source = await filledFolder()
    const damages: ((dataDir: string) => Promise<unknown>)[] = [
      (dataDir) => truncate(incrementOf(dataDir), 0),
      (dataDir) => writeFile(incrementOf(dataDir), Buffer.alloc(4000)),
      (dataDir) => rm(logsOf(dataDir), { recursive: true }),
    ]
    for (const damage of damages) {
      const dataDir = await temporaryFolder()
      await cp(folderOf(source), folderOf(dataDir), { recursive: true })
      await damage(dataDir)
      await expect(startStore({ dataDir })).rejects.toMatchObject({
        code: 'incomplete',
        message: expect.stringContaining('now there are 0 books'),
      })
      expect(await booksIn(dataDir, true)).toBe(0)
      expect(await booksIn(dataDir)).toBe(0)
    }
  })

  it('asks when the snapshot of a compaction is gone, damaged or left without its manifest', async () => {
    const source = await filledFolder()
    await withStore({ dataDir: source, compactAtBytes: 1000 }, (client) => client.ping())
    const base = 'appendonly.aof.2.base.rdb'
    const damages: ((logs: string) => Promise<unknown>)[] = [
      (logs) => rm(join(logs, base)),
      (logs) => truncate(join(logs, base), 0),
      (logs) => halve(join(logs, base)),
      (logs) => rm(join(logs, 'appendonly.aof.manifest')),
    ]
    for (const damage of damages) {
      const dataDir = await temporaryFolder()
      await cp(folderOf(source), folderOf(dataDir), { recursive: true })
      await damage(logsOf(dataDir))
      const left = await readdir(logsOf(dataDir))
      await expect(startStore({ dataDir })).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringContaining('ACME_ACCEPT_LOSS=1'),
      })
      const store = await startStore({ dataDir, acceptLoss: true })
      expect(store.notes.join()).toMatch(/starts empty/)
      await store.stop()
      expect(await readdir(join(folderOf(dataDir), 'unloadable-1'))).toEqual(left)
      expect((await startStore({ dataDir })).notes).toEqual([])
    }
  })

  it('uses what was written before damage in the middle, once that is accepted', async () => {
    const dataDir = await filledFolder()
    const file = incrementOf(dataDir)
    const bytes = await readFile(file)
    const middle = Math.floor(bytes.length / 2)
    bytes.fill('x', middle, middle + 200)
    await writeFile(file, bytes)
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' })
    expect(await readFile(file)).toEqual(bytes)
    expect(await booksIn(dataDir, true)).toBeOneOf([19, 20])
    const [kept = ''] = await keptCopies(dataDir)
    expect(await readFile(join(folderOf(dataDir), kept, 'appendonly.aof.1.incr.aof'))).toEqual(
      bytes,
    )
  })

  it('notices the same after kill -9, up to what a sync had covered', async () => {
    const dataDir = await temporaryFolder()
    const { child, said, exited } = await spawnStore(dataDir)
    await addBooks(connect(said), 40)
    await vi.waitFor(
      () => expect(readCounts(folderOf(dataDir), census)).toMatchObject({ rows: [40, 40] }),
      40_000,
    )
    child.kill('SIGKILL')
    await exited
    await halve(incrementOf(dataDir))
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'incomplete' })
  })

  it('does not complain when a compaction made the file small, nor when a torn end was cut', async () => {
    const dataDir = await filledFolder()
    await withStore({ dataDir, compactAtBytes: 1000 }, async (client) => {
      await client.del('books')
      await addBooks(client, 3)
    })
    await writeFile(incrementOf(dataDir, 2), '*1\r\n$5\r\nMUL', { flag: 'a' })
    const store = await startStore({ dataDir })
    expect(store.notes).toEqual([])
    expect(await connect(store.url).zcard('books')).toBe(3)
  })

  it('says that its record is damaged, goes on and writes it anew', async () => {
    const dataDir = await filledFolder()
    const file = join(folderOf(dataDir), 'counts')
    await writeFile(file, (await readFile(file, 'utf8')).replace('books 40', 'books 41'))
    const store = await startStore({ dataDir })
    expect(store.notes).toEqual([expect.stringMatching(/record of counts .* could not be read/)])
    await store.stop()
    expect((await startStore({ dataDir })).notes).toEqual([])
  })

  it('advises against leaving the acceptance switched on', async () => {
    const dataDir = await filledFolder()
    const store = await startStore({ dataDir, acceptLoss: true })
    expect(store.notes).toEqual([expect.stringMatching(/although no data is missing/)])
  })
})
