import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { confined } from '../../../src/adapters/documents/confine.ts'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { Clock } from '../../../src/agent/ports/clock.ts'
import type { Document } from '../../../src/agent/ports/documents.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { silent } from '../../support/silent.ts'

type Limits = Parameters<typeof createDocuments>[0]['limits']

const noAbort = new AbortController().signal
let stop = () => {}
/** Each test begins when the processes of those before it are gone. */
afterEach(async () => {
  stop()
  await processesAre(0)
})

function open(limits: Limits = {}, clock: Clock = createSystemClock()) {
  const documents = createDocuments({ clock, log: silent, limits })
  stop = documents.stop
  return (document: Document, signal = noAbort) => documents.read(document, signal)
}
const html = (text: string): Document => ({ kind: 'html', bytes: Buffer.from(text) })
const quiet = html('<title>Venues</title><p>A quiet page.')
const quietRead = { ok: true, readable: { title: 'Venues', text: 'A quiet page.' } }
const slow = html('<div><p>x'.repeat(800))
const escapes = join(import.meta.dirname, '../../fixtures/documents/escape.mjs')

/** Waits until there are so many child processes. */
const processesAre = (count: number) =>
  vi.waitUntil(
    () =>
      process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length === count,
    {
      timeout: 40_000,
    },
  )

it('ends a document that takes too long, and one that takes too much memory (S13)', async () => {
  expect(await open({ timeMs: 300 })(slow)).toEqual({ ok: false, problem: 'too_slow' })
  stop()
  const read = open({ heapMb: 40, timeMs: 15_000 })
  expect(await read(html('<p>'.repeat(400_000)))).toEqual({ ok: false, problem: 'too_big' })
  expect(await read(quiet)).toEqual(quietRead)
})

it('answers a caller that stops at once, and goes on with the others (S13)', async () => {
  const read = open()
  const stopping = new AbortController()
  const reading = read(slow, stopping.signal)
  const waiting = read(slow, stopping.signal)
  const next = read(quiet)
  await read(quiet, AbortSignal.abort())
  stopping.abort()
  expect(await Promise.all([reading, waiting])).toEqual([
    { ok: false, problem: 'stopped' },
    { ok: false, problem: 'stopped' },
  ])
  expect(await next).toEqual(quietRead)
})

it('lets only so many wait (S13)', async () => {
  const read = open({ waiting: 2 })
  const both = [read(quiet), read(quiet)]
  expect(await read(quiet)).toEqual({ ok: false, problem: 'busy' })
  expect(await Promise.all(both)).toEqual([quietRead, quietRead])
  expect(await read(quiet)).toEqual(quietRead)
})

it('keeps one process for many documents, ends it when it is idle, and starts it again (S13)', async () => {
  const manual = createManualClock()
  const read = open({}, manual)
  await Promise.all([read(quiet), read(quiet), read(quiet)])
  await processesAre(1)
  await manual.advance(60_000)
  await processesAre(0)
  expect(await read(quiet)).toEqual(quietRead)
})

it('ends with Clew, also in the middle of a document (S13)', async () => {
  const read = open()
  const reading = read(slow)
  await processesAre(1)
  stop()
  expect(await reading).toEqual({ ok: false, problem: 'stopped' })
  await processesAre(0)
  expect(await read(quiet)).toEqual({ ok: false, problem: 'stopped' })
})

it('replaces a process after so many documents (S13)', async () => {
  const read = open({ served: 1 })
  expect([await read(quiet), await read(quiet)]).toEqual([quietRead, quietRead])
})

it('gives the process no file, no program, no thread, no secret and no more memory than is its share (S7, S13)', async () => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const { command, args, env } = confined(escapes, { heapMb: 64, dataMb: 1_400 })
  const child = spawn(command, [...args, join(import.meta.dirname, '../../../biome.json'), port], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [[said]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
  listener.close()
  // Node 24 takes no network away; where the system allows it, the system does.
  const network = spawnSync('/bin/sh', ['-c', 'unshare -rn true']).status === 0 ? [] : ['network']
  expect(said.done).toEqual(network)
  // The shell says where it is; nothing of this process's environment gets there.
  expect(said.env.filter((name: string) => !['PATH', 'PWD', 'SHLVL', '_'].includes(name))).toEqual(
    [],
  )
})
