import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { type RedisServer, startRedis } from './redis.ts'

/** A Redis Cluster of a test's own: a few masters that share the slots, on the loopback interface. */
export interface RedisCluster {
  /** Names two of the nodes; a client learns of the others from them. */
  readonly url: string
  readonly nodes: readonly RedisServer[]
  stop(): Promise<void>
}

const slots = 16_384
const patienceMs = 60_000

export async function startCluster(program: string, size = 3): Promise<RedisCluster> {
  const nodes: RedisServer[] = []
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())))
  try {
    for (let place = 0; place < size; place += 1) {
      const bus = String(await freePort())
      nodes.push(
        await startRedis(program, {
          'cluster-enabled': 'yes',
          'cluster-port': bus,
          appendonly: 'yes',
        }),
      )
    }
    const clients = nodes.map((node) => node.connect())
    const first = Math.ceil(slots / size)
    await Promise.all(
      clients.map(async (client, place) => {
        const last = Math.min(slots, (place + 1) * first) - 1
        await client.call('CLUSTER', 'ADDSLOTSRANGE', place * first, last)
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', place + 1)
      }),
    )
    const isWhole = async (client: Redis) => {
      const info = String(await client.cluster('INFO'))
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`)
    }
    const known = await clients[0]?.config('GET', 'cluster-port')
    const bus = Array.isArray(known) ? String(known[1]) : ''
    await Promise.all(
      clients
        .slice(1)
        .map((client) => client.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]?.port ?? 0, bus)),
    )
    for (
      const until = Date.now() + patienceMs;
      !(await Promise.all(clients.map(isWhole))).every(Boolean);
      await wait(50)
    )
      if (Date.now() > until) throw new Error('the cluster does not come up')
  } catch (error) {
    await stop()
    throw error
  }
  const [one, two] = nodes.map(({ port }) => `127.0.0.1:${port}`)
  return { url: `redis+cluster://${one},${two ?? one}`, nodes, stop }
}
