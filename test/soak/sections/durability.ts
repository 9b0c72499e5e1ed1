import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createSystemClock } from '../../../src/clock.ts'
import { checkRedis } from '../../../src/store/redis/checks.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { messageEvent, opening, workspace } from '../../contracts/store/rows.ts'
import { startRedis } from '../../support/redis.ts'
import { type Section, type Soak, seconds, some } from '../section.ts'

/**
 * P7's figure: the server is killed with -9 while eight writers have messages acknowledged, started again on its append-only
 * file, and asked which of them it still has. docs/durability.md holds what this prints.
 */
export const durability: Section = async (soak) => {
  const began = performance.now()
  const kills = some(soak, 40)
  const rows: Row[] = []
  for (const fsync of ['always', 'everysec', 'no']) {
    const server = await nativeServer(soak.program, fsync)
    rows.push({ name: `${server.version}, appendfsync ${fsync}`, ...(await murder(server, kills, soak)) })
  }
  for (const strict of [false, true]) {
    const server = await embeddedServer(strict)
    rows.push({ name: `embedded store${strict ? ', STORE_STRICT=1' : ''}`, ...(await murder(server, kills, soak)) })
  }
  soak.say('| store | kills | acknowledged | lost | kills that lost any |\n|---|---|---|---|---|')
  for (const { name, acknowledged, lost, lossy } of rows)
    soak.say(`| ${name} | ${kills} | ${acknowledged} | ${lost} | ${lossy} |`)
  soak.say(`STORE_STRICT=1 on ${await strictOn(soak.program)}`)
  const broken = rows.filter(({ name, lost }) => lost > 0 && /always|embedded/.test(name))
  return {
    figures: `${kills} kills of each of ${rows.length} stores, ${seconds(performance.now() - began)}`,
    failures: broken.map(({ name, lost }) => `${name} lost ${lost} acknowledged messages`),
  }
}

interface Losses {
  acknowledged: number
  lost: number
  /** Kills after which at least one was lost. */
  lossy: number
}
type Row = Losses & { name: string }

interface Server {
  version: string
  /** Starts it, also again after a kill. */
  start(): Promise<string>
  kill(): Promise<void>
  stop(): Promise<void>
}

const writers = 8

async function murder(server: Server, kills: number, { random }: Soak): Promise<Losses> {
  const losses: Losses = { acknowledged: 0, lost: 0, lossy: 0 }
  try {
    for (let kill = 0; kill < kills; kill++) {
      const url = await server.start()
      const acknowledged = Array.from({ length: writers }, (_, writer) => writeUntilItDies(url, `${kill}-${writer}`))
      await wait(200 + random() * 1_800)
      await server.kill()
      const told = await Promise.all(acknowledged)
      const lost = await missingOf(await server.start(), told)
      await server.kill()
      losses.acknowledged += told.reduce((sum, { count }) => sum + count, 0)
      losses.lost += lost
      losses.lossy += lost > 0 ? 1 : 0
    }
  } finally {
    await server.stop()
  }
  return losses
}

interface Told {
  conversationId: string
  count: number
}

/** Has one message after the other acknowledged in a thread of its own. */
async function writeUntilItDies(url: string, thread: string): Promise<Told> {
  const redis = clientOf(url)
  const store = createRedisStore({ redis, clock: createSystemClock(), worker: 'soak', strict: false })
  const told: Told = { conversationId: '', count: 0 }
  try {
    for (;;) {
      const event = messageEvent(told.count, { thread, keys: [`${thread}-${told.count}`] })
      told.conversationId = (await store.inbox.accept(event, opening)).conversationId
      told.count += 1
    }
  } catch {
    return told
  } finally {
    redis.disconnect()
  }
}

/** A writer waits for each of its messages, so what is lost of them are the last ones. */
async function missingOf(url: string, told: readonly Told[]): Promise<number> {
  const redis = clientOf(url)
  let missing = 0
  for (const { conversationId, count } of told) {
    const kept = await redis.llen(keysOf(workspace).conversation(conversationId).inbox)
    missing += Math.max(0, count - kept)
  }
  redis.disconnect()
  return missing
}

function clientOf(url: string): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => null })
  client.on('error', () => undefined)
  return client
}

async function nativeServer(program: string, fsync: string): Promise<Server> {
  const server = await startRedis(program, { appendonly: 'yes', appendfsync: fsync, 'maxmemory-policy': 'noeviction' })
  const version = await versionOf(server.url)
  let running = true
  return {
    version,
    async start() {
      if (!running) await server.restart()
      running = true
      return server.url
    },
    async kill() {
      await server.kill()
      running = false
    },
    stop: server.stop,
  }
}

async function embeddedServer(strict: boolean): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clew-durability-'))
  const script = join(import.meta.dirname, '../../store/embedded-child.ts')
  let child: ChildProcess | null = null
  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    version: 'embedded',
    async start() {
      const started = spawn(process.execPath, [script, dataDir, '', strict ? 'strict' : ''], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      child = started
      for await (const url of createInterface(started.stdout)) {
        if (url.startsWith('redis:')) return url
        throw new Error(`the embedded store did not start: ${url}`)
      }
      throw new Error('the embedded store did not start')
    },
    kill,
    async stop() {
      await kill()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function versionOf(url: string): Promise<string> {
  const redis = clientOf(url)
  const info = await redis.info('server')
  redis.disconnect()
  const [, valkey] = /^valkey_version:(\S+)/m.exec(info) ?? []
  const [, plain = '?'] = /^redis_version:(\S+)/m.exec(info) ?? []
  return valkey === undefined ? `Redis ${plain}` : `Valkey ${valkey}`
}

/** What a start with STORE_STRICT=1 says on the server of this machine. */
async function strictOn(program: string): Promise<string> {
  const server = await startRedis(program, { appendonly: 'yes', 'maxmemory-policy': 'noeviction' })
  try {
    await checkRedis(server.connect(), { strict: true })
    return `${await versionOf(server.url)}: accepted; what it loses was not measured.`
  } catch (error) {
    return `${await versionOf(server.url)}: refused (${error instanceof Error ? error.message : String(error)}).`
  } finally {
    await server.stop()
  }
}
