import { texts } from '../../locales/texts.ts'
import type { Offer } from '../domain/message.ts'
import type { Destination } from '../domain/schedule.ts'
import type { Todo } from '../domain/todo.ts'
import type { Todos } from '../ports/store.ts'
import type { Command, CommandContext, CommandResult } from './command.ts'
import type { ScopeOf } from './scope.ts'
import { valueFor } from './todo-examples.ts'
import { formatTodo } from './todo-format.ts'
import { actionOf, type TodoRequest } from './todo-grammar.ts'
import { readTodo } from './todo-read.ts'
import { renderDetails, renderEmpty, renderList, renderProblem, renderReceipt, renderViews } from './todo-render.ts'
import { inView } from './views.ts'
import { inlineCode, narrow, plainText } from './words.ts'

export interface TodoDeps {
  todos: Todos
  scopeOf: ScopeOf
}

/**
 * `/todo`, complete (F6 to F8), for people and for the tool of the same name.
 *
 * What a write answers is made from the row that the store gives back, never from what was read before it: the same
 * effect again after a crash gets the first row and so says the same (P1).
 */
export function createTodoCommand(deps: TodoDeps, options: { readOnly?: boolean } = {}): Command {
  return {
    name: 'todo',
    aliases: ['todos', '待办'],
    summary: (locale) => texts(locale).todo.summary,
    usage: (locale) => [...texts(locale).todo.usage],
    recognises: (args) => args.trim() === '' || actionOf(args.trim().split(/\s/, 1)[0] ?? '') !== null,
    async run(args, context) {
      const reading = readTodo(args, context)
      if (!reading.ok) return { ok: false, text: renderProblem(reading.problem, context.locale) }
      if (options.readOnly && !readOnlyKinds.includes(reading.request.kind))
        return { ok: false, text: texts(context.locale).todo.readOnly }
      return await answer(reading.request, context, deps)
    },
  }
}

const readOnlyKinds: readonly TodoRequest['kind'][] = ['list', 'views', 'search', 'get']

/** Whether a line changes nothing, whoever writes it and when; one that cannot be read might. */
export function looksOnly(args: string): boolean {
  const reading = readTodo(args, { now: 0, timeZone: 'UTC', locale: 'en' })
  return reading.ok && readOnlyKinds.includes(reading.request.kind)
}

/** Does what was asked for; shared with `/view`. */
export async function answer(request: TodoRequest, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  switch (request.kind) {
    case 'add':
      return await add(request, context, deps)
    case 'update':
      return await update(request, context, deps)
    case 'done':
      return await done(request.id, context, deps)
    case 'delete':
      return await remove(request.id, context, deps)
    case 'get':
      return await get(request.id, context, deps)
    case 'list':
    case 'views':
    case 'search':
      return await show(request, context, deps)
  }
}

type Request<K extends TodoRequest['kind']> = Extract<TodoRequest, { kind: K }>

async function add({ text, fields }: Request<'add'>, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  const { tag = 'default', priority = 0, dueAt = null, remindAt = null } = fields
  const row = {
    text,
    tag,
    priority,
    dueAt,
    remindAt,
    doneAt: null,
    createdAt: context.now,
    ...placeOf(remindAt, context),
  }
  const todo = await deps.todos.add(context.workspace, deps.scopeOf(context), context.effectId, row)
  return { ok: true, text: texts(context.locale).todo.added(renderReceipt(todo, context)) }
}

/** A reminder goes where it was asked for (C53). */
function placeOf(remindAt: number | null | undefined, context: CommandContext): { place?: Destination } {
  if (remindAt == null) return {}
  const { channel, conversationId, locale, timeZone } = context
  return { place: { channel, conversationId: conversationId === '' ? null : conversationId, locale, timeZone } }
}

async function update(asked: Request<'update'>, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  const words = texts(context.locale).todo
  const { id, text, fields } = asked
  if (fields.remindAt != null && fields.dueAt === undefined) {
    const old = await find(id, context, deps)
    if (old !== undefined && old.dueAt === null) return { ok: false, text: needsDue(asked, context) }
  }
  const patch = { ...(text === null ? {} : { text }), ...fields, ...placeOf(fields.remindAt, context) }
  const todo = await deps.todos.update(context.workspace, deps.scopeOf(context), context.effectId, id, patch)
  return found(todo, id, context, words.updated)
}

