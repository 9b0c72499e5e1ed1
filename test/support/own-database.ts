import { Redis } from 'ioredis'
import { inject } from 'vitest'

/** The address of a database of the run's server that nobody else has; null where the machine has no server. */
export async function ownDatabase(): Promise<string | null> {
  const server = inject('redis')
  if (server === null) return null
  const redis = new Redis(server)
  const database = await redis.incr('databases')
  redis.disconnect()
  return `${server}/${database}`
}
