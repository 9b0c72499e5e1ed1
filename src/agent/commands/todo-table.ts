import { texts } from '../../locales/texts.ts'
import { formatInstant } from '../domain/zone.ts'
import { argument, type CommandTable, type Frame, type Line, option, type Subcommand, type Wrong } from './table.ts'
import { type ViewName, viewAliases, viewNames } from './todo-views.ts'
import { choice, id as idKind, instant, number, tag as tagKind, text, tomorrowAt } from './values.ts'
import { narrow, quoteIfNeeded } from './words.ts'

/** What a to-do command asks for. A missing key means "as it is", null means "none" (F7). */
export interface TodoFields {
  tag?: string
  priority?: number
  dueAt?: number | null
  remindAt?: number | null
}
export type TodoRequest =
  | { kind: 'add'; text: string; fields: TodoFields }
  | { kind: 'list'; tag: string | null; view: ViewName }
  | { kind: 'views' }
  | { kind: 'search'; keyword: string; tag: string | null }
  | { kind: 'get' | 'done' | 'delete'; id: number }
  | { kind: 'update'; id: number; text: string | null; fields: TodoFields }

const longestText = 500
const viewKind = choice(viewNames, viewAliases, 'unknown_view', 'today')
/** Null when no view is called that. */
export const readViewName = (typed: string): ViewName | null => viewKind.read(typed, noFrame) ?? null
const noFrame: Frame = { now: 0, timeZone: 'UTC', locale: 'en' }

const tag = option('tag', tagKind, 'tag', ['t', '标签'])
const priority = option('priority', number({ min: 0 }, 'bad_priority'), 'priority', ['p', 'prio', '优先级', '优先'])
const due = option('due', instant('end'), 'due', ['d', 'until', '截止', '到期'])
const remind = option('remind', instant('morning'), 'remind', ['r', 'reminder', '提醒'])
const view = option('view', viewKind, 'viewName', ['v', '视图'])
const fields = [tag, priority, due, remind]

const words = argument('text', 'text', text(longestText), 'text')
const newWords = argument('text', 'text', text(longestText), 'text', false)
const keyword = argument('words', 'words', text(longestText), 'words')
const id = argument('id', 'id', idKind, 'id')
/** F7: one bare word is a tag. */
const bareTag = argument('tag', 'tag', { ...tagKind, rest: true as const }, 'tag', false)
const isList = (typed: string): boolean => ['list', '列表'].includes(narrow(typed))
const viewOrList = {
  ...viewKind,
  rest: true as const,
  read: (typed: string) => (isList(typed) ? ('all' as const) : viewKind.read(typed, noFrame)),
}
const viewName = argument('name', 'name', viewOrList, 'viewName', false)

/** `/todo view <name>`, and `/view <name>` (F8). */
export const viewSubcommand: Subcommand<TodoRequest> = {
  name: 'view',
  aliases: ['views', '视图'],
  about: 'view',
  takes: [viewName],
  options: [tag],
  looks: true,
  example: () => 'today',
  request: (line) =>
    line.get(tag) === undefined && (line.words === '' || isList(line.words))
      ? { kind: 'views' }
      : { kind: 'list', tag: line.get(tag) ?? null, view: line.get(viewName) ?? 'all' },
}

