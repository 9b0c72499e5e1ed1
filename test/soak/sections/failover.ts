import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { connect } from '../../../src/store/redis/connection.ts'
import { type FaultProxy, startProxy } from '../../support/proxy.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { type Section, seconds, some } from '../section.ts'
import { playBeside } from './beside.ts'

/** Two servers behind one address; the replica has all that the primary has acknowledged when it takes over. */
interface Pair {
  at: FaultProxy
  failOver(): Promise<void>
  stop(): Promise<void>
}

async function startPair(program: string): Promise<Pair> {
  const first = await startRedis(program, { appendonly: 'yes' })
  const second = await startRedis(program, { replicaof: `127.0.0.1 ${first.port}` })
  const at = await startProxy(first.port)
  let [primary, replica] = [first, second]
  const clients = new Map<RedisServer, Redis>([first, second].map((one) => [one, one.connect()]))
  const clientOf = (server: RedisServer) => clients.get(server) ?? server.connect()

  async function until(server: RedisServer, line: string): Promise<void> {
    for (let looks = 0; looks < 500; looks++) {
      if ((await clientOf(server).info('replication')).includes(line)) return
      await wait(20)
    }
    throw new Error(`a server did not come to ${line}`)
  }
  await until(replica, 'master_link_status:up')
  return {
    at,
    async failOver() {
      await clientOf(primary).call('FAILOVER', 'TO', '127.0.0.1', String(replica.port))
      await until(replica, 'role:master')
      ;[primary, replica] = [replica, primary]
      at.lead(primary.port)
      await until(replica, 'master_link_status:up')
    },
    async stop() {
      await at.stop()
      await Promise.all([first.stop(), second.stop()])
    },
  }
}

/**
 * A coordinated failover at random instants of a story, with every old connection left open: the server behind it has
 * become a replica (P28). Compared with a story in peace, nothing may be lost or twice.
 */
export const failover: Section = async ({ random, ...soak }) => {
  const began = performance.now()
  const wanted = some({ random, ...soak }, 20)
  const pair = await startPair(soak.program)
  const url = (database: number) => `redis://127.0.0.1:${pair.at.port}/${database}`
  const server = { url, connect: (database: number) => connect(url(database), 'commands') }
  try {
    const { count, failures } = await playBeside(server, wanted, async (isOver) => {
      await wait(random() * 3_000)
      if (isOver()) return false
      await pair.failOver()
      return true
    })
    const took = seconds(performance.now() - began)
    return { figures: `${count} failovers, each within a story, ${took}`, failures }
  } finally {
    await pair.stop()
  }
}
