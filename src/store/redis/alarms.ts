import { RunSpent } from '../../agent/domain/forecast.ts'
import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Alarm, Alarms } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson, readOne } from './codec.ts'
import type { Connection } from './connection.ts'
import { StoreError } from './errors.ts'
import { alarmNamed, keysOf } from './keys.ts'
import { field, fields, lookEach } from './look.ts'

type Due = Awaited<ReturnType<Alarms['due']>>

export function createAlarms(client: Client): Alarms {
  const { redis } = client
  return {
    async due({ item: { workspace } }, now, limit) {
      const keys = keysOf(workspace)
      // Changes are counted first. A later change causes another look; an earlier one is in what is
      // read here.
      const [waiting, members, later] = await Promise.all([
        redis.llen(keys.changes),
        redis.zrangebyscore(keys.alarms, '-inf', now, 'LIMIT', 0, limit),
        redis.zrangebyscore(keys.alarms, `(${now}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
      ])
      const { rows, gone } = await rowsNamed(client, workspace, members)
      if (gone.length > 0) await redis.zrem(keys.alarms, ...gone)
      const read = rows.flatMap(([row, seal]) => (seal === null ? [] : [alarmOf(row, seal)]))
      const alarms = read.filter((one) => 'seal' in one)
      return {
        alarms: await withLastRuns(redis, workspace, alarms),
        damaged: read.filter((one) => 'problem' in one),
        next: later[1] === undefined ? null : Number(later[1]),
        waiting,
      }
    },
    workspaces: () => client.workspaces.all(),
  }
}

/** Reads the rows of to-dos and schedules that members name. `gone`: members without a row. */
export async function rowsNamed({ redis }: Client, workspace: string, members: readonly string[]) {
  const keys = keysOf(workspace)
  const named = members.map((name): Named => ({ name, ...alarmNamed(name) }))
  const rows = await lookEach(redis, named, ({ kind, scope, id }) =>
    field(keys.rows(kind, scope), id),
  )
  const gone = rows.flatMap(([{ name }, row]) => (row === null ? [name] : []))
  return { rows, gone }
}

type Named = ReturnType<typeof alarmNamed> & { name: string }

/**
 * Parses one alarm's row. A row that cannot be read, even one of a newer version, does not stop the
 * others.
 */
function alarmOf({ kind, name, scope }: Named, seal: string): Alarm | Due['damaged'][number] {
  try {
    if (kind === 'todo') return { kind, name, scope, seal, todo: readJson(Todo, seal) }
    return {
      kind,
      name,
      scope,
      seal,
      schedule: readJson(Schedule, seal),
      lastRun: null,
      lastSpent: null,
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { name, row: seal, problem: error.message, isNewer: error.code === 'unknown_version' }
  }
}

/** Adds to each schedule's alarm the outcome of its last run. */
async function withLastRuns(
  redis: Connection,
  workspace: string,
  alarms: readonly Alarm[],
): Promise<Alarm[]> {
  const runIds = alarms.flatMap((alarm) =>
    alarm.kind === 'schedule' ? (alarm.schedule.lastRunId ?? []) : [],
  )
  const rowOf = (id: string) => fields(keysOf(workspace).run(id).row, ['status', 'spent'])
  const rows = new Map(await lookEach(redis, runIds, rowOf))
  return alarms.map((alarm) => {
    if (alarm.kind === 'todo') return alarm
    const [status = null, spent = null] = rows.get(alarm.schedule.lastRunId ?? '') ?? []
    return { ...alarm, lastRun: readOne(RunStatus, status), lastSpent: readOne(RunSpent, spent) }
  })
}
