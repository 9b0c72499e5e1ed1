import type { Context } from 'hono'
import { z } from 'zod'
import {
  deleteTodo,
  finishTodo,
  listTodos,
  reopenTodo,
  updateTodo,
} from '../../../agent/commands/todo.ts'
import { owner as ownerKind } from '../../../agent/commands/todo-kinds.ts'
import { addForm, readViewName, todoTable, updateForm } from '../../../agent/commands/todo-table.ts'
import { Todo } from '../../../agent/domain/todo.ts'
import { isTimeZone } from '../../../agent/domain/zone.ts'
import { TodoBody, TodoPatch } from '../bodies.ts'
import { refuse } from '../problems.ts'
import { renderTodo } from '../render.ts'
import { forMembers } from '../route.ts'
import { TodoView } from '../views.ts'
import { contextFor, idIn, partOf, requireUnchanged, rowOf, understood } from './command-context.ts'

const { route, bodyRoute } = forMembers
const Todos = z.array(Todo)
const unknown = 'unknown_todo'

/** Time zone of the reader, whose day ends the day of a view. */
function zoneIn(c: Context): { timeZone?: string } {
  const timeZone = c.req.query('timeZone')
  if (timeZone === undefined) return {}
  return isTimeZone(timeZone) ? { timeZone } : refuse('bad_request', { field: 'timeZone' })
}

/**
 * To-dos over the API. Texts of people are parsed by the grammar of `/todo`; the use cases take and
 * return values.
 */

export const todoRoutes = [
  route('get', '/api/todos', {
    summary: 'To-dos by priority; of one view, tag or owner',
    query: ['view', 'tag', 'owner', 'author', 'timeZone'],
    refusals: ['bad_request', 'unreadable'],
    answer: z.object({ todos: z.array(TodoView) }),
    async handle({ c, web }) {
      const view =
        readViewName(c.req.query('view') ?? 'all') ?? refuse('bad_request', { field: 'view' })
      const context = contextFor(web, c, zoneIn(c))
      const typed = c.req.query('owner')
      const owner = typed === undefined ? undefined : ownerKind.read(typed, context)
      const asked = { view, tag: c.req.query('tag') ?? null, owner }
      const { data, text } = await web.reach(() => listTodos(asked, context, web.work.todos))
      if (data === undefined) refuse('unreadable', { text })
      return { todos: data.map((todo) => renderTodo(todo, web.timeZone)) }
    },
  }),

  bodyRoute('post', '/api/todos', {
    summary: 'Adds a to-do',
    body: TodoBody,
    status: 201,
    answer: z.object({
      todo: TodoView,
      todos: z.array(TodoView).describe('All that were added: one for each line of the text'),
      text: z.string(),
    }),
    refusals: ['unreadable'],
    async handle({ c, web, body }) {
      const context = contextFor(web, c, body)
      const asked = understood(todoTable, addForm, body.text, context)
      const { data, text } = await web.reach(() => addForm.answer(asked, context, web.work.todos))
      const todos = Todos.parse([data ?? []].flat()).map((one) => renderTodo(one, web.timeZone))
      const [todo = refuse('unreadable', { text })] = todos
      return { todo, todos, text }
    },
  }),

  bodyRoute('patch', '/api/todos/:id', {
    summary: 'Changes one, or marks it done or open again',
    body: TodoPatch,
    answer: TodoView,
    refusals: ['unreadable', 'changed_meanwhile'],
    async handle({ c, web, body }) {
      const id = idIn(c)
      const context = contextFor(web, c, body)
      const { todos } = web.work
      const rows = await web.reach(() =>
        todos.todos.list(context.workspace, todos.scopeOf(context)),
      )
      let todo = rows.find((one) => one.id === id) ?? refuse(unknown)
      requireUnchanged(body.seen, { text: todo.text, dueAt: todo.dueAt })
      if (body.text !== undefined) {
        const asked = understood(todoTable, updateForm, body.text, context, [String(id)])
        const change = { ...asked, id }
        const { data, text } = await web.reach(() => updateTodo(change, context, todos))
        todo = data ?? refuse('unreadable', { text })
      }
      const { done } = body
      if (done !== undefined) {
        const mark = done ? finishTodo : reopenTodo
        todo = (await rowOf(web, unknown, () => mark(id, partOf(context, 'done'), todos))).row
      }
      return renderTodo(todo, web.timeZone)
    },
  }),

  route('delete', '/api/todos/:id', {
    summary: 'Deletes one',
    query: ['author'],
    answer: z.object({ id: z.int(), deleted: z.boolean() }),
    async handle({ c, web }) {
      const { row } = await rowOf(web, unknown, () =>
        deleteTodo(idIn(c), contextFor(web, c), web.work.todos),
      )
      return { id: row.id, deleted: true }
    },
  }),
]
