import { memoized } from '../domain/memoized.ts'
import { reminderBefore, type Todo } from '../domain/todo.ts'
import type { CommandContext, CommandResult } from './command.ts'
import { narrow, quoteIfNeeded } from './command-line.ts'
import {
  type About,
  anyFrame,
  argument,
  type CommandTable,
  formsOn,
  type Line,
  option,
  subcommand,
  wrong,
} from './grammar.ts'
import {
  addTodo,
  countViews,
  deleteTodo,
  finishTodo,
  getTodo,
  listTodos,
  reopenTodo,
  searchTodos,
  type TodoDeps,
  type TodoFields,
  updateTodo,
} from './todo.ts'
import {
  dueKind,
  ids,
  idsBefore,
  type OwnerWord,
  owner as ownerKind,
  tagOrNone,
} from './todo-kinds.ts'
import { toEach } from './todo-many.ts'
import { type ViewName, viewAliases, viewNames } from './todo-views.ts'
import {
  choice,
  id as idKind,
  number,
  remind,
  tag as tagKind,
  text,
  tomorrowAt,
} from './value-kinds.ts'

const longestText = 500
const viewKind = choice(viewNames, viewAliases, 'unknown_view', 'today')
/** Null when no view is called that. */
export const readViewName = (typed: string): ViewName | null =>
  viewKind.read(typed, anyFrame) ?? null

export const tag = option('tag', tagOrNone, 'tag', ['t', '标签'])
const priority = option('priority', number({ min: 0 }, 'bad_priority'), 'priority', [
  'p',
  'prio',
  '优先级',
  '优先',
])
const due = option('due', dueKind, 'due', ['d', 'until', '截止', '到期'])
const view = option('view', viewKind, 'viewName', ['v', '视图'])
export const owner = option('owner', ownerKind, 'owner', ['o', 'for', 'who', '负责人', '归属'])
const fields = { tag, priority, owner }
const options = [tag, priority, due, owner, remind]

const words = argument('text', 'text', text(longestText), 'text')
const newWords = argument('text', 'text', text(longestText), 'text', false)
const keyword = argument('words', 'words', text(longestText, 'word'), 'words')
const id = argument('id', 'id', idKind, 'id')
const some = argument('id', 'ids', ids, 'ids')
const someFirst = argument('id', 'ids', idsBefore, 'ids')
/** F7: reads a single bare word as a tag. */
const bareTag = argument('tag', 'tag', { ...tagKind, rest: true }, 'tag', false)
const isList = (typed: string) => ['list', '列表'].includes(narrow(typed))
/** The name of a view, or `list` for which there are. */
export const viewOrList = {
  ...viewKind,
  read: (typed: string) => (isList(typed) ? ('list' as const) : viewKind.read(typed, anyFrame)),
}
const viewName = argument('name', 'name', { ...viewOrList, rest: true }, 'viewName', false)
type View =
  | { kind: 'views' }
  | { kind: 'list'; tag: string | null; view: ViewName; owner?: OwnerWord }

/** Returns the request of `/todo view` and `/view`: a view, or the list of views. */
export function readView(line: Line, named: ViewName | 'list' = 'list'): View {
  const only = line.get(tag) ?? null
  const whose = line.get(owner)
  return named === 'list' && only === null && whose === undefined
    ? { kind: 'views' }
    : { kind: 'list', tag: only, view: named === 'list' ? 'all' : named, ...ofOwner(whose) }
}

export const showView = (asked: View, context: CommandContext, deps: TodoDeps) =>
  asked.kind === 'views' ? countViews(context, deps) : listTodos(asked, context, deps)

const one = formsOn<number, TodoDeps>(id)
/** Forms that do one thing to several. */
const each = (
  name: string,
  about: About,
  aliases: readonly string[],
  work: (id: number, context: CommandContext, deps: TodoDeps) => Promise<CommandResult<Todo>>,
) =>
  formsOn<readonly number[], TodoDeps>(some)(name, about, aliases, (all, context, deps) =>
    toEach(all, context, (id, part) => work(id, part, deps)),
  )

interface Addition {
  kind: 'add'
  text: string
  fields: TodoFields
  /** Additions on further lines (C373). */
  more?: readonly Addition[]
}

/** Deps in which people are looked up once for all that one command does. */
const askingOnce = ({ people, ...deps }: TodoDeps): TodoDeps =>
  people === undefined ? deps : { ...deps, people: memoized(people) }

export const addForm = subcommand(
  'add',
  'todoAdd',
  ['new', 'create', '添加', '新增', '新建', '加'],
  {
    takes: [words],
    options,
    request: (line) =>
      isReminding(line) && line.get(due) == null ? needsDue(line) : addition(line),
    together: ([first, ...more]) => ({ ...firstOf(first), more }),
    answer({ more = [], ...first }, context, deps: TodoDeps) {
      const once = askingOnce(deps)
      return toEach([first, ...more], context, (row, part) => addTodo(row, part, once))
    },
  },
)

