import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A native server of a test's own, with an append-only file in a temporary folder. */
export interface NativeRedis {
  /** With `database` 0 to 15: stories that share a server each have one of their own. */
  url(database?: number): string
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
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'clew-redis-'))
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: fsync }
  const args = Object.entries({ ...settings, loglevel: 'warning' }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ])
  const connections: Redis[] = []
  let child: ChildProcess | null = null

  const url = (database = 0) => `redis://127.0.0.1:${port}/${database}`
  const connect = (database = 0): Redis => {
    const redis = new Redis(url(database), { retryStrategy: () => 20, maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
    connections.push(redis)
    return redis
  }
  async function restart(): Promise<void> {
    child = spawn(program, args, { stdio: 'ignore' })
    await answering(port)
  }
  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }

  await restart()
  return {
    url,
    connect,
    kill,
    restart,
    async stop() {
      for (const redis of connections) redis.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until a server has loaded its file and answers; at most 10 s. */
async function answering(port: number): Promise<void> {
  const redis = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  try {
    const late = sleep(10_000, undefined, { ref: false }).then(() => {
      throw new Error('the Redis of this test does not answer')
    })
    await Promise.race([redis.ping(), late])
  } finally {
    redis.disconnect()
  }
}
