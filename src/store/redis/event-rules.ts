import { Schedule } from '../../agent/domain/schedule.ts'
import type { EventRules } from '../../agent/ports/store.ts'
import { rowsNamed } from './alarms.ts'
import type { Client } from './client.ts'
import { readGood } from './codec.ts'
import { alarmMember, keysOf } from './keys.ts'

export function createEventRules(client: Client): EventRules {
  const { redis } = client
  return {
    async list(workspace) {
      const keys = keysOf(workspace)
      const passed = await redis.hgetall(keys.listeners)
      const { rows, gone } = await rowsNamed(client, workspace, Object.keys(passed))
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
