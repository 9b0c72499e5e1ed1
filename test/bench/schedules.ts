import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { commandFrom } from '../../src/agent/commands/command-from-table.ts'
import { scheduleTable } from '../../src/agent/commands/schedule-table.ts'
import { scopeBy } from '../../src/agent/commands/scope.ts'
import type { Schedule } from '../../src/agent/domain/schedule.ts'
import type { Schedules } from '../../src/agent/ports/store.ts'
import { wakingSchedules } from '../../src/agent/schedules/wake-on-write.ts'
import { createSystemClock } from '../../src/clock.ts'
import { createBullWakeups } from '../../src/store/queue.ts'
import { connect } from '../../src/store/redis/connection.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { silent } from '../support/silent.ts'
import { startPart } from './process.ts'
import { table } from './table.ts'

const count = 1_000
const workspace = 'web:local'
const scope = 'channel:web'
/** Time enough to write them all before they are due. */
const aheadMs = 5_000

/**
 * A thousand schedules that are due in one second, on the production composition: how long after that second the last of
 * their runs says `running`, and what a schedule weighs beside a bare row of the same content.
 */
export async function schedulesDue(settings: Record<string, string>, raw: Redis): Promise<void> {
  const rows: string[][] = []
  const { schedules, close } = openWriter(settings.REDIS_URL ?? '')
  try {
    for (let tries = 0; tries < 3; tries += 1) {
      await raw.flushdb()
      const weight = await weigh(schedules, raw)
      await raw.flushdb()
      const { first, half, last } = await start(settings, schedules, raw)
      rows.push([String(tries + 1), ...[first, half, last].map((ms) => `${ms} ms`), weight])
    }
  } finally {
    await close()
  }
  console.log(`${count} schedules due in one second (aims: 100 ms, 1.5 times):\n`)
  console.log(table(['try', 'first running', 'half', 'last running', 'bytes a schedule'], rows))
}

/** When the last of them says `running`, in milliseconds after the instant at which all are due. */
export async function dueTogether(settings: Record<string, string>, raw: Redis): Promise<number> {
  await raw.flushdb()
  const { schedules, close } = openWriter(settings.REDIS_URL ?? '')
  try {
    return (await start(settings, schedules, raw)).last
  } finally {
    await close()
  }
}

/** The schedules as a process writes them that works off none. */
function openWriter(url: string) {
  const redis = connect(url, 'commands')
  const clock = createSystemClock()
  const queue = {
    connect: (use: Parameters<typeof connect>[1]) => connect(url, use),
    clock,
    log: silent,
  }
  const wakeups = createBullWakeups({ ...queue, worker: false, platforms: [], concurrency: 1 })
  const store = createRedisStore({ redis, clock, worker: 'bench' })
  return {
    schedules: wakingSchedules(store.schedules, { wakeups, clock, log: silent }),
    async close() {
      await wakeups.stop()
      redis.disconnect()
    },
  }
}

interface Started {
  first: number
  half: number
  last: number
}

async function start(
  settings: Record<string, string>,
  schedules: Schedules,
  raw: Redis,
): Promise<Started> {
  const clew = await startPart<string>(new URL('./clew.ts', import.meta.url), {
    ...settings,
    DATA_DIR: join(settings.DATA_DIR ?? '', 'schedules'),
    AGENT_RUNS_AT_ONCE: String(count * 2),
    ROLES: 'worker,scheduler',
  })
  try {
    const due = Math.ceil((Date.now() + aheadMs) / 1_000) * 1_000
    await fill(schedules, await rowOf(schedules, due))
    return await untilRunning(raw, due)
  } finally {
    await clew.end()
  }
}

const fill = (schedules: Schedules, row: Row): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      schedules.add(workspace, scope, `bench-${n}`, { ...row, title: `${row.title} ${n}` }),
    ),
  )

/**
 * What a thousand schedules with their alarms weigh beside the same texts under keys of their own. What an effect leaves
 * behind is every tool's, and goes by itself: it is not weighed.
 */
async function weigh(schedules: Schedules, raw: Redis): Promise<string> {
  const row = await rowOf(schedules, Date.now() + 86_400_000)
  await fill(schedules, row)
  const own = [`clew:{${workspace}}:schedules:${scope}`, `clew:{${workspace}}:alarms`]
  const texts = Object.entries(await raw.hgetall(own[0] ?? '')).filter(
    ([id]) => !id.startsWith('~'),
  )
  const batch = raw.pipeline()
  for (const [id, text] of texts) batch.set(`clew:{${workspace}}:schedule:${scope}:${id}`, text)
  await batch.exec()
  const weightOf = async (key: string) => Number(await raw.memory('USAGE', key, 'SAMPLES', 0))
  const ours = (await Promise.all(own.map(weightOf))).reduce((sum, bytes) => sum + bytes, 0)
  const bare = (
    await Promise.all(texts.map(([id]) => weightOf(`clew:{${workspace}}:schedule:${scope}:${id}`)))
  ).reduce((sum, bytes) => sum + bytes, 0)
  return `${Math.round(ours / count)} beside ${Math.round(bare / count)} (${(ours / bare).toFixed(2)} times)`
}

type Row = Omit<Schedule, 'id' | 'version'>

export const aDayAhead = (schedules: Schedules) => rowOf(schedules, Date.now() + 86_400_000)

/** One row as the command makes it, taken off again. */
async function rowOf(schedules: Schedules, due: number): Promise<Row> {
  const command = commandFrom(scheduleTable, {
    schedules,
    runs: { state: async () => null },
    scopeOf: scopeBy('channel'),
    allowable: [],
    ways: [],
  })
  const at = new Date(due).toISOString().slice(0, 16).replace('T', ' ')
  const context = {
    workspace,
    channel: 'web',
    conversationId: '',
    person: { id: 'ana', name: 'Ana' },
    whose: { way: 'typed' as const, by: 'member' as const },
    locale: 'en',
    timeZone: 'UTC',
    now: due - 3_600_000,
    effectId: `bench-first-${due}`,
  }
  await command.run(`add ${at} post what is due today`, context)
  const [row] = await schedules.list(workspace, scope)
  if (row === undefined) throw new Error('there is no schedule to measure')
  await schedules.remove(workspace, scope, `bench-gone-${due}`, row.id)
  const { version: _, id: __, ...rest } = row
  return { ...rest, when: { kind: 'once' as const, at: due }, nextAt: due }
}

/** Counts, in one round trip, the runs whose row no longer says `queued`. */
const started = `
local ids = redis.call('ZRANGE', KEYS[1], 0, -1)
local running = 0
for _, id in ipairs(ids) do
  local status = redis.call('HGET', ARGV[1] .. id, 'status')
  if status and status ~= '"queued"' then running = running + 1 end
end
return running
`

async function untilRunning(raw: Redis, due: number): Promise<Started> {
  await wait(due - Date.now() - 5)
  let first: number | null = null
  let half: number | null = null
  for (;;) {
    const running = Number(
      await raw.eval(started, 1, `clew:{${workspace}}:runs`, `clew:{${workspace}}:run:`),
    )
    const passed = Date.now() - due
    if (running > 0) first ??= passed
    if (running >= count / 2) half ??= passed
    if (running >= count) return { first: first ?? 0, half: half ?? 0, last: passed }
    if (passed > 60_000) throw new Error(`after a minute only ${running} runs have begun`)
    await wait(2)
  }
}