/** F6: the reminder is asked for, the day that it hangs on is missing. */
function needsDue(asked: Request<'update'>, frame: CommandContext): string {
  const { todo, help } = texts(frame.locale)
  const { remindAt, ...fields } = asked.fields
  const line = formatTodo({ ...asked, fields }, frame.timeZone)
  const reminder = formatTodo(
    { kind: 'update', id: asked.id, text: null, fields: { remindAt: remindAt ?? null } },
    frame.timeZone,
  )
  const tail = reminder.slice(reminder.indexOf('--remind'))
  return `${todo.remindNeedsDue(asked.id)}\n${help.tryThis}${inlineCode(`${line} --due ${valueFor('due', frame)} ${tail}`)}`
}

/** F7: what was done keeps the time when it was done first. */
async function done(id: number, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  const old = await find(id, context, deps)
  const patch = { doneAt: old?.doneAt ?? context.now }
  const todo = await deps.todos.update(context.workspace, deps.scopeOf(context), context.effectId, id, patch)
  return found(todo, id, context, texts(context.locale).todo.done)
}

async function remove(id: number, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  const todo = await deps.todos.remove(context.workspace, deps.scopeOf(context), context.effectId, id)
  const said = found(todo, id, context, texts(context.locale).todo.deleted)
  return todo === null ? said : { ...said, offers: [putBack(todo, context)] }
}

/** The line that makes it once more, under a new number; times that are over are left out. */
function putBack(
  { text, tag, priority, dueAt, remindAt, doneAt }: Todo,
  { locale, timeZone, now }: CommandContext,
): Offer {
  const comes = (at: number | null): at is number => at !== null && at > now && doneAt === null
  const fields = {
    ...{ tag, priority },
    ...(comes(dueAt) ? { dueAt, ...(comes(remindAt) ? { remindAt } : {}) } : {}),
  }
  return { label: texts(locale).todo.putBack, command: formatTodo({ kind: 'add', text, fields }, timeZone) }
}

async function get(id: number, context: CommandContext, deps: TodoDeps): Promise<CommandResult> {
  const todo = await find(id, context, deps)
  if (todo === undefined) return found(null, id, context, String)
  return { ok: true, text: renderDetails(todo, context) }
}

async function find(id: number, context: CommandContext, deps: TodoDeps): Promise<Todo | undefined> {
  const todos = await deps.todos.list(context.workspace, deps.scopeOf(context))
  return todos.find((todo) => todo.id === id)
}

/** F5, changed: what is not there is not a success. */
function found(todo: Todo | null, id: number, context: CommandContext, say: (item: string) => string): CommandResult {
  if (todo === null) return { ok: false, text: texts(context.locale).todo.notFound(id) }
  return { ok: true, text: say(renderReceipt(todo, context)) }
}

async function show(request: Request<'list' | 'views' | 'search'>, context: CommandContext, deps: TodoDeps) {
  const words = texts(context.locale).todo
  const all = await deps.todos.list(context.workspace, deps.scopeOf(context))
  if (request.kind === 'views') return { ok: true, text: renderViews(all, context) }
  const tagged = request.tag === null ? all : all.filter((todo) => todo.tag === request.tag)
  const suffix = request.tag === null ? '' : ` · ${words.tagged(inlineCode(request.tag))}`
  if (request.kind === 'search') {
    const hits = tagged.filter((todo) => matches(todo, request.keyword))
    const keyword = plainText(request.keyword)
    if (hits.length === 0) return { ok: true, text: words.emptySearch(keyword) }
    return { ok: true, text: renderList(words.foundTitle(keyword) + suffix, hits, context) }
  }
  const { view, tag } = request
  const seen = tagged.filter((todo) => inView(view, todo, context.now, context.timeZone))
  const tags = [...new Set(all.map((todo) => todo.tag))].sort()
  if (seen.length === 0) return { ok: true, text: renderEmpty({ view, tag }, tags, context.locale) }
  const title = view === 'all' ? words.listTitle : words.views[view].title
  return { ok: true, text: renderList(title + suffix, seen, context) }
}

/** Every word of it, in any order and case, in the text or the tag. */
function matches(todo: Todo, keyword: string): boolean {
  const text = narrow(`${todo.text} ${todo.tag}`)
  return narrow(keyword)
    .split(' ')
    .every((word) => text.includes(word))
}
