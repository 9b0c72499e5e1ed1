import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'

/** A native server of a test's own, in a temporary folder. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** A client that neither reconnects nor sends anything twice; it is closed with the server. */
  connect(): Redis
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again after that, on the same port and folder. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts `program` on a free port of the loopback interface; `settings` are those of its configuration file.
 *
 * @param under what a shell does before it becomes the server, such as `trap '' XFSZ`.
 */
export async function startRedis(
  program: string,
  settings: Record<string, string> = {},
  under = ':',
): Promise<RedisServer> {
  const port = Number(settings.port ?? (await freePort()))
  const folder = await mkdtemp(join(tmpdir(), 'clew-redis-'))
  const all = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    loglevel: 'warning',
    ...settings,
  }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')])
  let child: ChildProcess | null = null
  const clients: Redis[] = []

  function connect(): Redis {
    const client = new Redis(port, '127.0.0.1', {
      maxRetriesPerRequest: null,
      retryStrategy: () => null,
    })
    client.on('error', () => {})
    clients.push(client)
    return client
  }
  async function restart(): Promise<void> {
    const words = ['-c', `${under}; exec "$@"`, 'sh', program, ...args]
    child = spawn('/bin/sh', words, { stdio: ['ignore', 'ignore', 'inherit'] })
    await answering(port)
  }
  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  async function stop(): Promise<void> {
    for (const client of clients) client.disconnect()
    await kill()
    await rm(folder, { recursive: true, force: true })
  }

  await restart().catch(async (error) => {
    await stop()
    throw error
  })
  return { port, url: `redis://127.0.0.1:${port}`, connect, kill, restart, stop }
}

/** Waits until the server answers; at most 10 s. */
async function answering(port: number): Promise<void> {
  const probe = new Redis(port, '127.0.0.1', {
    maxRetriesPerRequest: 500,
    retryStrategy: () => 20,
    connectTimeout: 10_000,
  })
  probe.on('error', () => {})
  try {
    await probe.ping()
  } finally {
    probe.disconnect()
  }
}
