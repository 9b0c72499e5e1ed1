import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAppendFile } from '../src/append-file.ts'
import { verifyPromises } from '../src/config.ts'
import { bootEngine } from '../src/engine.ts'
import { packagedWasm, readTestedWasm } from '../src/wasm.ts'
import { incrementOf, logsOf, startStore, temporaryFolder, withStore } from './support.ts'

describe('a store that cannot keep its promise', () => {
  it('refuses an engine that was not tested', async () => {
    const changed = await readFile(packagedWasm())
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    const file = join(await temporaryFolder(), 'valkey.wasm')
    await writeFile(file, changed)
    await expect(readTestedWasm(file)).rejects.toMatchObject({ code: 'wrong_engine' })
  })

  it('refuses a server whose append-only file is off', async () => {
    const path = await temporaryFolder()
    await writeFile(join(path, 'valkey.conf'), 'dir /data\nappendonly no\n')
    const engine = bootEngine({
      wasm: new WebAssembly.Module(await readTestedWasm()),
      path,
      port: 6379,
      appendFile: createAppendFile(),
      log: () => undefined,
    })
    const local = engine.sockets.connectLocally()
    expect(engine.appends()).toBe(false)
    expect(() => verifyPromises(false, (...words) => engine.command(local, ...words))).toThrow(
      expect.objectContaining({
        code: 'not_durable',
        message: expect.stringContaining('appendonly yes'),
      }),
    )
  })

  it('refuses a folder whose manifest is lost, or names a file that is', async () => {
    const dataDir = await temporaryFolder()
    await withStore({ dataDir }, (client) => client.set('key', 'value'))
    const manifest = join(logsOf(dataDir), 'appendonly.aof.manifest')
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replaceAll('.1.', '.7.'))
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' })
    await cp(incrementOf(dataDir), join(dataDir, 'kept'))
    await rm(manifest)
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' })
    expect(await readFile(incrementOf(dataDir))).toEqual(await readFile(join(dataDir, 'kept')))
  })

  it('refuses a damaged snapshot, and leaves it alone', async () => {
    const dataDir = await temporaryFolder()
    await withStore({ dataDir }, (client) => client.set('key', 'value'))
    const base = join(logsOf(dataDir), 'appendonly.aof.1.base.rdb')
    await writeFile(base, 'REDIS0011damaged')
    await expect(startStore({ dataDir })).rejects.toMatchObject({ code: 'corrupt' })
    expect(await readFile(base, 'utf8')).toBe('REDIS0011damaged')
  })
})
