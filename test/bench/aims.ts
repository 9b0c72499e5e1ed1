import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { createSystemClock } from '../../src/clock.ts'
import { connect } from '../../src/store/redis/connection.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { startNativeRedis } from '../support/native-redis.ts'
import { type Bench, say, stepsOf, work } from './measure.ts'
import { openPage } from './page.ts'
import { type Part, startPart } from './process.ts'
import { aDayAhead, dueTogether } from './schedules.ts'
import { goalOf } from './script.ts'
import { commandsOf, countShortRun } from './short-run.ts'
import { startAndIdle } from './start.ts'
import { table } from './table.ts'

/*
 * `npm run bench -- aims`: each aim beside what is measured now, a miss printed as a miss. Processor time where it can be
 * had, so that a busy machine says little else; what people wait for is by the clock.
 */

export interface Figure {
  what: string
  now: number
  aim: number
  unit: string
}

interface World {
  settings: Record<string, string>
  floor: Part<null>
  program: string
  /** A database of its own for each measurement. */
  urlOf(database: number): string
  rawOf(database: number): Redis
}

/** Measures one after the other, all or those whose names are given, and prints the table. */
export async function printAims(world: World, names: readonly string[]): Promise<void> {
  const figures: Figure[] = []
  for (const [name, measureIt] of Object.entries(measurements)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.error(`measuring ${name} …`)
    figures.push(...(await measureIt(world)))
  }
  const rows = figures.map(({ what, now, aim, unit }) => [
    what,
    `${round(now)} ${unit}`,
    `≤ ${aim} ${unit}`,
    now <= aim ? 'met' : 'MISSED',
  ])
  console.log(table(['', 'now', 'aim', ''], rows))
}

const measurements: Record<string, (world: World) => Promise<Figure[]>> = {
  calls: shortTasks,
  redis: commandsOfOne,
  crowd: whileManyRun,
  schedules: schedulesTogether,
  stored: manySchedules,
  list: conversationsListed,
  memory: manyRuns,
  start: ({ settings }) => startAndIdle(settings),
}

const round = (value: number) => (value < 10 ? value.toFixed(1) : String(Math.round(value)))

/** CPU and time of a short task beside the floor that does the same, the best of three interleaved rounds. */
async function shortTasks({ settings, floor, urlOf, rawOf }: World): Promise<Figure[]> {
  const clew = await startClewAt(settings, urlOf(6))
  const bench: Bench = { clew, page: await openPage(clew.ready), redis: rawOf(6) }
  const figures: Figure[] = []
  try {
    await work(bench, 16, 1)
    for (const { wide, aims } of [
      { wide: 1, aims: { ms: 3.5, cpuMs: 4 } },
      { wide: 16, aims: { ms: 4, cpuMs: 4 } },
    ]) {
      const ours: Spent[] = []
      const floors: Spent[] = []
      for (let round = 0; round < 3; round++) {
        floors.push(await floorOf(floor, wide))
        ours.push(await spentOn(clew, () => inTurn(64 / wide, () => work(bench, wide, 1))))
      }
      for (const unit of ['ms', 'cpuMs'] as const) {
        const least = (all: readonly Spent[]) => Math.min(...all.map((one) => one[unit]))
        const kind = unit === 'ms' ? 'time' : 'CPU'
        const each = `${(least(ours) / 64 / stepsOf(1, 1)).toFixed(2)} ms a step`
        figures.push({
          what: `short task, ${wide} at a time, ${kind} (${each})`,
          now: least(ours) / least(floors),
          aim: aims[unit],
          unit: '× floor',
        })
      }
    }
  } finally {
    bench.page.close()
    await clew.end()
  }
  return figures
}

export interface Spent {
  ms: number
  cpuMs: number
}

const inTurn = async (times: number, work: () => Promise<unknown>) => {
  for (let done = 0; done < times; done++) await work()
}