export const updateForm = subcommand(
  'update',
  'todoUpdate',
  ['edit', 'change', '更新', '修改', '改'],
  {
    takes: [someFirst, newWords],
    options,
    example: () => '1 --priority 0',
    request: readUpdate,
    answer({ ids: all, ...asked }, context, deps: TodoDeps) {
      const once = askingOnce(deps)
      return toEach(all, context, (one, part) => updateTodo({ ...asked, id: one }, part, once))
    },
  },
)

/** `/todo` (F6 to F8). */
export const todoTable: CommandTable<TodoDeps> = {
  name: 'todo',
  aliases: ['todos', '待办'],
  about: 'todo',
  words: ({ todo }) => todo,
  subcommands: [
    addForm,
    subcommand('list', 'todoList', ['ls', '列表', '列出'], {
      takes: [bareTag],
      options: [tag, owner, view],
      looks: true,
      request: readList,
      answer: listTodos,
    }),
    subcommand('search', 'todoSearch', ['find', '搜索', '查找', '搜'], {
      takes: [keyword],
      options: [tag],
      looks: true,
      request: (line) => ({
        kind: 'search',
        keyword: line.need(keyword),
        tag: line.get(tag) ?? null,
      }),
      answer: searchTodos,
    }),
    { ...one('get', 'todoGet', ['show', '查看', '详情'], getTodo), looks: true },
    each('done', 'todoDone', ['complete', 'finish', '完成'], finishTodo),
    each('reopen', 'todoReopen', ['undone', 'undo', '重新打开', '未完成'], reopenTodo),
    each('delete', 'todoDelete', ['rm', 'remove', 'del', '删除', '删'], deleteTodo),
    updateForm,
    subcommand('view', 'view', ['views', '视图'], {
      takes: [viewName],
      options: [tag, owner],
      looks: true,
      example: () => 'today',
      request: (line) => readView(line, line.get(viewName)),
      answer: showView,
    }),
  ],
  guess(args, first) {
    if (idKind.read(first, anyFrame) !== undefined) return `get ${first}`
    return readViewName(first) === null ? null : `view ${args}`
  },
}

const ofOwner = (whose: OwnerWord | undefined): { owner?: OwnerWord } =>
  whose === undefined ? {} : { owner: whose }

const addition = (line: Line): Addition => ({
  kind: 'add',
  text: line.need(words),
  fields: readFields(line),
})

/** There are at least two lines where they are read together. */
function firstOf(first: Addition | undefined): Addition {
  if (first === undefined) throw new Error('no line was read')
  return first
}

const needsDue = ({ frame }: Line) =>
  wrong('remind_needs_due', { options: { due: due.kind.example(frame, '') } })

function isReminding(line: Line): boolean {
  const asked = line.get(remind)
  return asked !== undefined && ('at' in asked || asked.before !== null)
}

/** C137: so long before the due date is a time, as soon as that date is known. */
function readFields(line: Line): TodoFields {
  const said = line.get(due)
  const given = line.given(fields)
  if (said !== undefined) Object.assign(given, said ?? { dueAt: null, dueDay: null })
  const asked = line.get(remind)
  if (asked === undefined) return given
  if ('at' in asked) return { ...given, remindAt: asked.at }
  if (asked.before === null) return { ...given, remindAt: null }
  return said == null
    ? { ...given, remindBefore: asked.before }
    : { ...given, remindAt: reminderBefore(said, asked.before) }
}

function readUpdate(line: Line) {
  const made = readFields(line)
  const said = line.get(newWords) ?? null
  if (said === null && Object.keys(made).length === 0)
    return wrong('nothing_to_change', { options: { due: tomorrowAt(line.frame, 18) } })
  // A reminder hangs on the due date (F6), so it goes with it.
  if (made.dueAt === null && isReminding(line)) return needsDue(line)
  const changed = made.dueAt === null ? { ...made, remindAt: null } : made
  const all = line.need(someFirst)
  if (said !== null && all.length > 1)
    return wrong('one_text_each', { typed: said, words: all.join(',') })
  return { kind: 'update' as const, ids: all, text: said, fields: changed }
}

function readList(line: Line) {
  const { words: bare } = line
  if (bare !== '' && line.get(tag) !== undefined)
    return wrong('extra_words', {
      typed: bare,
      line: `search ${quoteIfNeeded(bare)} --tag ${quoteIfNeeded(line.get(tag) ?? '')}`,
    })
  const only = line.get(bareTag) ?? null
  if (only !== null && / /.test(bare) && !/^["“「『'‘]/.test(bare))
    return wrong('extra_words', { typed: bare, line: `list --tag ${quoteIfNeeded(only)}` })
  return {
    kind: 'list' as const,
    tag: line.get(tag) ?? only,
    view: line.get(view) ?? 'all',
    ...ofOwner(line.get(owner)),
  }
}
