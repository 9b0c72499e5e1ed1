import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createSystemClock } from '../../../src/clock.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { checkRedis } from '../../../src/store/redis/startup-check.ts'
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
  const { version, strict: strictly } = await aboutNative(soak.program)
  for (const fsync of ['always', 'everysec', 'no']) {
    const losses = await murder(() => nativeServer(soak.program, fsync), kills, soak)
    rows.push({ name: `${version}, appendfsync ${fsync}`, ...losses })
  }
  for (const strict of [false, true]) {
    const losses = await murder(() => embeddedServer(strict), kills, soak)
    rows.push({ name: `embedded store${strict ? ', STORE_STRICT=1' : ''}`, ...losses })
  }
  soak.say('| store | kills | acknowledged | lost | kills that lost any |\n|---|---|---|---|---|')
  for (const { name, acknowledged, lost, lossy } of rows)
    soak.say(`| ${name} | ${kills} | ${acknowledged} | ${lost} | ${lossy} |`)
  soak.say(`STORE_STRICT=1 on ${version}: ${strictly}`)
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
  readonly url: string
  kill(): Promise<void>
  /** Starts it again on its files; the url may be another one. */
  restart(): Promise<string>
  stop(): Promise<void>
}

const writers = 8

/** Each kill has a server of its own, so that none has more to load than it wrote. */
async function murder(
  open: () => Promise<Server>,
  kills: number,
  { random }: Soak,
): Promise<Losses> {
  const losses: Losses = { acknowledged: 0, lost: 0, lossy: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const server = await open()
    try {
      const writing = Array.from({ length: writers }, (_, writer) =>
        writeUntilItDies(server.url, `t${writer}`),
      )
      await wait(200 + random() * 1_800)
      await server.kill()
      const told = await Promise.all(writing)
      const lost = await missingOf(await server.restart(), told)
      losses.acknowledged += told.reduce((sum, { count }) => sum + count, 0)
      losses.lost += lost
      losses.lossy += lost > 0 ? 1 : 0
    } finally {
      await server.stop()
    }
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
  const store = createRedisStore({
    redis,
    clock: createSystemClock(),
    worker: 'soak',
    strict: false,
  })
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

const durable = { appendonly: 'yes', 'maxmemory-policy': 'noeviction' }

async function nativeServer(program: string, fsync: string): Promise<Server> {
  const server = await startRedis(program, { ...durable, appendfsync: fsync })
  return {
    ...server,
    async restart() {
      await server.restart()
      return server.url
    },
  }
}

async function embeddedServer(strict: boolean): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clew-durability-'))
  const script = join(import.meta.dirname, '../../../packages/embedded-valkey/test/child.ts')
  let child: ChildProcess | null = null
  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  async function start(): Promise<string> {
    const started = spawn(process.execPath, [script, dataDir, '', strict ? 'strict' : ''], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child = started
    for await (const said of createInterface(started.stdout)) {
      if (said.startsWith('redis:')) return said
      throw new Error(`the embedded store did not start: ${said}`)
    }
    throw new Error('the embedded store did not start')
  }
  return {
    url: await start(),
    kill,
    restart: start,
    async stop() {
      await kill()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Which server this machine has, and what a start with STORE_STRICT=1 says on it. */
async function aboutNative(program: string): Promise<{ version: string; strict: string }> {
  const server = await startRedis(program, durable)
  try {
    const redis = server.connect()
    const info = await redis.info('server')
    const [, valkey] = /^valkey_version:(\S+)/m.exec(info) ?? []
    const [, plain = '?'] = /^redis_version:(\S+)/m.exec(info) ?? []
    const refused = await checkRedis(redis, { strict: true }).then(
      () => null,
      (error: Error) => error.message,
    )
    return {
      version: valkey === undefined ? `Redis ${plain}` : `Valkey ${valkey}`,
      strict:
        refused === null ? 'accepted; what it loses is not measured here.' : `refused: ${refused}.`,
    }
  } finally {
    await server.stop()
  }
}
