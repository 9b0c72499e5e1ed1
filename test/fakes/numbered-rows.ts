import type { Effect } from '../../src/agent/ports/effect.ts'

interface Row {
  id: number
  version: 1
}

/**
 * Rows in memory, numbered within their scope. A write with an effect that was seen before answers
 * what the first one did, "not there" included.
 */
export function createNumberedRows<T extends Row>(name: string) {
  const scopes = new Map<string, { last: number; rows: Map<number, T> }>()
  const effects = new Map<string, T | null>()

  function placeOf(workspace: string, scope: string) {
    const key = JSON.stringify([workspace, scope])
    const found = scopes.get(key) ?? { last: 0, rows: new Map<number, T>() }
    scopes.set(key, found)
    return found
  }
  function once(workspace: string, effect: Effect, make: () => T | null): T | null {
    const key = JSON.stringify([workspace, typeof effect === 'string' ? effect : effect.id])
    const known = effects.get(key)
    if (known !== undefined) return structuredClone(known)
    const made = make()
    effects.set(key, structuredClone(made))
    return structuredClone(made)
  }

  return {
    rows: (workspace: string, scope: string): T[] =>
      [...placeOf(workspace, scope).rows.values()].map((row) => structuredClone(row)),
    async add(
      workspace: string,
      scope: string,
      effect: Effect,
      make: (id: number) => T,
    ): Promise<T> {
      const added = once(workspace, effect, () => {
        const place = placeOf(workspace, scope)
        place.last += 1
        const row = make(place.last)
        place.rows.set(row.id, row)
        return row
      })
      if (added === null)
        throw new Error(`this effect was a change of a ${name} that was not there`)
      return added
    },
    async update(
      workspace: string,
      scope: string,
      effect: Effect,
      { id, change }: { id: number; change: (row: T) => T | null },
    ): Promise<T | null> {
      return once(workspace, effect, () => {
        const { rows } = placeOf(workspace, scope)
        const old = rows.get(id)
        const made = old === undefined ? null : change(structuredClone(old))
        if (made !== null) rows.set(id, { ...made, id })
        return made
      })
    },
    async remove(workspace: string, scope: string, effect: Effect, id: number): Promise<T | null> {
      return once(workspace, effect, () => {
        const { rows } = placeOf(workspace, scope)
        const old = rows.get(id) ?? null
        rows.delete(id)
        return old
      })
    },
  }
}
