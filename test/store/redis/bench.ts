import { Redis } from 'ioredis'
import { type Connection, connect } from '../../../src/store/redis/connection.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import type { StoreBench } from '../../contracts/store.ts'
import { createManualClock } from '../../fakes/clock.ts'

/** An empty store on the server at `url`, and a client of the test's own to look beneath it. */
export async function benchOn(url: string): Promise<StoreBench & { raw: Redis }> {
  const clock = createManualClock()
  const raw = new Redis(url)
  await raw.flushall()
  const clients: Connection[] = [raw]
  return {
    clock,
    raw,
    open(worker = 'worker') {
      const redis = connect(url, 'commands')
      clients.push(redis)
      return createRedisStore({ redis, clock, worker })
    },
    async close() {
      for (const client of clients) client.disconnect()
    },
  }
}
