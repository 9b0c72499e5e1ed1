import type { Todo } from '../../src/agent/domain/todo.ts'
import type { Effect } from '../../src/agent/ports/effect.ts'
import type { Todos } from '../../src/agent/ports/store.ts'

/** To-dos in memory; passes `test/contracts/todos.ts`, as the real store does. `rows` is what it holds, for assertions. */
export function createFakeTodos(): Todos & { rows(workspace: string, scope: string): Todo[] } {
  const scopes = new Map<string, { last: number; rows: Map<number, Todo> }>()
  const effects = new Map<string, Todo | null>()

  function scopeOf(workspace: string, scope: string) {
    const key = JSON.stringify([workspace, scope])
    const found = scopes.get(key) ?? { last: 0, rows: new Map<number, Todo>() }
    scopes.set(key, found)
    return found
  }

  /** The same effect again answers what the first one did, "not there" included. */
  function once<T extends Todo | null>(
    workspace: string,
    effect: Effect,
    make: () => T,
  ): T | Todo | null {
    const key = JSON.stringify([workspace, typeof effect === 'string' ? effect : effect.id])
    const known = effects.get(key)
    if (known !== undefined) return structuredClone(known)
    const made = make()
    effects.set(key, structuredClone(made))
    return structuredClone(made)
  }

  return {
    rows: (workspace, scope) =>
      [...scopeOf(workspace, scope).rows.values()].map((row) => structuredClone(row)),
    async list(workspace, scope) {
      return [...scopeOf(workspace, scope).rows.values()].map((row) => structuredClone(row))
    },
    async add(workspace, scope, effect, todo) {
      const added = once(workspace, effect, () => {
        const place = scopeOf(workspace, scope)
        place.last += 1
        const row: Todo = { version: 1, id: place.last, ...structuredClone(todo) }
        place.rows.set(row.id, row)
        return row
      })
      if (added === null) throw new Error('this effect was a change of a to-do that was not there')
      return added
    },
    async update(workspace, scope, effect, id, patch) {
      return once(workspace, effect, () => {
        const { rows } = scopeOf(workspace, scope)
        const old = rows.get(id)
        if (old === undefined) return null
        const row = { ...old, ...structuredClone(patch) }
        rows.set(id, row)
        return row
      })
    },
    async remove(workspace, scope, effect, id) {
      return once(workspace, effect, () => {
        const { rows } = scopeOf(workspace, scope)
        const old = rows.get(id) ?? null
        rows.delete(id)
        return old
      })
    },
  }
}
