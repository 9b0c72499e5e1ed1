import type { Todo } from '../../src/agent/domain/todo.ts'
import type { Todos } from '../../src/agent/ports/store.ts'
import { createNumberedRows } from './numbered-rows.ts'

/** To-dos in memory; passes `test/contracts/todos.ts`, as the real store does. `rows` is what it holds, for assertions. */
export function createFakeTodos(): Todos & { rows(workspace: string, scope: string): Todo[] } {
  const { rows, add, update, remove } = createNumberedRows<Todo>('to-do')
  return {
    rows,
    list: async (workspace, scope) => rows(workspace, scope),
    add: (workspace, scope, effect, todo) =>
      add(workspace, scope, effect, (id) => ({ version: 1, id, ...structuredClone(todo) })),
    update: (workspace, scope, effect, id, patch) =>
      update(workspace, scope, effect, {
        id,
        change: (old) => ({ ...old, ...structuredClone(patch) }),
      }),
    remove,
  }
}
