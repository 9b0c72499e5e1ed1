import type { Clock } from '../../agent/ports/clock.ts'
import type { Setting } from '../../agent/ports/effect.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { auditPart, effectIdOf, effectKeptMs, keptEntry } from './audit.ts'
import type { Client } from './client.ts'
import { keysOf, noteKey } from './keys.ts'
import { look, type Read } from './look.ts'

const textAt = (key: string): Read<string | null> => ({
  commands: [['GET', key]],
  take: ([text]) => (typeof text === 'string' ? text : null),
})

interface SettingWrite {
  key: string
  /** Blank: the note is dropped. */
  value: string
  keepMs: number | null
  setting: Setting
}

export function createNotes(client: Client, clock: Pick<Clock, 'now' | 'randomId'>): Notes {
  const { redis } = client
  /** Writes a note that is a setting, with its row in the audit. */
  async function set(workspace: string, { key, value, keepMs, setting }: SettingWrite) {
    const { name: id, scope, effect } = setting
    const change = value === '' ? 'remove' : 'update'
    const entry = keptEntry(effect, { workspace, what: 'setting', scope, id, change }, value)
    const row = auditPart(workspace, entry, clock)
    const places = [noteKey(workspace, key), keysOf(workspace).effect(effectIdOf(effect))]
    await client.run(
      'setNote',
      [...places, ...row.keys],
      [value, keepMs ?? '', effectKeptMs, ...row.args],
    )
  }
  return {
    get: (workspace, key, keepMs) =>
      keepMs === undefined
        ? look(redis, textAt(noteKey(workspace, key)))
        : redis.getex(noteKey(workspace, key), 'PX', keepMs),
    async put(workspace, key, value, keepMs, setting) {
      if (setting !== undefined) await set(workspace, { key, value, keepMs, setting })
      else if (keepMs === null) await redis.set(noteKey(workspace, key), value)
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
    async drop(workspace, key, setting) {
      if (setting !== undefined) await set(workspace, { key, value: '', keepMs: null, setting })
      else await redis.del(noteKey(workspace, key))
    },
  }
}
