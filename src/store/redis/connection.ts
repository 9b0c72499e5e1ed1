import { Cluster, Redis } from 'ioredis'
import { whyUnreachable } from '../../agent/unreachable.ts'
import { StoreError } from './errors.ts'

/** A command that has no answer after this long has failed, as far as its caller is concerned. */
const answerWithinMs = 4_000

/** One server, the master that sentinels name, or a cluster: the store asks the same of each. */
export type Connection = Redis | Cluster

/**
 * How to connect, from `redis://`, `rediss://`, `redis+sentinel://host:port,host:port/master-name[/db]` or
 * `redis+cluster://host:port,host:port`, where a few nodes name the others. A connection that breaks is made again for as
 * long as the process lives; commands that were not answered are sent again, which is why every script applied twice
 * equals once (P8).
 *
 * `commands` fail after 4 s; `blocking` ones wait.
 *
 * @throws StoreError `bad_url`.
 */
export function connect(url: string, use: 'commands' | 'blocking'): Connection {
  const again = (times: number) => Math.min(2_000, 50 * 2 ** Math.min(times, 6))
  const redis = open(url, again, {
    maxRetriesPerRequest: null,
    ...(use === 'commands' ? { commandTimeout: answerWithinMs } : {}),
  })
  // Whoever waits for an answer is told; a connection that is away by itself is no event.
  redis.on('error', (error) => void failures.set(redis, error))
  redis.on('ready', () => void failures.delete(redis))
  return redis
}

const failures = new WeakMap<Connection, unknown>()

/** Why a connection is away, in words; null while it is not, or where the network does not say. */
export const whyAway = (redis: Connection): string | null => whyUnreachable(failures.get(redis))

/** A cluster that is away lets commands wait without an end; here each has the deadline of its options, as on one server. */
class ClusterWithDeadlines extends Cluster {
  override sendCommand(...[command, stream, node]: Parameters<Cluster['sendCommand']>): unknown {
    const within = this.options.redisOptions?.commandTimeout
    if (within !== undefined) command.setTimeout(within)
    return super.sendCommand(command, stream, node)
  }
}

/** A second connection to the same place, for reads that wait; each fails after `deadAfterMs` or when the connection breaks. */
export function duplicate(connection: Connection, deadAfterMs: number): Connection {
  const options = { maxRetriesPerRequest: 0, commandTimeout: deadAfterMs }
  if (!(connection instanceof Cluster)) return connection.duplicate(options)
  return connection.duplicate([], { redisOptions: options })
}

function open(
  url: string,
  again: (times: number) => number,
  shared: { maxRetriesPerRequest: null; commandTimeout?: number },
): Connection {
  if (url.startsWith('redis+cluster:')) {
    const { nodes, login } = clusterOf(url)
    return new ClusterWithDeadlines(nodes, { clusterRetryStrategy: again, redisOptions: { ...shared, ...login } })
  }
  const options = { ...shared, retryStrategy: again }
  return url.startsWith('redis+sentinel:') ? new Redis({ ...options, ...sentinelOf(url) }) : new Redis(url, options)
}

function clusterOf(url: string) {
  const match = /^redis\+cluster:\/\/(?:(?:([^:@]*):)?([^@]*)@)?([^/@]+)\/?$/.exec(url)
  if (match === null) throw new StoreError('bad_url', 'REDIS_URL: write redis+cluster://host:port,host:port')
  const [, username, password, hosts = ''] = match
  return {
    nodes: addressesOf(hosts, 6379),
    login: { ...(username ? { username } : {}), ...(password ? { password } : {}) },
  }
}

function addressesOf(hosts: string, defaultPort: number): { host: string; port: number }[] {
  return hosts.split(',').map((address) => {
    const [host = '', port] = address.split(':')
    return { host, port: Number(port ?? defaultPort) }
  })
}

function sentinelOf(url: string) {
  const match = /^redis\+sentinel:\/\/(?:(?:([^:@]*):)?([^@]*)@)?([^/]+)\/([^/]+)(?:\/(\d+))?$/.exec(url)
  if (match === null)
    throw new StoreError('bad_url', 'REDIS_URL: write redis+sentinel://host:port,host:port/master-name')
  const [, username, password, hosts = '', name = '', db] = match
  return {
    sentinels: addressesOf(hosts, 26379),
    name,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(db === undefined ? {} : { db: Number(db) }),
  }
}
