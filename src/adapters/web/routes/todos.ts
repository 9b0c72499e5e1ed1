import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import { addTodo, deleteTodo, finishTodo, listTodos, type TodoDeps, updateTodo } from '../../../agent/commands/todo.ts'
import { addForm, readViewName, todoTable, updateForm } from '../../../agent/commands/todo-table.ts'
import type { Todo } from '../../../agent/domain/todo.ts'
import { TodoBody, TodoPatch } from '../bodies.ts'
import type { App, Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { describedBody, describedRoute } from '../described-route.ts'
import { flag, integer, list, object, ref, text as string } from '../openapi.ts'
import { refuse } from '../problems.ts'
import { renderTodoView } from '../render-schedules.ts'
import { contextFor, idIn, understood } from './command-context.ts'

/** To-dos over the API. What people write is read by the grammar of `/todo`; the use cases take and give values. */
export function addTodoRoutes(app: App, web: Web, todos: TodoDeps): void {
  const { reach } = web

  /** The row that a use case answers with. */
  const row = async (work: () => Promise<CommandResult<Todo>>): Promise<Todo> =>
    (await reach(work)).data ?? refuse({ code: 'unknown_todo' })

  async function existing(context: CommandContext, id: number): Promise<Todo> {
    const rows = await reach(() => todos.todos.list(webWorkspace, todos.scopeOf(context)))
    return rows.find((todo) => todo.id === id) ?? refuse({ code: 'unknown_todo' })
  }

  describedRoute(
    app,
    'get',
    '/api/todos',
    {
      summary: 'To-dos by priority; of one view or tag',
      query: ['view', 'tag', 'author'],
      answers: { 200: object({ todos: list('Todo') }) },
      refusals: [400],
    },
    async (c) => {
      const context = contextFor(web, c, {})
      const view = readViewName(c.req.query('view') ?? 'all')
      if (view === null) return refuse({ code: 'bad_request', field: 'view' })
      const { data = [] } = await reach(() => listTodos({ view, tag: c.req.query('tag') ?? null }, context, todos))
      return c.json({ todos: data.map(renderTodoView) })
    },
  )

  describedBody(
    app,
    'post',
    '/api/todos',
    {
      body: TodoBody,
      summary: 'Adds a to-do',
      answers: { 201: object({ todo: ref('Todo'), text: string }) },
      refusals: [400, 413, 415],
    },
    async (c, body) => {
      const context = contextFor(web, c, body)
      const asked = understood(todoTable, addForm, body.text, context)
      const { data, text } = await reach(() => addTodo(asked, context, todos))
      return data === undefined ? refuse({ code: 'internal' }) : c.json({ todo: renderTodoView(data), text }, 201)
    },
  )

  describedBody(
    app,
    'patch',
    '/api/todos/:id',
    {
      body: TodoPatch,
      summary: 'Changes one or marks it done',
      answers: { 200: ref('Todo') },
      refusals: [400, 404, 415],
    },
    async (c, body) => {
      const id = idIn(c)
      const context = contextFor(web, c, body)
      let todo = await existing(context, id)
      if (body.text !== undefined) {
        const asked = understood(todoTable, updateForm, body.text, context, [String(id)])
        const { data, text } = await reach(() => updateTodo(asked, context, todos))
        todo = data ?? refuse({ code: 'unreadable', text })
      }
      const finishing = { ...context, effectId: `${context.effectId}-done` }
      if (body.done === true) todo = await row(() => finishTodo(id, finishing, todos))
      return c.json(renderTodoView(todo))
    },
  )

  describedRoute(
    app,
    'delete',
    '/api/todos/:id',
    {
      summary: 'Deletes one',
      query: ['author'],
      answers: { 200: object({ id: integer, deleted: flag }) },
      refusals: [404],
    },
    async (c) => {
      const context = contextFor(web, c, {})
      const { id } = await row(() => deleteTodo(idIn(c), context, todos))
      return c.json({ id, deleted: true })
    },
  )
}
