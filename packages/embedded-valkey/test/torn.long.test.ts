import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutLog, damagedLog, measureLog } from '../src/repair.ts'
import { incrementOf, temporaryFolder, withStore } from './support.ts'

describe('a torn end of the append-only file', () => {
  const whole =
    '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$8\r\nEXEC\r\n*1\r\n'
  const transaction =
    '*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n*2\r\n$4\r\nINCR\r\n$1\r\nb\r\n*1\r\n$4\r\nEXEC\r\n'

  async function repaired(text: string): Promise<{ cut: number; kept: string; aside: string }> {
    const folder = await temporaryFolder()
    const [file, tail] = [join(folder, 'file'), join(folder, 'tail')]
    await writeFile(file, text, 'latin1')
    const cut = cutLog(file, measureLog(file), tail)
    return {
      cut,
      kept: await readFile(file, 'latin1'),
      aside: cut > 0 ? await readFile(tail, 'latin1') : '',
    }
  }

  it('keeps a whole file as it is', async () => {
    for (const text of ['', whole, whole + transaction, whole + transaction + whole]) {
      expect(await repaired(text)).toEqual({ cut: 0, kept: text, aside: '' })
    }
  })

  it('goes back to before the transaction, wherever it was torn, and keeps the rest aside', async () => {
    for (let length = 1; length < transaction.length; length++) {
      const torn = transaction.slice(0, length)
      expect(await repaired(whole + torn)).toEqual({ cut: length, kept: whole, aside: torn })
    }
  })

  it('goes back to the last whole command when a single one was torn', async () => {
    const command = '*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$12\r\n\0\0binary\r\n\0\0\r\n'
    for (let length = 1; length < command.length; length++) {
      expect((await repaired(transaction + command.slice(0, length))).kept).toBe(transaction)
    }
  })

  it('goes back over zeros that a power loss left', async () => {
    for (let length = 0; length < transaction.length; length++) {
      const torn = transaction.slice(0, length) + '\0'.repeat(5000)
      expect((await repaired(whole + torn)).kept).toBe(whole)
    }
  })

  it('handles values larger than what it reads at once', async () => {
    const value = 'x\r\n'.repeat(1_000_000)
    const command = `*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$${value.length}\r\n${value}\r\n`
    expect((await repaired(command + command)).cut).toBe(0)
    expect((await repaired(command + command.slice(0, -1))).kept).toHaveLength(command.length)
  })

  it('says where the middle is damaged, and how far the file is good', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(
      file,
      `${whole}garbage in here, longer than one header of a command\r\n${whole}`,
    )
    expect(measureLog(file)).toMatchObject({ whole: whole.length, damagedAt: whole.length })
    expect(damagedLog(file, 7)).toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('byte 7'),
    })
  })

  it('never lets half a transaction in, nor merges it with the next one', async () => {
    const source = await temporaryFolder()
    const before = await withStore({ dataDir: source }, async (client) => {
      await client.set('first', '1')
      const size = (await readFile(incrementOf(source))).length
      await client.multi().incr('torn').incr('torn').set('half', '1').exec()
      return size
    })
    const after = (await readFile(incrementOf(source))).length
    const steps = 6
    for (let step = 0; step < steps; step++) {
      const dataDir = await temporaryFolder()
      await cp(join(source, 'valkey'), join(dataDir, 'valkey'), { recursive: true })
      await rm(join(dataDir, 'valkey', 'counts')) // as if it died before any sync had covered the transaction
      await truncate(
        incrementOf(dataDir),
        before + 1 + Math.floor(((after - before - 2) * step) / (steps - 1)),
      )
      await withStore({ dataDir }, async (client) => {
        expect(await client.mget('first', 'torn', 'half')).toEqual(['1', null, null])
        await client.multi().incr('next').incr('next').exec()
      })
      await withStore({ dataDir }, async (client) => {
        expect(await client.mget('first', 'torn', 'half', 'next')).toEqual(['1', null, null, '2'])
      })
    }
  })
})