async function floorOf(floor: Part<null>, wide: number): Promise<Spent> {
  const sum: Spent = { ms: 0, cpuMs: 0 }
  await inTurn(64 / wide, async () => {
    const { ms, cpu } = await floor.ask<{ ms: number; cpu: NodeJS.CpuUsage }>({ runs: wide, items: 1 })
    sum.ms += ms
    sum.cpuMs += (cpu.user + cpu.system) / 1_000
  })
  return sum
}

async function spentOn(clew: Part<string>, what: () => Promise<unknown>): Promise<Spent> {
  const cpuOf = async () => {
    const { cpu } = await clew.ask<{ cpu: NodeJS.CpuUsage }>({})
    return (cpu.user + cpu.system) / 1_000
  }
  const before = await cpuOf()
  const began = performance.now()
  await what()
  const ms = performance.now() - began
  return { ms, cpuMs: (await cpuOf()) - before }
}

/** On a server of its own: it watches every command there. */
async function commandsOfOne({ program }: World): Promise<Figure[]> {
  const server = await startNativeRedis(program)
  const run = await countShortRun(server).finally(() => server.stop())
  return [
    { what: 'commands to Redis of the neutral short task', now: commandsOf(run), aim: 60, unit: '' },
    { what: 'bytes of them', now: run.bytes / 1_000, aim: 35, unit: 'kB' },
  ]
}

const crowd = 500

/** P4: what a message waits for, and how long one turn of the loop takes, while 500 runs go on whose model takes 3 s a call. */
async function whileManyRun({ settings, urlOf, floor }: World): Promise<Figure[]> {
  const clew = await startClewAt(settings, urlOf(7))
  try {
    await Promise.all(Array.from({ length: crowd }, () => say(clew.ready, goalOf(20, 3_000))))
    // Until the beginning of all of them is over.
    await wait(8_000)
    await floor.ask({})
    const { cpu: before } = await clew.ask<{ cpu: NodeJS.CpuUsage }>({ fresh: true })
    const began = performance.now()
    const times: number[] = []
    const until = performance.now() + 12_000
    while (performance.now() < until) {
      times.push(await say(clew.ready, 'Hello, how are you?'))
      await wait(20)
    }
    times.sort((a, b) => a - b)
    const { loop, cpu } = await clew.ask<{ loop: { p99: number }; cpu: NodeJS.CpuUsage }>({})
    const { loop: idle } = await floor.ask<{ loop: { p99: number } }>({})
    const spent = (cpu.user + cpu.system - before.user - before.system) / 10 / (performance.now() - began)
    return [
      {
        what: `a message is acknowledged while ${crowd} tasks run (${Math.round(spent)} % of a core), page, p99`,
        now: times[Math.floor(times.length * 0.99)] ?? 0,
        aim: 60,
        unit: 'ms',
      },
      {
        what: `delay of its loop, p99 (of an idle process beside it ${round(idle.p99)} ms)`,
        now: loop.p99,
        aim: 20,
        unit: 'ms',
      },
    ]
  } finally {
    await clew.end()
  }
}

async function schedulesTogether({ settings, urlOf, rawOf }: World): Promise<Figure[]> {
  const last: number[] = []
  for (let tries = 0; tries < 3; tries++) last.push(await dueTogether({ ...settings, REDIS_URL: urlOf(8) }, rawOf(8)))
  const now = Math.min(...last)
  return [{ what: '1,000 schedules due together, the last says running (best of 3)', now, aim: 100, unit: 'ms' }]
}

