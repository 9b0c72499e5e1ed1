import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createSystemClock } from '../../../src/clock.ts'
import { startClew } from '../../../src/compose/clew.ts'
import { readConfig } from '../../../src/config.ts'
import { type Connection, connect } from '../../../src/store/redis/connection.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { describeStore } from '../../contracts/store.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { type RedisCluster, startCluster } from '../../support/cluster.ts'
import { describeWith } from '../../support/programs.ts'

// Rule 10: each workspace is in one slot, and workspaces are spread over the nodes.
describeWith('redis-server', 'a cluster of three', (program) => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startCluster(program)
  })
  afterAll(() => cluster.stop())

  const empty = () =>
    Promise.all(
      cluster.nodes.map(async (node) => {
        const client = node.connect()
        await client.flushall()
        client.disconnect()
      }),
    )

  describeStore('a Redis Cluster', async () => {
    await empty()
    const clock = createManualClock()
    const clients: Connection[] = []
    return {
      clock,
      open(worker = 'worker') {
        const redis = connect(cluster.url, 'commands')
        clients.push(redis)
        return createRedisStore({ redis, clock, worker })
      },
      async close() {
        for (const client of clients) client.disconnect()
      },
    }
  })

  it('carries the whole of Clew: a message over the page, its task, and the report', async () => {
    await empty()
    const folder = await mkdtemp(join(tmpdir(), 'clew-cluster-'))
    const silent = { debug() {}, info() {}, warn() {}, error() {} }
    const settings = {
      DATA_DIR: folder,
      PORT: '0',
      REDIS_URL: cluster.url,
      OPENAI_MODEL: 'rehearsal',
      REHEARSAL_PACE_MS: '0',
    }
    const clew = await startClew(readConfig(settings), { clock: createSystemClock(), log: silent })
    onTestFinished(async () => {
      await clew.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const said = {
      text: 'Add milk to my to-do list and then list my to-dos',
      clientMessageId: 'm1',
    }
    const opened = await ask(`${clew.url}/api/conversations`, said)
    await vi.waitFor(
      async () =>
        expect(await ask(`${clew.url}/api/conversations/${opened.id}`)).toMatchObject({
          run: { status: 'succeeded' },
        }),
      { timeout: 60_000, interval: 100 },
    )
    expect(await ask(`${clew.url}/healthz`)).toMatchObject({ ok: true })
  })
})

async function ask(url: string, body?: object) {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return await answer.json()
}
