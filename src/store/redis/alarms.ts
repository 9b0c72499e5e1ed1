import { RunStatus } from '../../agent/domain/run.ts'
import { Schedule } from '../../agent/domain/schedule.ts'
import { Todo } from '../../agent/domain/todo.ts'
import type { Alarm, Alarms } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readJson } from './codec.ts'
import { alarmNamed, keysOf, workspacesKey } from './keys.ts'

export function createAlarms(client: Client): Alarms {
  const { redis } = client

  async function alarmFor(workspace: string, member: string): Promise<Alarm | null> {
    const keys = keysOf(workspace)
    const named = alarmNamed(member)
    if (named === null) return null
    const { kind, scope, id } = named
    const seal = await redis.hget(kind === 'todo' ? keys.todos(scope) : keys.schedules(scope), String(id))
    if (seal === null) return null
    if (kind === 'todo') return { kind, scope, seal, todo: readJson(Todo, seal) }
    const schedule = readJson(Schedule, seal)
    const status = schedule.lastRunId === null ? null : await redis.hget(keys.run(schedule.lastRunId).row, 'status')
    return { kind, scope, seal, schedule, lastRun: status === null ? null : RunStatus.parse(JSON.parse(status)) }
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
      const found = await Promise.all(members.map((member) => alarmFor(workspace, member)))
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
