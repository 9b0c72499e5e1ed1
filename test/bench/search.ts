import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { newConversation } from '../../src/agent/domain/conversation.ts'
import { createSystemClock } from '../../src/clock.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { startPart } from './process.ts'
import { table } from './table.ts'
import { common, fillThreads, middling, rare } from './threads.ts'

/*
 * `npm run bench -- search 100000`: searches of so many threads over HTTP (C207), the longest command of Redis in each, and how long
 * opening a thread takes meanwhile. Clew is a process of its own.
 */

const workspace = 'slack:T1'
const storeEveryMs = 10

/** Searches, each by what is asked the n-th time. */
const queries: Readonly<Record<string, (n: number) => string>> = {
  'a rare word': rare,
  'a word of one thread in 100': middling,
  'a word of every thread': () => 'the',
  'a common word': common,
  'two common words': (n) => `${common(n)} ${common(n + 3)}`,
  'two words of one in 100': (n) => `${middling(n)} ${middling(n + 7)}`,
  'a common and a rare word': (n) => `${common(n)} ${rare(n)}`,
  'three letters': (n) => rare(n).slice(0, 3),
  'two beginnings': (n) => `${common(n).slice(0, 3)} ${rare(n).slice(0, 4)}`,
  'a place and a person never there': () => 'in:C5 from:person8',
  'a person and a word': (n) => `from:person${n % 40} ${common(n)}`,
  'a state and a word': (n) => `is:done ${common(n)}`,
  'an old day and a word': () => 'before:2026-11-01 the',
}

export async function printSearch(program: string, threads: number): Promise<void> {
  const server = await startNativeRedis(program)
  const folder = await mkdtemp(join(tmpdir(), 'clew-search-'))
  const redis = server.connect(0)
  const clock = createSystemClock()
  await redis.config('SET', 'auto-aof-rewrite-percentage', '0')
  await fillThreads(redis, workspace, threads, clock.now())
  const clew = await startPart<string>(new URL('./clew.ts', import.meta.url), {
    REDIS_URL: server.url(0),
    DATA_DIR: folder,
    PORT: '0',
    OPENAI_MODEL: 'rehearsal',
  })
  try {
    const alone = createOpening(redis)
    await clock.sleep(3_000)
    const before = await alone.end()
    const meanwhile = createOpening(redis)
    await searches(clew.ready, redis, 5)
    const heads = ['p50 ms', 'p95 ms', 'most ms', 'longest command, p50 ms', 'most', 'found', 'cut']
    console.log(table([`of ${threads} threads`, ...heads], await searches(clew.ready, redis)))
    const after = await meanwhile.end()
    console.log(`Opening a thread takes ${before} ms alone, ${after} meanwhile (p50, p95, most).`)
  } finally {
    await clew.end()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Rows of the table: each kind of search, asked again and again. */
async function searches(url: string, redis: Redis, asks = 40): Promise<string[][]> {
  await redis.config('SET', 'slowlog-log-slower-than', '100')
  const rows: string[][] = []
  for (const [name, query] of Object.entries(queries)) {
    const taken: number[] = []
    const longest: Slow[] = []
    let found = 0
    let cut = 0
    for (let n = 0; n < asks; n++) {
      await redis.call('SLOWLOG', 'RESET')
      const q = new URLSearchParams({ q: query(n), limit: '20' })
      const began = performance.now()
      const response = await fetch(`${url}/api/conversations?${q}`)
      const answer = (await response.json()) as { conversations?: unknown[]; looked?: number }
      taken.push(performance.now() - began)
      if (answer.conversations === undefined) throw new Error(`${query(n)}: ${response.status}`)
      found += answer.conversations.length
      if (answer.looked !== undefined) cut += 1
      const slow = (await redis.call('SLOWLOG', 'GET', '-1')) as SlowEntry[]
      const commands = slow.map(([, , took, words]) => ({ ms: took / 1_000, name: nameOf(words) }))
      longest.push(commands.sort((a, b) => b.ms - a.ms)[0] ?? { ms: 0, name: '' })
    }
    const [middle = '', , most = ''] = spread(
      longest.map(({ ms }) => ms),
      1,
    )
    const slowest = longest.toSorted((a, b) => b.ms - a.ms)[0]?.name ?? ''
    rows.push([
      name,
      ...spread(taken),
      middle,
      `${most} ${slowest}`,
      `${Math.round(found / asks)}`,
      `${cut}`,
    ])
  }
  return rows
}

/** Entry of the slow log: its id, its time, microseconds, and the words of the command. */
type SlowEntry = [number, number, number, string[]]
interface Slow {
  ms: number
  name: string
}

/** Name of a command, and of a script how many keys it was given. */
const nameOf = ([command = '', script = '', keys = '']: readonly string[]): string =>
  /^eval/i.test(command) ? `${command} ${script.slice(0, 6)}/${keys}` : command

/** Opens a thread about every 10 ms until its end, and answers how long that took. */
function createOpening(redis: Redis) {
  const { conversations } = createRedisStore({ redis, clock: createSystemClock(), worker: 'bench' })
  const clock = createSystemClock()
  const taken: number[] = []
  let isOver = false
  const open = async () => {
    while (!isOver) {
      const id = clock.randomId()
      const address = { workspace: 'chat:bench', channel: 'C1', thread: id }
      const began = performance.now()
      await conversations.open(newConversation({ id, address, at: clock.now(), title: 'Hello' }))
      taken.push(performance.now() - began)
      await clock.sleep(storeEveryMs)
    }
  }
  const opening = open()
  return {
    async end() {
      isOver = true
      await opening
      return spread(taken).join(' / ')
    },
  }
}

const spread = (taken: readonly number[], digits = 0) => {
  const sorted = taken.toSorted((a, b) => a - b)
  return [0.5, 0.95, 1].map((share) =>
    (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(digits),
  )
}
