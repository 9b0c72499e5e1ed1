import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { whyUnreachable } from '../../agent/connection-problem.ts'
import { refusalOf, StoreError } from './errors.ts'
import { leadsToWrongServer, watch } from './watchdog.ts'

/** Time without an answer after which a command fails for its caller, in ms. */
const answerWithinMs = 4_000
/** Longest silence of a server that was asked something, in ms; then its connection is reopened. */
const silentForMs = 5_000
/** Longest silence for blocking reads, in ms: BullMQ waits up to 10 s for a job. */
const silentForBlockingMs = 12_000

/**
 * Connection to one server, to the master that sentinels name, or to a cluster. The store uses all
 * three alike.
 */
export type Connection = Redis | Cluster

/**
 * Connects to `redis://`, `rediss://`, `redis+sentinel://host:port,host:port/master-name[/db]` or
 * `redis+cluster://host:port,host:port`, where a few nodes name the others.
 *
 * A connection that breaks, falls silent or leads to a server that is no primary is reopened for as
 * long as the process lives (P28). Unanswered commands are sent again, which is why every script
 * applied twice equals once (P8).
 *
 * `commands` fail after 4 s; `blocking` ones wait.
 *
 * @throws StoreError `bad_url`.
 */
export function connect(url: string, use: 'commands' | 'blocking'): Connection {
  const again = (times: number) => Math.min(2_000, 50 * 2 ** Math.min(times, 6))
  const redis = open(url, again, {
    maxRetriesPerRequest: null,
    reconnectOnError: leadsToWrongServer,
    ...(use === 'commands'
      ? { commandTimeout: answerWithinMs, socketTimeout: silentForMs }
      : { socketTimeout: silentForBlockingMs }),
  })
  if (redis instanceof Redis) watch(redis)
  // Callers get the errors of their commands; a lost connection itself is no event.
  redis.on('error', (error) => void failures.set(redis, error))
  redis.on('ready', () => void failures.delete(redis))
  return redis
}

const failures = new WeakMap<Connection, unknown>()

/** Reason why a command failed, in words: Redis' own refusal, or else the network's error. */
export const whyFailed = (redis: Connection, error: unknown): string =>
  refusalOf(error) ??
  whyUnreachable(failures.get(redis)) ??
  (error instanceof Error ? error.message : String(error))

/**
 * Cluster client with the deadline of its options for each command. Without it, commands to an
 * unreachable cluster wait for ever.
 */
class ClusterWithDeadlines extends Cluster {
  override sendCommand(...[command, stream, node]: Parameters<Cluster['sendCommand']>): unknown {
    const within = this.options.redisOptions?.commandTimeout
    if (within !== undefined) command.setTimeout(within)
    return super.sendCommand(command, stream, node)
  }
}

/** Client that writes the commands of one moment at once: each write is a call of the system. */
class RedisWritingAtOnce extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    const socket = this.stream
    if (socket?.writable && socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return super.sendCommand(command, stream)
  }
}

/**
 * Name of a channel, with the database. Publishing reaches every database of a server, so the name
 * has to tell them apart; a cluster has only one.
 */
export function channelIn(redis: Connection, name: string): string {
  const { db = 0 } = redis instanceof Cluster ? {} : redis.options
  return db === 0 ? name : `${name}:${db}`
}

/** Every key with this prefix. It scans all keys of all servers, so it is for rare uses. */
export async function keysFrom(redis: Connection, beginning: string): Promise<string[]> {
  const match = `${beginning.replaceAll(/[\\*?[\]]/g, '\\$&')}*`
  const found = new Set<string>()
  for (const server of redis instanceof Cluster ? redis.nodes('master') : [redis])
    for await (const keys of server.scanStream({ match, count: 1_000 }))
      for (const key of keys) found.add(key)
  return [...found].sort()
}

/**
 * Second connection to the same server, for blocking reads. Each fails after `deadAfterMs` or when
 * the connection breaks.
 */
export function duplicate(connection: Connection, deadAfterMs: number): Connection {
  const options = {
    maxRetriesPerRequest: 0,
    commandTimeout: deadAfterMs,
    socketTimeout: deadAfterMs,
  }
  if (connection instanceof Cluster) return connection.duplicate([], { redisOptions: options })
  const second = connection.duplicate(options)
  watch(second)
  return second
}

function open(
  url: string,
  again: (times: number) => number,
  shared: Pick<
    RedisOptions,
    'maxRetriesPerRequest' | 'commandTimeout' | 'socketTimeout' | 'reconnectOnError'
  >,
): Connection {
  const options = { ...shared, retryStrategy: again }
  if (url.startsWith('redis+sentinel:'))
    return new RedisWritingAtOnce({ ...options, ...sentinelOf(url) })
  if (!url.startsWith('redis+cluster:')) return new RedisWritingAtOnce(url, options)
  const { hosts, login, path } = partsOf(url, 6379)
  if (hosts.length === 0 || path !== '') throw badUrl('redis+cluster://host:port,host:port')
  return new ClusterWithDeadlines(hosts, {
    clusterRetryStrategy: again,
    redisOptions: { ...shared, ...login },
  })
}

function sentinelOf(url: string) {
  const { hosts, login, path } = partsOf(url, 26379)
  const [, name, db] = /^([^/]+)(?:\/(\d+))?$/.exec(path) ?? []
  if (hosts.length === 0 || name === undefined)
    throw badUrl('redis+sentinel://host:port,host:port/master-name')
  return { sentinels: hosts, name, ...login, ...(db === undefined ? {} : { db: Number(db) }) }
}

/** Parts of a URL with several hosts; no hosts if it is malformed. */
function partsOf(url: string, defaultPort: number) {
  const [, login = '', rest = ''] = /^[^:]+:\/\/(?:([^@]*)@)?([^@]*)$/.exec(url) ?? []
  const [hosts = '', ...path] = rest.split('/')
  const colon = login.indexOf(':')
  const [username, password] = [login.slice(0, Math.max(0, colon)), login.slice(colon + 1)]
  const hostOf = (address: string) => {
    const [host = '', port] = address.split(':')
    return { host, port: Number(port ?? defaultPort) }
  }
  return {
    hosts: hosts === '' ? [] : hosts.split(',').map(hostOf),
    login: { ...(username ? { username } : {}), ...(password ? { password } : {}) },
    path: path.join('/'),
  }
}

const badUrl = (form: string) => new StoreError('bad_url', `REDIS_URL: write ${form}`)
