import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { type EmbeddedStore, startEmbeddedStore } from '../../../src/store/embedded.ts'
import { describeStore } from '../../contracts/store.ts'
import { freePort } from '../../support/free-port.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { benchOn } from './bench.ts'

let embedded: EmbeddedStore
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-store-'))
  embedded = await startEmbeddedStore({ dataDir: folder, log: () => {} })
})
afterAll(async () => {
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
})
describeStore('embedded', () => benchOn(embedded.url))

describeWith('redis-server', 'a server of its own', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(program, { appendonly: 'yes' })
  })
  afterAll(() => server.stop())
  describeStore('redis-server', () => benchOn(server.url))
})

// A node of a cluster refuses a script whose keys are not all in one slot (rule 10).
describeWith('redis-server', 'a node of a cluster', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    // The usual one, 10,000 above the other, lies among those that systems give to outgoing connections.
    const bus = { 'cluster-port': String(await freePort()) }
    server = await startRedis(program, {
      'cluster-enabled': 'yes',
      'cluster-require-full-coverage': 'no',
      ...bus,
    })
    const client = server.connect()
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await vi.waitFor(
      async () => expect(await client.cluster('INFO')).toContain('cluster_state:ok'),
      40_000,
    )
  })
  afterAll(() => server.stop())
  describeStore('a node of a Redis Cluster', () => benchOn(server.url))
})
