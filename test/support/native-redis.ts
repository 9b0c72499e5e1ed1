import { Redis } from 'ioredis'
import { startRedis } from './redis.ts'

/** A native server of a test's own that keeps what it has in an append-only file and can be killed. */
export interface NativeRedis {
  /** With `database` 0 to 15: stories that share a server each have one of their own. */
  url(database?: number): string
  /** A client that comes back when the server does. */
  connect(database?: number): Redis
  /** Ends it as a crash would; what it had answered is in its file when `fsync` is `always`. */
  kill(): Promise<void>
  /** Starts it again on the same port and file. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * @param fsync `always`: nothing that was answered is lost when the server is killed. `everysec`: what production uses.
 */
export async function startNativeRedis(
  program: string,
  { fsync = 'everysec' }: { fsync?: 'always' | 'everysec' } = {},
): Promise<NativeRedis> {
  const server = await startRedis(program, { appendonly: 'yes', appendfsync: fsync })
  const clients: Redis[] = []
  const url = (database = 0) => `${server.url}/${database}`
  return {
    url,
    kill: server.kill,
    restart: server.restart,
    connect(database) {
      const client = new Redis(url(database), {
        retryStrategy: () => 20,
        maxRetriesPerRequest: null,
      })
      client.on('error', () => undefined)
      clients.push(client)
      return client
    },
    async stop() {
      for (const client of clients) client.disconnect()
      await server.stop()
    },
  }
}
