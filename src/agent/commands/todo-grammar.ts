import { type ViewName, viewAliases, viewNames } from './views.ts'
import { narrow } from './words.ts'

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

/** Why a command was not understood, and the nearest command that would be. */
export interface UsageProblem {
  kind:
    | 'unknown_action'
    | 'unknown_option'
    | 'option_not_here'
    | 'no_value'
    | 'twice'
    | 'no_text'
    | 'no_id'
    | 'bad_id'
    | 'extra_words'
    | 'bad_priority'
    | 'bad_tag'
    | 'bad_time'
    | 'remind_needs_due'
    | 'unknown_view'
    | 'nothing_to_change'
    | 'too_long'
  /** The word that it is about. */
  typed: string
  example: string
}

export const actions = ['add', 'list', 'search', 'get', 'done', 'delete', 'update', 'view'] as const
export type Action = (typeof actions)[number]
export const actionAliases: Record<Action, readonly string[]> = {
  add: ['new', 'create', '添加', '新增', '新建', '加'],
  list: ['ls', '列表', '列出'],
  search: ['find', '搜索', '查找', '搜'],
  get: ['show', '查看', '详情'],
  done: ['complete', 'finish', '完成'],
  delete: ['rm', 'remove', 'del', '删除', '删'],
  update: ['edit', 'change', '更新', '修改', '改'],
  view: ['views', '视图'],
}

export const optionNames = ['tag', 'priority', 'due', 'remind', 'view'] as const
export type Option = (typeof optionNames)[number]
export const optionAliases: Record<Option, readonly string[]> = {
  tag: ['t', '标签'],
  priority: ['p', 'prio', '优先级', '优先'],
  due: ['d', 'until', '截止', '到期'],
  remind: ['r', 'reminder', '提醒'],
  view: ['v', '视图'],
}
export const optionsOf: Record<Action, readonly Option[]> = {
  add: ['tag', 'priority', 'due', 'remind'],
  update: ['tag', 'priority', 'due', 'remind'],
  list: ['tag', 'view'],
  search: ['tag'],
  view: ['tag'],
  get: [],
  done: [],
  delete: [],
}

/** Chat messages may be longer; to-dos and searches are not. */
export const longestText = 500
const longestTag = 40
export const longestLine = 4000

/** Values that mean "no time". */
export const noTime: readonly string[] = ['none', 'never', 'off', '无', '不', '取消']

/** When and for whom the line is read: `now` in milliseconds since the epoch, the person's IANA zone and language. */
export interface GrammarFrame {
  now: number
  timeZone: string
  locale: string
}

/** The action of a command line, whatever follows it; null when its first word is none. */
export function actionOf(word: string): Action | null {
  const name = narrow(word)
  return actions.find((action) => action === name || actionAliases[action].includes(name)) ?? null
}

/** Null when no view is called that. */
export function readViewName(typed: string): ViewName | null {
  const name = narrow(typed)
  return viewNames.find((view) => view === name || viewAliases[view].includes(name)) ?? null
}

/** F6: lower case, no leading `#`, blanks as `-`. Empty when nothing is left. */
export function readTag(typed: string): string {
  const tag = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s#]+/, '')
    .trim()
  return Array.from(tag.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, '-'))
    .slice(0, longestTag)
    .join('')
}
