import { cpus } from 'node:os'
import type { Redis } from 'ioredis'
import { say } from './measure.ts'
import { openPage } from './page.ts'
import { type Part, startPart } from './process.ts'
import { callsPerItem, goalOf } from './script.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- scale`: what more worker processes bring. A process with the page, and 1, 2 or 4 with workers alone; the
 * model takes a second a call. Redis, the model's endpoint and this bench share the cores with them, so the table says how many
 * there are and how much of them all of it took.
 */

const runs = 1_500
const modelMs = 1_000
const peopleAtOnce = 50
/** Of a run of one item: its plan, four thoughts, the one that closes it, the replan. */
const modelCalls = callsPerItem + 3

type Spent = { cpu: NodeJS.CpuUsage }

export async function scale(settings: Record<string, string>, redis: Redis): Promise<void> {
  const rows: string[][] = []
  for (const count of [1, 2, 4]) rows.push(await withWorkers(count, settings, redis))
  const heads = [
    'workers',
    'model calls/s',
    'all done after s',
    'a message waits p50 / p99 ms',
    'a run waits p50 / p99 s',
    'CPU of each worker',
    'of the page',
    'Redis, kB a thread',
  ]
  console.log(`${runs} tasks at once, ${modelCalls} model calls of ${modelMs / 1_000} s each:`)
  console.log(table(heads, rows))
  const cores = cpus().length
  if (cores < 8)
    console.log(
      `This machine has ${cores} cores and none to spare: workers, page, Redis and the model’s endpoint share them.\n`,
    )
}

async function withWorkers(
  count: number,
  settings: Record<string, string>,
  redis: Redis,
): Promise<string[]> {
  await redis.flushdb()
  const start = (name: string, roles: string) =>
    startPart<string>(new URL('./clew.ts', import.meta.url), {
      ...settings,
      DATA_DIR: `${settings.DATA_DIR}/${name}`,
      ROLES: roles,
    })
  const page = await start('page', 'web')
  const workers: Part<string>[] = []
  for (let place = 0; place < count; place++)
    workers.push(await start(`worker-${place}`, 'worker,scheduler'))
  const all = [page, ...workers]
  const stream = await openPage(page.ready)
  try {
    const before = await Promise.all(all.map((part) => part.ask<Spent>({})))
    const empty = await memoryOf(redis)
    const began = performance.now()
    let said = 0
    const shown = stream.reports(runs)
    const acknowledged: number[] = []
    const people = Array.from({ length: peopleAtOnce }, async () => {
      while (said++ < runs) acknowledged.push(await say(page.ready, goalOf(1, modelMs)))
    })
    await Promise.all(people)
    await shown
    const took = performance.now() - began
    const after = await Promise.all(all.map((part) => part.ask<Spent>({})))
    const cores = after.map(({ cpu }, at) => {
      const { user, system } = before[at]?.cpu ?? { user: 0, system: 0 }
      return Math.round((cpu.user + cpu.system - user - system) / 10 / took)
    })
    const waits = await waitsOf(redis)
    const kept = (await memoryOf(redis)) - empty
    return [
      `${count}`,
      `${Math.round((runs * modelCalls) / (took / 1_000))}`,
      (took / 1_000).toFixed(1),
      `${at(acknowledged, 0.5).toFixed(0)} / ${at(acknowledged, 0.99).toFixed(0)}`,
      `${(at(waits, 0.5) / 1_000).toFixed(1)} / ${(at(waits, 0.99) / 1_000).toFixed(1)}`,
      cores
        .slice(1)
        .map((share) => `${share} %`)
        .join(' '),
      `${cores[0]} %`,
      (kept / runs / 1_000).toFixed(1),
    ]
  } finally {
    stream.close()
    for (const part of all) await part.end()
  }
}

/** Bytes that Redis uses. */
const memoryOf = async (redis: Redis) =>
  Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0)

/** From its message to its start, of each run, in milliseconds. */
async function waitsOf(redis: Redis): Promise<number[]> {
  const base = 'clew:{web:local}:'
  const ids = await redis.zrange(`${base}runs`, '0', '-1')
  const rows = await Promise.all(
    ids.map((id) => redis.hmget(`${base}run:${id}`, 'createdAt', 'startedAt')),
  )
  return rows.map(([created, started]) => Number(started) - Number(created))
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
