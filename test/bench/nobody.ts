import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { keysOf } from '../../src/store/redis/keys.ts'
import { say, stepsOf } from './measure.ts'
import { openPage } from './page.ts'
import { type Part, startPart } from './process.ts'
import { goalOf } from './script.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- nobody`: processor time of the process that serves the page while a worker works, with a page open and with
 * none (C557).
 */

const runs = 20
const items = 4
const keys = keysOf('web:local')

type Spent = { cpu: NodeJS.CpuUsage }

export async function nobody(settings: Record<string, string>, redis: Redis): Promise<void> {
  const rows: string[][] = []
  for (const isOpen of [true, false]) rows.push(await worked(isOpen, settings, redis))
  const heads = [
    'page',
    'steps/s',
    'page process, ms of CPU a step',
    'of a core',
    'worker, ms a step',
  ]
  console.log(table(heads, rows))
}

async function worked(isOpen: boolean, settings: Record<string, string>, redis: Redis) {
  await redis.flushdb()
  const start = (name: string, roles: string) =>
    startPart<string>(new URL('./clew.ts', import.meta.url), {
      ...settings,
      DATA_DIR: `${settings.DATA_DIR}/${name}-${isOpen}`,
      ROLES: roles,
    })
  const page = await start('nobody-page', 'web')
  const worker = await start('nobody-worker', 'worker,scheduler')
  const stream = isOpen ? await openPage(page.ready) : null
  try {
    await begun(page, redis, 4)
    const before = await Promise.all([page, worker].map((part) => part.ask<Spent>({})))
    const began = performance.now()
    await begun(page, redis, runs)
    const took = performance.now() - began
    const after = await Promise.all([page, worker].map((part) => part.ask<Spent>({})))
    const [ofPage = 0, ofWorker = 0] = after.map(({ cpu }, at) => {
      const { user, system } = before[at]?.cpu ?? { user: 0, system: 0 }
      return (cpu.user + cpu.system - user - system) / 1_000
    })
    const steps = stepsOf(runs, items)
    return [
      isOpen ? 'open' : 'none',
      `${Math.round(steps / (took / 1_000))}`,
      (ofPage / steps).toFixed(3),
      `${Math.round((100 * ofPage) / took)} %`,
      (ofWorker / steps).toFixed(3),
    ]
  } finally {
    stream?.close()
    await page.end()
    await worker.end()
  }
}

/** Begins so many runs and waits until all have ended. */
async function begun({ ready }: Part<string>, redis: Redis, count: number): Promise<void> {
  const all = (await redis.zcard(keys.runs)) + count
  await Promise.all(Array.from({ length: count }, () => say(ready, goalOf(items, 0))))
  for (;;) {
    const ids = await redis.zrange(keys.runs, '0', '-1')
    const statuses = await Promise.all(ids.map((id) => redis.hget(keys.run(id).row, 'status')))
    if (statuses.filter((status) => status === '"succeeded"').length >= all) return
    await sleep(100)
  }
}
