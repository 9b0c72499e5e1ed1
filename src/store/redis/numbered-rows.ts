import type { z } from 'zod'
import { alarmOf, Schedule, Slot } from '../../agent/domain/schedule.ts'
import { alarmOfTodo, Todo } from '../../agent/domain/todo.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Effect } from '../../agent/ports/effect.ts'
import type { Schedules, Todos } from '../../agent/ports/store.ts'
import { auditPart, effectIdOf, effectKeptMs, keptEntry } from './audit.ts'
import type { Client } from './client.ts'
import { encode, readGood, readJson } from './codec.ts'
import type { Connection } from './connection.ts'
import { type AlarmKind, alarmLetter, keysOf } from './keys.ts'

/** Most rows of a schedule's past that are kept. */
export const slotsKept = 200

export function createTodos(client: Client, clock: Pick<Clock, 'now' | 'randomId'>): Todos {
  const { update, ...rows } = createRows<Todo>(client, {
    kind: 'todo',
    schema: Todo,
    alarmOf: alarmOfTodo,
    listens: () => false,
    clock,
  })
  return {
    ...rows,
    update: (workspace, scope, effect, id, patch) =>
      update(workspace, scope, effect, id, (todo) => ({ ...todo, ...patch })),
  }
}

export function createSchedules(client: Client, clock: Pick<Clock, 'now' | 'randomId'>): Schedules {
  const rows = createRows<Schedule>(client, {
    kind: 'schedule',
    schema: Schedule,
    alarmOf,
    listens: ({ when }) => when.kind === 'event',
    clock,
  })
  return {
    ...rows,
    async remove(workspace, scope, effect, id) {
      const removed = await rows.remove(workspace, scope, effect, id)
      if (removed !== null) await client.redis.del(keysOf(workspace).slots(scope, id))
      return removed
    },
    async slots(workspace, scope, id, limit) {
      const texts = await client.redis.lrange(keysOf(workspace).slots(scope, id), -limit, -1)
      return readGood(Slot, texts).reverse()
    },
  }
}

type Row<T> = Omit<T, 'id' | 'version'>

/** Kind of rows in a table, and the alarm of each. */
interface Table<T> {
  kind: AlarmKind
  schema: z.ZodType<T>
  alarmOf(row: Row<T>): number | null
  /** True if it starts by events. */
  listens(row: Row<T>): boolean
  clock: Pick<Clock, 'now' | 'randomId'>
}

/** Rows that are numbered per scope. Each effect is applied once, its alarm in the same step. */
function createRows<T extends { id: number }>(client: Client, table: Table<T>) {
  const { redis } = client
  const { kind, schema } = table
  const read = (text: string | null) =>
    text === null || text === '' ? null : readJson(schema, text)
  return {
    async list(workspace: string, scope: string, page?: { after: number; limit: number }) {
      if (page !== undefined)
        return await pageOf(redis, schema, keysOf(workspace).rows(kind, scope), page)
      const { '~last': _, ...texts } = await redis.hgetall(keysOf(workspace).rows(kind, scope))
      return readGood(schema, Object.values(texts)).sort((a, b) => a.id - b.id)
    },
    async add(workspace: string, scope: string, effect: Effect, row: Row<T>) {
      const first = { version: 1, id: 0, ...row }
      const change = { workspace, scope, effect, operation: 'add', id: 0, row: first } as const
      const [, answer] = await Promise.all([
        client.workspaces.add(workspace),
        write(client, table, change),
      ])
      const added = read(answer)
      if (added === null)
        throw new Error(`this effect was a change of a ${kind} that was not there`)
      return added
    },
    async update(
      workspace: string,
      scope: string,
      effect: Effect,
      id: number,
      change: (row: T) => Row<T> | null,
    ) {
      for (;;) {
        const was = (await redis.hget(keysOf(workspace).rows(kind, scope), String(id))) ?? ''
        const old = read(was)
        const made = old && change(old)
        if (old !== null && made === null) return null
        const row = made && { ...made, id }
        const answer = await write(client, table, {
          workspace,
          scope,
          effect,
          operation: 'update',
          id,
          row,
          was,
        })
        if (answer !== null) return read(answer)
      }
    },
    remove: async (workspace: string, scope: string, effect: Effect, id: number) =>
      read(await write(client, table, { workspace, scope, effect, operation: 'remove', id })),
  }
}

/** Most numbers that are read at once, deleted ones included. */
const numbersAtOnce = 500

async function pageOf<T>(
  redis: Connection,
  schema: z.ZodType<T>,
  key: string,
  { after, limit }: { after: number; limit: number },
): Promise<T[]> {
  const found: T[] = []
  const last = Number((await redis.hget(key, '~last')) ?? 0)
  // If most rows are deleted, each look covers twice as many.
  let count = limit
  for (let from = after + 1; from <= last && found.length < limit; from += count, count *= 2) {
    count = Math.min(count, numbersAtOnce, last - from + 1)
    const texts = await redis.hmget(
      key,
      ...Array.from({ length: count }, (_, at) => String(from + at)),
    )
    // Only the rows that are wanted are parsed: parsing costs more than fetching.
    const there = texts.filter((text) => text !== null)
    for (const text of there) if (found.length < limit) found.push(...readGood(schema, [text]))
  }
  return found
}

interface Write<T> {
  workspace: string
  scope: string
  effect: Effect
  operation: 'add' | 'update' | 'remove'
  id: number
  row?: Row<T> | null
  /** The row from which the new one was made. */
  was?: string
}

/** Writes a row. Returns its text, '' if there is none, null if it was changed meanwhile. */
async function write<T>(
  client: Client,
  { kind, alarmOf, listens, clock }: Table<T>,
  change: Write<T>,
): Promise<string | null> {
  const { workspace, scope, effect, operation, id, row = null, was = '' } = change
  const keys = keysOf(workspace)
  const alarm = (row && alarmOf(row)) ?? ''
  const text = row === null ? '' : encode(row)
  const what = { workspace, what: kind, scope, id: String(id), change: operation }
  const audited = auditPart(workspace, keptEntry(effect, what, text), clock)
  const answer = await client.run(
    'row',
    [
      ...[
        keys.rows(kind, scope),
        keys.effect(effectIdOf(effect)),
        keys.alarms,
        keys.scheduler,
        keys.changes,
      ],
      ...[keys.due('schedules'), keys.pastAlarms, keys.listeners],
      ...audited.keys,
    ],
    [
      operation,
      id,
      text,
      effectKeptMs,
      was,
      alarmLetter(kind),
      scope,
      alarm,
      clock.now(),
      row !== null && listens(row) ? 1 : 0,
      ...audited.args,
    ],
  )
  return answer === null ? null : String(answer)
}
