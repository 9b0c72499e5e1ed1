import type { Notes } from '../../agent/ports/notes.ts'
import type { Client } from './client.ts'
import { noteKey } from './keys.ts'

export function createNotes(client: Client): Notes {
  const { redis } = client
  return {
    get: (workspace, key, keepMs) =>
      keepMs === undefined
        ? redis.get(noteKey(workspace, key))
        : redis.getex(noteKey(workspace, key), 'PX', keepMs),
    async put(workspace, key, value, keepMs) {
      if (keepMs === null) await redis.set(noteKey(workspace, key), value)
      else await redis.set(noteKey(workspace, key), value, 'PX', keepMs)
    },
    async claim(workspace, key, keepMs, by) {
      const name = noteKey(workspace, key)
      const value = by ?? '1'
      const before = await (keepMs === null
        ? redis.set(name, value, 'NX', 'GET')
        : redis.set(name, value, 'PX', keepMs, 'NX', 'GET'))
      return before === null || before === by
    },
    async drop(workspace, key) {
      await redis.del(noteKey(workspace, key))
    },
  }
}