/** Of a place with 10,000 schedules: a page of them, and one more. */
async function manySchedules({ settings, urlOf, rawOf }: World): Promise<Figure[]> {
  const redis = connect(urlOf(9), 'commands')
  await rawOf(9).flushdb()
  const { schedules } = createRedisStore({ redis, clock: createSystemClock(), worker: 'bench' })
  const row = await aDayAhead(schedules)
  for (let n = 0; n < 10_000; n += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, at) =>
        schedules.add('web:local', 'channel:web', `many-${n + at}`, { ...row, title: `${row.title} ${n + at}` }),
      ),
    )
  redis.disconnect()
  const clew = await startClewAt(settings, urlOf(9))
  const timed = async (path: string, bodyOf?: (at: number) => object) => {
    const times: number[] = []
    for (let at = 0; at < 31; at++) {
      const began = performance.now()
      const body = bodyOf === undefined ? {} : { method: 'POST', body: JSON.stringify(bodyOf(at)) }
      const response = await fetch(`${clew.ready}${path}`, { ...body, headers: { 'content-type': 'application/json' } })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} answered ${response.status}`)
      times.push(performance.now() - began)
    }
    return times.sort((a, b) => a - b)[15] ?? 0
  }
  try {
    const listed = await timed('/api/schedules?limit=50')
    // All others are due a day ahead.
    const added = (days: number) => {
      const day = new Date(Date.now() + days * 86_400_000).toISOString()
      return timed('/api/schedules', (at) => ({
        when: `${day.slice(0, 10)} ${day.slice(11, 14)}${10 + at}`,
        title: `One more ${at}`,
      }))
    }
    return [
      { what: 'of 10,000 schedules of one place a page of 50 is listed (median)', now: listed, aim: 10, unit: 'ms' },
      { what: 'one is added when they are due (median)', now: await added(1), aim: 5, unit: 'ms' },
      { what: 'one is added for a year ahead (median)', now: await added(365), aim: 5, unit: 'ms' },
      { what: 'one is added for a day when none is due (median)', now: await added(5), aim: 5, unit: 'ms' },
    ]
  } finally {
    await clew.end()
  }
}

/** What Clew keeps of runs that have ended: its memory after 10,000 of them, beside that after the first 5,000. */
async function manyRuns({ settings, urlOf, rawOf }: World): Promise<Figure[]> {
  const clew = await startClewAt(settings, urlOf(11))
  const bench: Bench = { clew, page: await openPage(clew.ready), redis: rawOf(11) }
  const after = async (runs: number) => {
    await inTurn(runs / 20, () => work(bench, 20, 1))
    return (await clew.ask<{ rss: number }>({})).rss / 1_048_576
  }
  try {
    const [half, whole] = [await after(5_000), await after(5_000)]
    return [
      { what: `memory after 10,000 runs (after 5,000: ${Math.round(half)} MB)`, now: whole, aim: 300, unit: 'MB' },
      { what: 'the same beside that after 5,000', now: whole / half, aim: 1.05, unit: '×' },
    ]
  } finally {
    bench.page.close()
    await clew.end()
  }
}

/** CPU of Clew for the newest 50 of 200 conversations, as the page asks for them; the requests themselves are in it. */
async function conversationsListed({ settings, urlOf }: World): Promise<Figure[]> {
  const clew = await startClewAt(settings, urlOf(10))
  const get = async () => {
    const response = await fetch(`${clew.ready}/api/conversations?limit=50`)
    const { conversations } = (await response.json()) as { conversations: unknown[] }
    if (conversations.length !== 50) throw new Error(`${conversations.length} conversations were listed`)
  }
  try {
    for (let n = 0; n < 200; n++) await say(clew.ready, 'Hello, how are you?')
    await wait(3_000)
    await inTurn(200, get)
    const { ms, cpuMs } = await spentOn(clew, () => inTurn(200, get))
    const what = `50 of 200 conversations are listed, CPU (${(ms / 200).toFixed(1)} ms in all)`
    return [{ what, now: cpuMs / 200, aim: 2, unit: 'ms' }]
  } finally {
    await clew.end()
  }
}

const startClewAt = (settings: Record<string, string>, url: string) =>
  startPart<string>(new URL('./clew.ts', import.meta.url), {
    ...settings,
    REDIS_URL: url,
    DATA_DIR: join(settings.DATA_DIR ?? '', `aims-${url.split('/').at(-1)}`),
  })
