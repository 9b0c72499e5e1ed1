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

/**
 * The setting by which a whole Clew takes a database of its own on the run's server; none where the machine has no server, so
 * that it takes the embedded store.
 */
export async function ownStore(): Promise<Record<string, string>> {
  const database = await ownDatabase()
  return database === null ? {} : { REDIS_URL: database }
}