/** `/todo` (F6 to F8). */
export const todoTable: CommandTable<TodoRequest> = {
  name: 'todo',
  aliases: ['todos', '待办'],
  about: 'todo',
  errors: (all) => all.todo.errors,
  subcommands: [
    {
      name: 'add',
      aliases: ['new', 'create', '添加', '新增', '新建', '加'],
      about: 'todoAdd',
      takes: [words],
      options: fields,
      example: ({ locale }) => texts(locale).todo.placeholders.text,
      request: (line) =>
        line.get(remind) != null && line.get(due) == null
          ? needsDue(line)
          : { kind: 'add', text: line.need(words), fields: fieldsOf(line) },
    },
    {
      name: 'list',
      aliases: ['ls', '列表', '列出'],
      about: 'todoList',
      takes: [bareTag],
      options: [tag, view],
      looks: true,
      example: () => '',
      request: readList,
    },
    {
      name: 'search',
      aliases: ['find', '搜索', '查找', '搜'],
      about: 'todoSearch',
      takes: [keyword],
      options: [tag],
      looks: true,
      example: ({ locale }) => texts(locale).todo.placeholders.word,
      request: (line) => ({ kind: 'search', keyword: line.need(keyword), tag: line.get(tag) ?? null }),
    },
    {
      name: 'get',
      aliases: ['show', '查看', '详情'],
      about: 'todoGet',
      takes: [id],
      looks: true,
      example: () => '1',
      request: (line) => ({ kind: 'get', id: line.need(id) }),
    },
    {
      name: 'done',
      aliases: ['complete', 'finish', '完成'],
      about: 'todoDone',
      takes: [id],
      example: () => '1',
      request: (line) => ({ kind: 'done', id: line.need(id) }),
    },
    {
      name: 'delete',
      aliases: ['rm', 'remove', 'del', '删除', '删'],
      about: 'todoDelete',
      takes: [id],
      example: () => '1',
      request: (line) => ({ kind: 'delete', id: line.need(id) }),
    },
    {
      name: 'update',
      aliases: ['edit', 'change', '更新', '修改', '改'],
      about: 'todoUpdate',
      takes: [id, newWords],
      options: fields,
      example: () => '1 --priority 0',
      request: readUpdate,
    },
    viewSubcommand,
  ],
  guess(args, first) {
    if (idKind.read(first, noFrame) !== undefined) return `get ${first}`
    return readViewName(first) === null ? null : `view ${args}`
  },
}

/** The options of `add` and `update`; only those that are there. */
function fieldsOf(line: Line): TodoFields {
  const said = { tag: line.get(tag), priority: line.get(priority), dueAt: line.get(due), remindAt: line.get(remind) }
  const made: TodoFields = {}
  if (said.tag !== undefined) made.tag = said.tag
  if (said.priority !== undefined) made.priority = said.priority
  if (said.dueAt !== undefined) made.dueAt = said.dueAt
  if (said.remindAt !== undefined) made.remindAt = said.remindAt
  return made
}

const needsDue = ({ frame }: Line): Wrong => ({
  wrong: 'remind_needs_due',
  options: { due: due.kind.example(frame, '') },
})

function readUpdate(line: Line): TodoRequest | Wrong {
  const made = fieldsOf(line)
  const said = line.get(newWords) ?? null
  if (said === null && Object.keys(made).length === 0)
    return { wrong: 'nothing_to_change', options: { due: tomorrowAt(line.frame, 18) } }
  // A reminder hangs on the due date (F6), so it goes with it.
  if (made.dueAt === null && made.remindAt != null) return needsDue(line)
  if (made.dueAt === null) made.remindAt = null
  return { kind: 'update', id: line.need(id), text: said, fields: made }
}

function readList(line: Line): TodoRequest | Wrong {
  const { words: bare } = line
  if (bare !== '' && line.get(tag) !== undefined)
    return {
      wrong: 'extra_words',
      typed: bare,
      line: `search ${quoteIfNeeded(bare)} --tag ${quoteIfNeeded(line.get(tag) ?? '')}`,
    }
  const only = line.get(bareTag) ?? null
  if (only !== null && / /.test(bare) && !/^["“「『'‘]/.test(bare))
    return { wrong: 'extra_words', typed: bare, line: `list --tag ${quoteIfNeeded(only)}` }
  return { kind: 'list', tag: line.get(tag) ?? only, view: line.get(view) ?? 'all' }
}

/** The command line that is read as this request. */
export function formatTodo(request: Extract<TodoRequest, { kind: 'add' | 'update' }>, timeZone: string): string {
  const { text: said, fields: made } = request
  const time = (at: number | null) => (at === null ? 'none' : formatInstant(timeZone, at))
  return [
    request.kind === 'add' ? '/todo add' : `/todo update ${request.id}`,
    ...(said === null ? [] : [quoteIfNeeded(said)]),
    ...(made.tag === undefined ? [] : ['--tag', quoteIfNeeded(made.tag)]),
    ...(made.priority === undefined ? [] : ['--priority', made.priority]),
    ...(made.dueAt === undefined ? [] : ['--due', time(made.dueAt)]),
    ...(made.remindAt === undefined ? [] : ['--remind', time(made.remindAt)]),
  ].join(' ')
}
