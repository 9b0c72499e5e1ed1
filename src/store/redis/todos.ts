import { alarmOfTodo, Todo } from '../../agent/domain/todo.ts'
import type { Todos } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { encode, readGood, readJson } from './codec.ts'
import { keysOf, workspacesKey } from './keys.ts'
import { createRowWriter } from './rows.ts'

export function createTodos(client: Client): Todos {
  const write = createRowWriter(client, 'todo')
  const todoOf = (text: string | null) => (text === null || text === '' ? null : readJson(Todo, text))

  return {
    async list(workspace, scope) {
      const rows = await client.redis.hgetall(keysOf(workspace).todos(scope))
      return Object.entries(rows).flatMap(([id, text]) => (id.startsWith('~') ? [] : readGood(Todo, [text])))
    },
    async add(workspace, scope, effectId, todo) {
      const row = encode({ version: 1, id: 0, ...todo })
      // The workspace is known before its first alarm, so that no sweep can overlook it.
      const [, answer] = await Promise.all([
        client.redis.sadd(workspacesKey, workspace),
        write({ workspace, scope, effectId, operation: 'add', row, alarm: alarmOfTodo(todo) }),
      ])
      const added = todoOf(answer)
      if (added === null) throw new Error('this effect was a change of a to-do that was not there')
      return added
    },
    async update(workspace, scope, effectId, id, patch) {
      for (;;) {
        const was = (await client.redis.hget(keysOf(workspace).todos(scope), String(id))) ?? ''
        const old = todoOf(was)
        const made = old === null ? null : { ...old, ...patch, id }
        const row = made === null ? '' : encode(made)
        const alarm = made === null ? null : alarmOfTodo(made)
        const answer = await write({ workspace, scope, effectId, operation: 'update', id, row, was, alarm })
        if (answer !== null) return todoOf(answer)
      }
    },
    remove: async (workspace, scope, effectId, id) =>
      todoOf(await write({ workspace, scope, effectId, operation: 'remove', id })),
  }
}
