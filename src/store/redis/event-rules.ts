import { Schedule } from '../../agent/domain/schedule.ts'
import type { EventRules } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readGood } from './codec.ts'
import { alarmMember, alarmNamed, keysOf } from './keys.ts'
import { field, lookEach } from './look.ts'

export function createEventRules({ redis }: Client): EventRules {
  return {
    async list(workspace) {
      const keys = keysOf(workspace)
      const passed = await redis.hgetall(keys.listeners)
      const named = Object.keys(passed).map((name) => ({ name, ...alarmNamed(name) }))
      const rows = await lookEach(redis, named, ({ kind, scope, id }) =>
        field(keys.rows(kind, scope), id),
      )
      const gone = rows.flatMap(([{ name }, text]) => (text === null ? [name] : []))
      if (gone.length > 0) await redis.hdel(keys.listeners, ...gone)
      return rows.flatMap(([{ name, scope }, text]) =>
        readGood(Schedule, [text]).map((schedule) => ({
          scope,
          schedule,
          passed: Number(passed[name]),
        })),
      )
    },
    async pass(workspace, scope, id) {
      await redis.hincrby(keysOf(workspace).listeners, alarmMember('schedule', scope, id), 1)
    },
  }
}
