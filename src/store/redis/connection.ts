import { Redis } from 'ioredis'
import { StoreError } from './errors.ts'

/** A command that has no answer after this long has failed, as far as its caller is concerned. */
const answerWithinMs = 4_000

/**
 * How to connect, from `redis://`, `rediss://` or `redis+sentinel://host:port,host:port/master-name[/db]`. A connection
 * that breaks is made again for as long as the process lives; commands that were not answered are sent again, which is
 * why every script applied twice equals once (P8).
 *
 * `commands` fail after 4 s; `blocking` ones wait.
 *
 * @throws StoreError `bad_url`.
 */
export function connect(url: string, use: 'commands' | 'blocking'): Redis {
  const shared = {
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(2_000, 50 * 2 ** Math.min(times, 6)),
    ...(use === 'commands' ? { commandTimeout: answerWithinMs } : {}),
  }
  const redis = url.startsWith('redis+sentinel:')
    ? new Redis({ ...shared, ...sentinelOf(url) })
    : new Redis(url, shared)
  // Whoever waits for an answer is told; a connection that is away by itself is no event.
  redis.on('error', () => {})
  return redis
}

function sentinelOf(url: string) {
  const match = /^redis\+sentinel:\/\/(?:(?:([^:@]*):)?([^@]*)@)?([^/]+)\/([^/]+)(?:\/(\d+))?$/.exec(url)
  if (match === null)
    throw new StoreError('bad_url', 'REDIS_URL: write redis+sentinel://host:port,host:port/master-name')
  const [, username, password, hosts = '', name = '', db] = match
  return {
    sentinels: hosts.split(',').map((host) => {
      const [address = '', port] = host.split(':')
      return { host: address, port: Number(port ?? 26379) }
    }),
    name,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(db === undefined ? {} : { db: Number(db) }),
  }
}
