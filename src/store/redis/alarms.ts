import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Alarm, Alarms } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson, readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { StoreError } from './errors.ts'
import { type AlarmKind, alarmNamed, keysOf, workspacesKey } from './keys.ts'

type Due = Awaited<ReturnType<Alarms['due']>>

/** A row whose alarm is due, as it is stored. */
interface DueRow {
  name: string
  kind: AlarmKind
  scope: string
  seal: string
}

export function createAlarms({ redis }: Client): Alarms {
  return {
    async due({ item: { workspace } }, now, limit) {
      const keys = keysOf(workspace)
      // What came in is counted first: a change after the count is looked at again, one before it is seen by the reads.
      const [waiting, members, later] = await Promise.all([
        redis.llen(keys.changes),
        redis.zrangebyscore(keys.alarms, '-inf', now, 'LIMIT', 0, limit),
        redis.zrangebyscore(keys.alarms, `(${now}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
      ])
      const rows = await rowsOf(redis, workspace, members)
      const there = new Set(rows.map(({ name }) => name))
      const gone = members.filter((name) => !there.has(name))
      if (gone.length > 0) await redis.zrem(keys.alarms, ...gone)
      const read = rows.map(alarmOf)
      return {
        alarms: await withLastRuns(
          redis,
          workspace,
          read.filter((one) => 'seal' in one),
        ),
        damaged: read.filter((one) => 'problem' in one),
        next: later[1] === undefined ? null : Number(later[1]),
        waiting,
      }
    },
    workspaces: () => redis.smembers(workspacesKey),
  }
}

/** The rows that these names in the index of alarms stand for; none where there is no row any more. */
async function rowsOf(redis: Connection, workspace: string, members: readonly string[]): Promise<DueRow[]> {
  const named = members.flatMap((name) => {
    const row = alarmNamed(name)
    return row === null ? [] : [{ name, ...row }]
  })
  const seals = await hgetEach(
    redis,
    named.map(({ kind, scope, id }) => [keysOf(workspace).rows(kind, scope), String(id)]),
  )
  return named.flatMap(({ name, kind, scope }, index) => {
    const seal = seals[index] ?? null
    return seal === null ? [] : [{ name, kind, scope, seal }]
  })
}

/** One of a version to come does not stop the others either. */
function alarmOf({ name, kind, scope, seal }: DueRow): Alarm | Due['damaged'][number] {
  try {
    if (kind === 'todo') return { kind, name, scope, seal, todo: readJson(Todo, seal) }
    return { kind, name, scope, seal, schedule: readJson(Schedule, seal), lastRun: null }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { name, row: seal, problem: error.message, isNewer: error.code === 'unknown_version' }
  }
}

/** The same alarms, of schedules with how their last run ended. */
async function withLastRuns(redis: Connection, workspace: string, alarms: readonly Alarm[]): Promise<Alarm[]> {
  const runIds = alarms.flatMap((alarm) => (alarm.kind === 'schedule' ? (alarm.schedule.lastRunId ?? []) : []))
  const texts = await hgetEach(
    redis,
    runIds.map((id) => [keysOf(workspace).run(id).row, 'status']),
  )
  const statuses = new Map(runIds.map((id, index) => [id, readOne(RunStatus, texts[index] ?? null)]))
  return alarms.map((alarm) =>
    alarm.kind === 'todo' ? alarm : { ...alarm, lastRun: statuses.get(alarm.schedule.lastRunId ?? '') ?? null },
  )
}

/** One field of each of these hashes, in one round trip; null where there is none. */
async function hgetEach(
  redis: Connection,
  places: readonly (readonly [key: string, field: string])[],
): Promise<(string | null)[]> {
  if (places.length === 0) return []
  const batch = redis.pipeline()
  for (const [key, field] of places) batch.hget(key, field)
  const answers = (await batch.exec()) ?? []
  return answers.map(([error, text]) => {
    if (error !== null) throw error
    return typeof text === 'string' ? text : null
  })
}
