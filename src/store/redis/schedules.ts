import { alarmOf, Schedule, Slot } from '../../agent/domain/schedule.ts'
import type { Schedules } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, readGood, readJson } from './codec.ts'
import { keysOf, workspacesKey } from './keys.ts'
import { createRowWriter } from './rows.ts'

export function createSchedules(client: Client): Schedules {
  const { redis } = client
  const write = createRowWriter(client, 'schedule')
  const scheduleOf = (text: string | null) => (text === null || text === '' ? null : readJson(Schedule, text))

  return {
    async list(workspace, scope) {
      const rows = await redis.hgetall(keysOf(workspace).schedules(scope))
      return Object.entries(rows)
        .flatMap(([id, text]) => (id.startsWith('~') ? [] : readGood(Schedule, [text])))
        .sort((a, b) => a.id - b.id)
    },
    async add(workspace, scope, effectId, schedule) {
      const row = encode({ version: 1, id: 0, ...schedule })
      // The workspace is known before its first alarm, so that no sweep can overlook it.
      const [, answer] = await Promise.all([
        redis.sadd(workspacesKey, workspace),
        write({ workspace, scope, effectId, operation: 'add', row, alarm: alarmOf(schedule) }),
      ])
      const added = scheduleOf(answer)
      if (added === null) throw new Error('this effect was a change of a schedule that was not there')
      return added
    },
    async update(workspace, scope, effectId, id, change) {
      for (;;) {
        const was = (await redis.hget(keysOf(workspace).schedules(scope), String(id))) ?? ''
        const old = scheduleOf(was)
        const made = old === null ? null : change(old)
        if (old !== null && made === null) return null
        const row = made === null ? '' : encode({ ...made, id })
        const alarm = made === null ? null : alarmOf(made)
        const answer = await write({ workspace, scope, effectId, operation: 'update', id, row, was, alarm })
        if (answer !== null) return scheduleOf(answer)
      }
    },
    async remove(workspace, scope, effectId, id) {
      const removed = scheduleOf(await write({ workspace, scope, effectId, operation: 'remove', id }))
      if (removed !== null) await redis.del(keysOf(workspace).slots(scope, id))
      return removed
    },
    async slots(workspace, scope, id, limit) {
      const rows = await redis.lrange(keysOf(workspace).slots(scope, id), -limit, -1)
      return readGood(Slot, rows).reverse()
    },
  }
}
