import type { Notes } from '../../agent/ports/notes.ts'
import type { Client } from './client.ts'
import { noteKey } from './keys.ts'
import { look, type Read } from './look.ts'

const textAt = (key: string): Read<string | null> => ({
  commands: [['GET', key]],
  take: ([text]) => (typeof text === 'string' ? text : null),
})

export function createNotes(client: Client): Notes {
  const { redis } = client
  return {
    get: (workspace, key, keepMs) =>
      keepMs === undefined
        ? look(redis, textAt(noteKey(workspace, key)))
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
