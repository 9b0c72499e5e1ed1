import type { Redis } from 'ioredis'
import type { NativeRedis } from '../support/native-redis.ts'
import { type Bench, measure, stepsOf, work } from './measure.ts'
import { monitor } from './monitor.ts'
import { openPage } from './page.ts'
import { startPart } from './process.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- audit`: cost of a step whose calls act, with their rows in the audit, beside the same run whose calls only
 * look. Both are measured in turn, in processor time: a busy machine adds to both of a pair.
 */

const rounds = 12
const items = 20
const steps = stepsOf(1, items)

/** Processor time of Clew and of Redis, in µs a step. */
interface Spent {
  clew: number
  redis: number
}

export async function auditCost(
  settings: Record<string, string>,
  server: NativeRedis,
): Promise<void> {
  const open = (effect: string, database: number) =>
    opened({ ...settings, LOOKUP_EFFECT: effect }, server, database)
  const [without, audited] = [await open('none', 5), await open('keyed', 6)]
  const pairs: { low: Spent; high: Spent }[] = []
  try {
    for (const { bench } of [without, audited]) await work(bench, 2, items)
    for (let round = 0; round < rounds; round += 2) {
      const low = await spentIn(without.bench)
      const high = await spentIn(audited.bench)
      pairs.push({ low, high })
      // In the other order, so that neither is always the first.
      const next = await spentIn(audited.bench)
      pairs.push({ low: await spentIn(without.bench), high: next })
    }
    printCosts(pairs, [await sizesOf(without.bench), await sizesOf(audited.bench)])
  } finally {
    await without.end()
    await audited.end()
  }
}

async function opened(settings: Record<string, string>, server: NativeRedis, database: number) {
  const clew = await startPart<string>(new URL('./clew.ts', import.meta.url), {
    ...settings,
    REDIS_URL: server.url(database),
    DATA_DIR: `${settings.DATA_DIR}/audit-${database}`,
  })
  const page = await openPage(clew.ready)
  const bench: Bench = { clew, page, redis: server.connect(database) }
  const end = async () => {
    page.close()
    await clew.end()
  }
  return { bench, end }
}

async function spentIn(bench: Bench): Promise<Spent> {
  const { cpu } = await bench.clew.ask<{ cpu: NodeJS.CpuUsage }>({})
  const before = await processorOf(bench.redis)
  await work(bench, 1, items)
  const redis = (await processorOf(bench.redis)) - before
  const { cpu: after } = await bench.clew.ask<{ cpu: NodeJS.CpuUsage }>({})
  const clew = after.user + after.system - cpu.user - cpu.system
  return { clew: clew / steps, redis: (1_000_000 * redis) / steps }
}

/** Seconds of the processor that the server has taken so far. */
async function processorOf(redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const of = (name: string) => Number(new RegExp(`${name}:([\\d.]{1,20})`).exec(info)?.[1] ?? 0)
  return of('used_cpu_user') + of('used_cpu_sys')
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Scripts that were run, the bytes of their arguments, and what is stored. */
async function sizesOf(bench: Bench) {
  let scripts = 0
  let bytes = 0
  const stop = await monitor(bench.redis, (args) => {
    if (args[0]?.toLowerCase() !== 'evalsha') return
    scripts += 1
    bytes += args.reduce((sum, arg) => sum + arg.length, 0)
  })
  const { rowBytes, fileBytes } = await measure(bench, 1, items)
  stop()
  return [scripts / steps, bytes / steps, rowBytes / steps, fileBytes / steps]
}

function printCosts(
  pairs: readonly { low: Spent; high: Spent }[],
  sizes: readonly (readonly number[])[],
) {
  const rows = (['low', 'high'] as const).map((which, at) => {
    const [scripts = 0, ...bytes] = sizes[at] ?? []
    return [
      which === 'low' ? 'without' : 'with',
      medianOf(pairs.map((pair) => pair[which].clew)).toFixed(0),
      medianOf(pairs.map((pair) => pair[which].redis)).toFixed(0),
      scripts.toFixed(2),
      ...bytes.map((each) => each.toFixed(0)),
    ]
  })
  const heads = ['a step', 'Clew µs', 'Redis µs', 'scripts', 'bytes sent', 'stored', 'AOF']
  console.log(`A run of ${steps} steps, the median of ${pairs.length} pairs in turn:`)
  console.log(table(heads, rows))
  const times = (of: (spent: Spent) => number) =>
    `${medianOf(pairs.map(({ low, high }) => of(high) / of(low))).toFixed(3)}×`
  console.log(
    `With the audit ${times(({ clew, redis }) => clew + redis)} the processor time (Clew ${times(({ clew }) => clew)}, Redis ${times(({ redis }) => redis)}); aim ≤ 1.05×.\n`,
  )
}
