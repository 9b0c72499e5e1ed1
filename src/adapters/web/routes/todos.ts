import type { CommandContext, CommandResult } from '../../../agent/commands/command.ts'
import { answer, type TodoDeps } from '../../../agent/commands/todo.ts'
import { readViewName, type TodoRequest } from '../../../agent/commands/todo-grammar.ts'
import { readTodo } from '../../../agent/commands/todo-read.ts'
import { renderProblem } from '../../../agent/commands/todo-render.ts'
import { inOrder, inView } from '../../../agent/commands/views.ts'
import type { Todo } from '../../../agent/domain/todo.ts'
import type { App, Web } from '../context.ts'
import { webWorkspace } from '../deps.ts'
import { bodyOf, TodoBody, TodoPatch } from '../parse.ts'
import { refuse } from '../problems.ts'
import { renderTodoView } from '../render-schedules.ts'
import { contextFor, idIn } from './work.ts'

/** To-dos over the API: the grammar of `/todo` and its rows. */
export function addTodoRoutes(app: App, web: Web, todos: TodoDeps): void {
  const { reach } = web

  const listed = (context: CommandContext): Promise<Todo[]> =>
    reach(() => todos.todos.list(webWorkspace, todos.scopeOf(context)))
  const found = async (context: CommandContext, id: number): Promise<Todo> =>
    (await listed(context)).find((one) => one.id === id) ?? refuse({ code: 'unknown_todo' })

  function read(line: string, context: CommandContext): TodoRequest {
    const reading = readTodo(line, context)
    if (reading.ok) return reading.request
    return refuse({ code: 'unreadable', text: renderProblem(reading.problem, context.locale) })
  }
  const carryOut = (request: TodoRequest, context: CommandContext): Promise<CommandResult> =>
    reach(() => answer(request, context, todos))

  app.get('/api/todos', async (c) => {
    const context = contextFor(web, c, {})
    const view = readViewName(c.req.query('view') ?? 'all')
    if (view === null) return refuse({ code: 'bad_request', field: 'view' })
    const tag = c.req.query('tag')
    const shown = (await listed(context)).filter(
      (todo) => inView(view, todo, context.now, context.timeZone) && (tag === undefined || todo.tag === tag),
    )
    return c.json({ todos: inOrder(shown).map(renderTodoView) })
  })

  app.post('/api/todos', async (c) => {
    const body = await bodyOf(c.req.raw, TodoBody)
    const context = contextFor(web, c, body)
    const result = await carryOut(read(`add ${body.text}`, context), context)
    const id = Number(/#(\d+)/.exec(result.text)?.[1] ?? 0)
    return c.json({ todo: renderTodoView(await found(context, id)), text: result.text }, 201)
  })

  app.patch('/api/todos/:id', async (c) => {
    const id = idIn(c)
    const body = await bodyOf(c.req.raw, TodoPatch)
    const context = contextFor(web, c, body)
    await found(context, id)
    if (body.text !== undefined) await carryOut(read(`update ${id} ${body.text}`, context), context)
    if (body.done === true) await carryOut({ kind: 'done', id }, { ...context, effectId: `${context.effectId}-done` })
    return c.json(renderTodoView(await found(context, id)))
  })

  app.delete('/api/todos/:id', async (c) => {
    const id = idIn(c)
    const context = contextFor(web, c, {})
    await found(context, id)
    await carryOut({ kind: 'delete', id }, context)
    return c.json({ id, deleted: true })
  })
}
