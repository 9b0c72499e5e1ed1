import type { Redis } from 'ioredis'
import { newConversation } from '../../src/agent/domain/conversation.ts'
import type { Slot, When } from '../../src/agent/domain/schedule.ts'
import { wallClockIn, weekdayOf } from '../../src/agent/domain/zone.ts'
import type { Clock } from '../../src/agent/ports/clock.ts'
import type { Commits, Store } from '../../src/agent/ports/store.ts'
import { createFire } from '../../src/agent/schedules/fire.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { scheduleOf } from '../agent/schedules/rows.ts'
import { silent } from '../support/silent.ts'

/*
 * P10: time passes by a clock of the test's own, in steps of its own choosing, over the real store: on time, after
 * outages, after restarts, after crashes before and after the write, and with a clock that jumps by an hour. What the rows
 * say in the end is compared with what a plain scan of the calendar says should have happened.
 */

/** One that turns at two in the night, one that turns back at one, one by half an hour, and one at midnight. */
const zones = [
  'America/New_York',
  'Europe/Lisbon',
  'Australia/Lord_Howe',
  'America/Santiago',
] as const

interface Plan {
  when: When
  /** Minutes since midnight, and the weekdays on which they count. */
  clocks: readonly number[]
  days: readonly number[]
}
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const cron = (expression: string): When => ({ kind: 'cron', expression, times: -1 })
const plans: readonly Plan[] = [
  { when: cron('30 2 * * *'), clocks: [150], days: everyDay },
  { when: cron('0 9 * * 1-5'), clocks: [540], days: [1, 2, 3, 4, 5] },
  { when: cron('15 1,13 * * *'), clocks: [75, 795], days: everyDay },
  { when: cron('0 0 * * *'), clocks: [0], days: everyDay },
]

export interface YearOptions {
  redis: Redis
  from: number
  days: number
  seed: number
}

