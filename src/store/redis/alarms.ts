import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Alarm, Alarms, Damaged } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson, tryRow } from './codec.ts'
import { StoreError } from './errors.ts'
import { alarmNamed, keysOf, workspacesKey } from './keys.ts'

type Named = NonNullable<ReturnType<typeof alarmNamed>>

export function createAlarms(client: Client): Alarms {
  const { redis } = client

  /** The texts of the rows, in the order of their names: one command for each scope. */
  async function sealsOf(workspace: string, names: readonly (Named | null)[]): Promise<(string | null)[]> {
    const keys = keysOf(workspace)
    const rowsOf = ({ kind, scope }: Named) => (kind === 'todo' ? keys.todos(scope) : keys.schedules(scope))
    const byRows = Map.groupBy(
      names.filter((name) => name !== null),
      rowsOf,
    )
    const found = new Map<Named, string | null>()
    await Promise.all(
      [...byRows].map(async ([rows, those]) => {
        const seals = await redis.hmget(rows, ...those.map(({ id }) => String(id)))
        for (const [index, name] of those.entries()) found.set(name, seals[index] ?? null)
      }),
    )
    return names.map((name) => (name === null ? null : (found.get(name) ?? null)))
  }

  /** How the runs of the schedules ended; one round trip for all of them. */
  async function statusesOf(workspace: string, runIds: readonly string[]): Promise<Map<string, RunStatus>> {
    const keys = keysOf(workspace)
    const batch = redis.pipeline()
    for (const id of runIds) batch.hget(keys.run(id).row, 'status')
    const answers = runIds.length === 0 ? [] : ((await batch.exec()) ?? [])
    const known = new Map<string, RunStatus>()
    for (const [index, [error, status]] of answers.entries()) {
      if (error !== null) throw error
      const read = typeof status === 'string' ? tryRow(() => readJson(RunStatus, status)) : null
      if (read?.ok) known.set(runIds[index] ?? '', read.value)
    }
    return known
  }

  async function alarmsFor(workspace: string, members: readonly string[]) {
    const names = members.map(alarmNamed)
    const seals = await sealsOf(workspace, names)
    const found: Alarm[] = []
    const damaged: (Omit<Damaged, 'at'> & { name: string; isNewer: boolean })[] = []
    const gone: string[] = []
    for (const [index, name] of members.entries()) {
      const [named, seal] = [names[index] ?? null, seals[index] ?? null]
      if (named === null || seal === null) gone.push(name)
      else {
        const alarm = alarmOf(name, named, seal)
        if ('problem' in alarm) damaged.push({ name, row: seal, ...alarm })
        else found.push(alarm)
      }
    }
    const lastRuns = await statusesOf(
      workspace,
      found.flatMap((alarm) => (alarm.kind === 'schedule' ? (alarm.schedule.lastRunId ?? []) : [])),
    )
    const alarms = found.map((alarm) =>
      alarm.kind === 'todo' ? alarm : { ...alarm, lastRun: lastRuns.get(alarm.schedule.lastRunId ?? '') ?? null },
    )
    return { alarms, damaged, gone }
  }

  return {
    async due({ item: { workspace } }, now, limit) {
      const keys = keysOf(workspace)
      // What came in is counted first: a change after the count is looked at again, one before it is seen by the reads.
      const [waiting, members, later] = await Promise.all([
        redis.llen(keys.changes),
        redis.zrangebyscore(keys.alarms, '-inf', now, 'LIMIT', 0, limit),
        redis.zrangebyscore(keys.alarms, `(${now}`, '+inf', 'WITHSCORES', 'LIMIT', 0, 1),
      ])
      const { alarms, damaged, gone } = await alarmsFor(workspace, members)
      if (gone.length > 0) await redis.zrem(keys.alarms, ...gone)
      return {
        alarms,
        damaged,
        next: later[1] === undefined ? null : Number(later[1]),
        waiting,
      }
    },
    workspaces: () => redis.smembers(workspacesKey),
  }
}

/** One of a version to come does not stop the others either. */
function alarmOf(name: string, { kind, scope }: Named, seal: string): Alarm | { problem: string; isNewer: boolean } {
  try {
    if (kind === 'todo') return { kind, name, scope, seal, todo: readJson(Todo, seal) }
    return { kind, name, scope, seal, schedule: readJson(Schedule, seal), lastRun: null }
  } catch (error) {
    if (error instanceof StoreError) return { problem: error.message, isNewer: error.code === 'unknown_version' }
    throw error
  }
}
