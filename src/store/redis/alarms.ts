import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Alarm, Alarms } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson } from './codec.ts'
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
      if (typeof status === 'string') known.set(runIds[index] ?? '', RunStatus.parse(JSON.parse(status)))
    }
    return known
  }

  async function alarmsFor(workspace: string, members: readonly string[]): Promise<(Alarm | null)[]> {
    const names = members.map(alarmNamed)
    const seals = await sealsOf(workspace, names)
    const schedules = seals.map((seal, index) =>
      seal !== null && names[index]?.kind === 'schedule' ? readJson(Schedule, seal) : null,
    )
    const lastRuns = await statusesOf(
      workspace,
      schedules.flatMap((schedule) => schedule?.lastRunId ?? []),
    )
    return names.map((name, index): Alarm | null => {
      const [seal, schedule] = [seals[index] ?? null, schedules[index] ?? null]
      if (name === null || seal === null) return null
      const { scope } = name
      if (schedule === null) return { kind: 'todo', scope, seal, todo: readJson(Todo, seal) }
      return { kind: 'schedule', scope, seal, schedule, lastRun: lastRuns.get(schedule.lastRunId ?? '') ?? null }
    })
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
      const found = await alarmsFor(workspace, members)
      const gone = members.filter((_, index) => found[index] === null)
      if (gone.length > 0) await redis.zrem(keys.alarms, ...gone)
      return {
        alarms: found.filter((alarm) => alarm !== null),
        next: later[1] === undefined ? null : Number(later[1]),
        waiting,
      }
    },
    workspaces: () => redis.smembers(workspacesKey),
  }
}