export interface YearReport {
  expected: number
  rows: Record<Slot['outcome'], number>
  /** What happened to it: each must be more than none, or nothing was tried. */
  tried: { outages: number; restarts: number; crashes: number; jumps: number }
  /** Slots without a row, with two, or with a row that the calendar does not know; and starts beyond the rule. */
  problems: string[]
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const workspace = 'web:year'
const scope = 'channel:web'

export async function simulateYear({ redis, from, days, seed }: YearOptions): Promise<YearReport> {
  await redis.flushdb()
  const random = randomFrom(seed)
  const end = from + days * dayMs
  let now = from
  const clock: Clock = {
    now: () => now,
    sleep: async () => {},
    every: () => () => {},
    randomId: () => String(random()),
  }
  const rows = new Map<number, Slot[]>()
  const tried: YearReport['tried'] = { outages: 0, restarts: 0, crashes: 0, jumps: 0 }
  let dying: 'before' | 'after' | null = null

  /** Commits as they are, or cut off by the process's end just before or just after. */
  const mortal = (commits: Commits): Commits => ({
    async commit(lease, change) {
      const death = (change.rang ?? []).length > 0 ? dying : null
      if (death !== null) dying = null
      if (death === 'before') throw new Error('killed before the write')
      const committed = await commits.commit(lease, change)
      if (committed.kind === 'committed')
        for (const rang of change.rang ?? [])
          if (rang.kind === 'schedule') rows.get(rang.after.id)?.push(...rang.slots)
      if (death === 'after') throw new Error('killed after the write')
      return committed
    },
  })

  function boot(): Life {
    const store = createRedisStore({ redis, clock, worker: 'year' })
    const stop = new AbortController()
    const fire = createFire({
      leases: store.leases,
      nudges: new Map(),
      wakeups: { wake: async () => {} },
      timesIn: () => 'named',
      channelOf: () => null,
      freeSlots: () => 0,
      begin() {},
      clock,
      log: silent,
      store: { ...store, commits: mortal(store.commits) },
    })
    return { store, look: () => fire({ kind: 'schedules', workspace, id: 'all' }, stop.signal) }
  }

  let life = boot()
  const made = await addAll(life.store, from)
  for (const { id } of made) rows.set(id, [])
  let furthest = from

  while (now < end) {
    const next = Number(
      (await redis.zrange(`clew:{${workspace}}:alarms`, '0', '0', 'WITHSCORES'))[1] ?? end,
    )
    const luck = random()
    if (luck < 0.02) {
      tried.outages += 1
      now = Math.max(now, next) + random() * 3 * dayMs
    } else if (luck < 0.04) {
      tried.jumps += 1
      now += (random() < 0.5 ? -1 : 1) * hourMs
    } else now = Math.max(now, next + random() * 2_000)
    if (random() < 0.03) {
      tried.restarts += 1
      life = boot()
    }
    if (random() < 0.05) dying = random() < 0.5 ? 'before' : 'after'
    now = Math.min(now, end)
    await life.look()
    furthest = Math.max(furthest, now)
    if (dying === null && random() < 0.001) continue
    // A process that died holds its lease for ten seconds more; its successor takes it over.
    if ((await isHeld(redis)) && now < end) {
      tried.crashes += 1
      life = boot()
      now += 11_000
      await life.look()
    }
  }
  dying = null
  now = Math.max(now, furthest) + 11_000
  await boot().look()

  const problems: string[] = []
  const counts: YearReport['rows'] = { fired: 0, late: 0, missed: 0, skipped: 0 }
  let expected = 0
  for (const { id, zone, plan } of made) {
    const due = calendar(plan, zone, from, now)
    expected += due.length
    const met = rows.get(id) ?? []
    for (const { outcome } of met) counts[outcome] += 1
    problems.push(...differences(`#${id} ${zone}`, due, met))
    const notes = await redis.llen(`clew:{${workspace}}:conversation:c_${id}:messages`)
    const started = met.filter(({ outcome }) => outcome === 'fired' || outcome === 'late').length
    if (notes !== started) problems.push(`#${id}: ${started} starts, but ${notes} messages`)
  }
  return { expected, rows: counts, tried, problems }
}

interface Life {
  store: Store
  look(): Promise<void>
}

const isHeld = async (redis: Redis) =>
  Number((await redis.hget(`clew:{${workspace}}:scheduler`, '~until')) ?? 0) > 0

async function addAll(
  store: Store,
  from: number,
): Promise<{ id: number; zone: string; plan: Plan }[]> {
  const made: { id: number; zone: string; plan: Plan }[] = []
  for (const zone of zones)
    for (const plan of plans) {
      const id = made.length + 1
      const place = { channel: 'web', conversationId: `c_${id}`, locale: 'en', timeZone: zone }
      await store.conversations.open(
        newConversation({
          id: `c_${id}`,
          address: { workspace, channel: 'web', thread: `t_${id}` },
          title: 'notes',
          at: from,
          lastReadAt: from,
          timeZone: zone,
        }),
      )
      const {
        version: _,
        id: __,
        ...row
      } = scheduleOf({ when: plan.when, work: 'note', place }, from)
      await store.schedules.add(workspace, scope, `e_${id}`, row)
      made.push({ id, zone, plan })
    }
  return made
}

/** Which instants the written rule names, found without any of Clew's own arithmetic: every quarter of an hour is asked. */
function calendar({ clocks, days }: Plan, zone: string, from: number, to: number): number[] {
  const shown = new Map<string, number>()
  const quarter = 15 * minuteMs
  for (
    let at = Math.floor((from - 2 * dayMs) / quarter) * quarter;
    at <= to + dayMs;
    at += quarter
  ) {
    const { year, month, day, hour, minute } = wallClockIn(zone, at)
    const key = `${Date.UTC(year, month - 1, day)} ${hour * 60 + minute}`
    if (!shown.has(key)) shown.set(key, at)
  }
  const due = new Set<number>()
  for (
    let date = Math.floor((from - 2 * dayMs) / dayMs) * dayMs;
    date <= to + dayMs;
    date += dayMs
  ) {
    const wall = wallClockIn('UTC', date)
    if (!days.includes(weekdayOf(wall))) continue
    for (const clock of clocks) {
      const at = shown.get(`${date} ${clock}`) ?? skipped(shown, date, clock)
      if (at !== null && at > from && at <= to) due.add(at)
    }
  }
  return [...due].sort((a, b) => a - b)
}

/** A clock that the day does not show: as long after the last one before it as it would have been. */
function skipped(shown: ReadonlyMap<string, number>, date: number, clock: number): number | null {
  for (let back = 15; back <= 240; back += 15) {
    const minutes = clock - back
    const [day, rest] = minutes < 0 ? [date - dayMs, minutes + 1440] : [date, minutes]
    const at = shown.get(`${day} ${rest}`)
    if (at !== undefined) return at + back * minuteMs
  }
  return null
}

function differences(name: string, due: readonly number[], met: readonly Slot[]): string[] {
  const problems: string[] = []
  const times = met.flatMap(({ at }) => at)
  const counts = new Map<number, number>()
  for (const at of times) counts.set(at, (counts.get(at) ?? 0) + 1)
  const iso = (at: number) => new Date(at).toISOString()
  for (const at of due) if (!counts.has(at)) problems.push(`${name}: nothing became of ${iso(at)}`)
  for (const [at, count] of counts) {
    if (count > 1) problems.push(`${name}: ${iso(at)} came ${count} times`)
    if (!due.includes(at)) problems.push(`${name}: ${iso(at)} is no slot`)
  }
  const looks = Map.groupBy(met, ({ decidedAt }) => decidedAt)
  for (const [decidedAt, together] of looks) {
    const starts = together.filter(({ outcome }) => outcome === 'fired' || outcome === 'late')
    const latest = Math.max(...together.map(({ at }) => at))
    if (starts.length !== 1 || starts[0]?.at !== latest)
      problems.push(
        `${name}: at ${iso(decidedAt)} of ${together.length} due slots ${starts.length} started`,
      )
  }
  return problems
}

/** The same numbers for the same seed (P16). */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
