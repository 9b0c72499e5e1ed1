import { Run, RunStatus } from '../../agent/domain/run.ts'
import { Schedule, Slot } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Calendar, CalendarRow, PastSlot } from '../../agent/ports/calendar.ts'
import { readGood, readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { alarmNamed, keysOf } from './keys.ts'
import { field, fields, list, look, lookEach } from './look.ts'
import { slotsKept } from './numbered-rows.ts'

/**
 * Most past slots of a page for which the outcome of the run is read, the newest of each schedule
 * first.
 */
const runsMost = 1_000

export function createCalendar({ redis }: { redis: Connection }): Calendar {
  return {
    async page(workspace, { from, to, before, skip, limit }) {
      const keys = keysOf(workspace)
      const until = before === Number.POSITIVE_INFINITY ? '+inf' : `(${before}`
      const coming = await redis.zrangebyscore(keys.alarms, '-inf', until, 'LIMIT', skip, limit)
      const left = limit - coming.length
      const passed =
        left === 0 ? 0 : Math.max(0, skip - (await redis.zcount(keys.alarms, '-inf', until)))
      const over =
        left === 0
          ? []
          : await redis.zrangebyscore(keys.pastAlarms, from, '+inf', 'LIMIT', passed, left)
      const names = [...coming, ...over].map(alarmNamed)
      const texts = await lookEach(redis, names, ({ kind, scope, id }) =>
        field(keys.rows(kind, scope), id),
      )
      const rows = texts.map(([{ kind, scope }, text]): CalendarRow | null => {
        if (kind === 'todo')
          return readGood(Todo, [text]).map((todo) => ({ kind, scope, todo }))[0] ?? null
        return (
          readGood(Schedule, [text]).map((schedule) => ({ kind, scope, schedule, slots: [] }))[0] ??
          null
        )
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
  const slots = new Map<CalendarRow | null, Slot[]>()
  const dealtWith = rows.flatMap((row) =>
    row?.kind === 'schedule' && (row.schedule.lastAt ?? row.schedule.lastRunId) !== null
      ? [row]
      : [],
  )
  // Read one by one, so that no script blocks Redis for long.
  const lists = dealtWith.map((row) =>
    look(redis, list(keys.slots(row.scope, row.schedule.id), -slotsKept, -1)),
  )
  for (const [at, texts] of (await Promise.all(lists)).entries()) {
    const within = readGood(Slot, texts).filter(
      (slot) => (slot.until ?? slot.at) >= from && slot.at < to,
    )
    slots.set(dealtWith[at] ?? null, within.reverse())
  }
  const ran = [...slots.values()].flat().filter(({ runId }) => runId !== null)
  const runs = await runsOf(redis, workspace, ran.slice(0, runsMost))
  const became = (slot: Slot): PastSlot => {
    const run = runs.get(slot.runId)
    return { ...slot, run: run ?? null, isGone: run === null }
  }
  return rows.map((row) =>
    row?.kind === 'schedule' ? { ...row, slots: (slots.get(row) ?? []).map(became) } : row,
  )
}

async function runsOf(redis: Connection, workspace: string, slots: readonly Slot[]) {
  const rows = await lookEach(redis, slots, ({ runId }) =>
    fields(keysOf(workspace).run(runId ?? '').row, ['status', 'conversationId']),
  )
  const found = rows.map(
    ([{ runId }, [text = null, thread = null]]): [string | null, PastSlot['run']] => {
      const status = readOne(RunStatus, text)
      return [
        runId,
        status && { status, conversationId: readOne(Run.shape.conversationId, thread) },
      ]
    },
  )
  return new Map(found)
}
