import type { Schedule, Slot } from '../../src/agent/domain/schedule.ts'
import type { Effect } from '../../src/agent/ports/effect.ts'
import type { Schedules } from '../../src/agent/ports/store.ts'

/** Schedules in memory; they pass the contract of the real store, as far as one process can tell. */
export function createFakeSchedules(): Schedules {
  const scopes = new Map<string, { last: number; rows: Map<number, Schedule> }>()
  const effects = new Map<string, Schedule | null>()

  function placeOf(workspace: string, scope: string) {
    const key = JSON.stringify([workspace, scope])
    const found = scopes.get(key) ?? { last: 0, rows: new Map<number, Schedule>() }
    scopes.set(key, found)
    return found
  }
  function once(workspace: string, effect: Effect, make: () => Schedule | null): Schedule | null {
    const key = JSON.stringify([workspace, typeof effect === 'string' ? effect : effect.id])
    const known = effects.get(key)
    if (known !== undefined) return structuredClone(known)
    const made = make()
    effects.set(key, structuredClone(made))
    return structuredClone(made)
  }

  return {
    async list(workspace, scope) {
      return [...placeOf(workspace, scope).rows.values()].map((row) => structuredClone(row))
    },
    async add(workspace, scope, effect, schedule) {
      const added = once(workspace, effect, () => {
        const place = placeOf(workspace, scope)
        place.last += 1
        const row: Schedule = { version: 1, id: place.last, ...structuredClone(schedule) }
        place.rows.set(row.id, row)
        return row
      })
      if (added === null)
        throw new Error('this effect was a change of a schedule that was not there')
      return added
    },
    async update(workspace, scope, effect, id, change) {
      return once(workspace, effect, () => {
        const { rows } = placeOf(workspace, scope)
        const old = rows.get(id)
        const made = old === undefined ? null : change(structuredClone(old))
        if (made !== null) rows.set(id, { ...made, id })
        return made
      })
    },
    async remove(workspace, scope, effect, id) {
      return once(workspace, effect, () => {
        const { rows } = placeOf(workspace, scope)
        const old = rows.get(id) ?? null
        rows.delete(id)
        return old
      })
    },
    slots: async (): Promise<Slot[]> => [],
  }
}
