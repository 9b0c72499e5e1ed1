import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule, Slot } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Calendar, CalendarRow, PastSlot } from '../../agent/ports/calendar.ts'
import { readGood, readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { alarmNamed, keysOf } from './keys.ts'
import { slotsKept } from './numbered-rows.ts'

/** Of so many slots of a page it is told what became of their runs, the newest of each schedule first. */
const runsMost = 1_000

export function createCalendar({ redis }: { redis: Connection }): Calendar {
  return {
    async page(workspace, { from, to, before, skip, limit }) {
      const keys = keysOf(workspace)
      const until = before === Number.POSITIVE_INFINITY ? '+inf' : `(${before}`
      const coming = await redis.zrangebyscore(keys.alarms, '-inf', until, 'LIMIT', skip, limit)
      const left = limit - coming.length
      const passed = left === 0 ? 0 : Math.max(0, skip - (await redis.zcount(keys.alarms, '-inf', until)))
      const over = left === 0 ? [] : await redis.zrangebyscore(keys.pastAlarms, from, '+inf', 'LIMIT', passed, left)
      const names = [...coming, ...over].map(alarmNamed)
      const texts = await inOneTrip(redis, names, (batch, { kind, scope, id }) =>
        batch.hget(keys.rows(kind, scope), id),
      )
      const rows = names.map(({ kind, scope }, at): CalendarRow | null => {
        const text = String(texts[at] ?? '')
        if (kind === 'todo') return readGood(Todo, [text]).map((todo) => ({ kind, scope, todo }))[0] ?? null
        return readGood(Schedule, [text]).map((schedule) => ({ kind, scope, schedule, slots: [] }))[0] ?? null
      })
      return await withSlots(redis, workspace, rows, { from, to })
    },
    async gone(workspace, ids) {
      if (ids.length === 0) return new Set()
      const known = await redis.zmscore(keysOf(workspace).conversations, ...ids)
      return new Set(ids.filter((_, at) => known[at] === null))
    },
  }
}

async function withSlots(
  redis: Connection,
  workspace: string,
  rows: (CalendarRow | null)[],
  { from, to }: { from: number; to: number },
): Promise<(CalendarRow | null)[]> {
  const keys = keysOf(workspace)
  const dealtWith = rows.filter(
    (row) => row?.kind === 'schedule' && (row.schedule.lastAt ?? row.schedule.lastRunId) !== null,
  )
  const kept = await inOneTrip(redis, dealtWith, (batch, row) =>
    batch.lrange(keys.slots(row?.scope ?? '', row?.kind === 'schedule' ? row.schedule.id : 0), -slotsKept, -1),
  )
  const slots = new Map<CalendarRow | null, Slot[]>()
  for (const [at, row] of dealtWith.entries()) {
    const texts = Array.isArray(kept[at]) ? kept[at].map(String) : []
    const within = readGood(Slot, texts).filter((slot) => (slot.until ?? slot.at) >= from && slot.at < to)
    slots.set(row, within.reverse())
  }
  const ran = [...slots.values()].flat().filter(({ runId }) => runId !== null)
  const runs = await runsOf(redis, workspace, ran.slice(0, runsMost))
  const became = (slot: Slot): PastSlot => {
    const run = runs.get(slot.runId)
    return { ...slot, run: run ?? null, isGone: run === null }
  }
  return rows.map((row) => (row?.kind === 'schedule' ? { ...row, slots: (slots.get(row) ?? []).map(became) } : row))
}

async function runsOf(redis: Connection, workspace: string, slots: readonly Slot[]) {
  const rows = await inOneTrip(redis, slots, (batch, { runId }) =>
    batch.hmget(keysOf(workspace).run(runId ?? '').row, 'status', 'conversationId'),
  )
  const found = new Map<string | null, PastSlot['run']>()
  for (const [at, { runId }] of slots.entries()) {
    const [statusText, thread] = Array.isArray(rows[at]) ? rows[at] : []
    const status = readOne(RunStatus, statusText ?? null)
    const conversationId: unknown = typeof thread === 'string' ? JSON.parse(thread) : null
    const there = { status, conversationId: typeof conversationId === 'string' ? conversationId : null }
    found.set(runId, status === null ? null : { ...there, status })
  }
  return found
}

type Batch = ReturnType<Connection['pipeline']>

async function inOneTrip<T>(redis: Connection, all: readonly T[], ask: (batch: Batch, one: T) => unknown) {
  if (all.length === 0) return []
  const batch = redis.pipeline()
  for (const one of all) ask(batch, one)
  return ((await batch.exec()) ?? []).map(([error, answer]) => {
    if (error !== null) throw error
    return answer
  })
}
