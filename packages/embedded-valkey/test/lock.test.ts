import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as store from '../index.ts'
import { names } from './acme.ts'
import { spawnStore, startStore, temporaryFolder } from './support.ts'

const lockDataDir = (dataDir: string) => store.lockDataDir(dataDir, { names })

describe('the lock of a data folder', () => {
  it('refuses a second process while the first lives, and says who it is', async () => {
    const dataDir = await temporaryFolder()
    const lock = lockDataDir(dataDir)
    expect((await spawnStore(dataDir)).said).toBe('locked')
    const message = expect.stringMatching(
      new RegExp(`process ${process.pid} .*ACME_FOLDER.*ACME_SERVER`),
    )
    expect(() => lockDataDir(dataDir)).toThrow(expect.objectContaining({ code: 'locked', message }))
    lock.release()
    lock.release()
    expect((await spawnStore(dataDir)).said).toMatch(/^redis:/)
  })

  it('lets the next process in at once after kill -9', async () => {
    const dataDir = await temporaryFolder()
    const first = await spawnStore(dataDir)
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'locked' })
    first.child.kill('SIGKILL')
    await first.exited
    await startStore({ dataDir })
  })

  it('does not mistake a living process for the owner when a process id is used again', async () => {
    const dataDir = await temporaryFolder()
    lockDataDir(dataDir).release()
    await writeFile(join(dataDir, 'lock-owner'), `process ${process.ppid} on this machine\n`)
    const lock = lockDataDir(dataDir)
    expect(await readFile(join(dataDir, 'lock-owner'), 'utf8')).toContain(`process ${process.pid} `)
    lock.release()
  })

  it('gives the same worker id each time, and another one to another folder', async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()]
    const ids: string[] = []
    for (const dataDir of [one, one, other]) {
      const lock = lockDataDir(dataDir)
      ids.push(lock.workerId)
      lock.release()
    }
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('names a folder that cannot be used', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    const message = expect.stringContaining(file)
    expect(() => lockDataDir(file)).toThrow(expect.objectContaining({ code: 'unusable', message }))
  })
})
