import type { Notes } from '../../agent/ports/notes.ts'
import type { Client } from './client.ts'
import { keysOf } from './keys.ts'

export function createNotes(client: Client): Notes {
  const { redis } = client
  const keyOf = (workspace: string, key: string) => `${keysOf(workspace).base}note:${key}`
  return {
    get: (workspace, key) => redis.get(keyOf(workspace, key)),
    async put(workspace, key, value, keepMs) {
      if (keepMs === null) await redis.set(keyOf(workspace, key), value)
      else await redis.set(keyOf(workspace, key), value, 'PX', keepMs)
    },
    claim: async (workspace, key, keepMs) => (await redis.set(keyOf(workspace, key), '1', 'PX', keepMs, 'NX')) === 'OK',
    async drop(workspace, key) {
      await redis.del(keyOf(workspace, key))
    },
  }
}
