import { texts } from '../../locales/texts.ts'
import { type MemoryScope, memoryScopes, type Proposal } from '../domain/fact.ts'
import { memoryLimits } from '../domain/memory.ts'
import { argument, type CommandTable, type Line, option, type Subcommand, type ValueKind } from './table.ts'
import { choice, flag, key as keyKind, text } from './values.ts'
import { narrow } from './words.ts'

/** What is done to one fact or proposal, by its name. */
export const memoryVerbs = ['show', 'accept', 'reject', 'forget', 'archive', 'restore'] as const
export type MemoryVerb = (typeof memoryVerbs)[number]
export interface FactName {
  scope: MemoryScope
  id: number
}
/** What somebody wants remembered, as it is said. */
export interface SaidFact {
  scope: MemoryScope
  key: string | null
  text: string
  policy: Proposal['policy']
}
/** What `/memory` can be asked for (F30). */
export type MemoryRequest =
  | { kind: 'list'; scope: MemoryScope | null }
  | ({ kind: 'add' | 'propose' } & SaidFact)
  | ({ kind: MemoryVerb } & FactName)

const otherScopes = {
  me: ['my', 'mine', 'user', '我', '个人'],
  thread: ['conversation', '话题', '会话'],
  channel: ['here', '频道'],
  team: ['workspace', 'everyone', 'all', '团队'],
}
const scopeKind = choice(memoryScopes, otherScopes, 'bad_scope', 'thread')
const frame = { now: 0, timeZone: 'UTC', locale: 'en' }

/** `thread-3`, `thread 3`, `#thread3`. */
export const factName: ValueKind<FactName> = {
  label: 'name',
  form: { kind: 'text' },
  error: 'bad_name',
  missing: 'no_name',
  rest: true,
  read(typed) {
    const [, word = '', digits = ''] = /^[#[]?(\p{L}{1,20})[\s#-]?([1-9]\d{0,5})\]?$/u.exec(narrow(typed.trim())) ?? []
    const scope = scopeKind.read(word, frame)
    return scope === undefined ? undefined : { scope, id: Number(digits) }
  },
  example: (_, typed) => `thread-${/[1-9]\d{0,5}/.exec(narrow(typed))?.[0] ?? 1}`,
}

const scope = option('scope', scopeKind, 'scope', ['s', 'for', '范围'])
const key = option('key', keyKind(memoryLimits.key), 'key', ['k', 'about', '关于', '键'])
const keep = option('keep', flag, 'keep', ['keep-both', '保留'])
const fact = argument('text', 'fact', text(memoryLimits.text), 'fact')
const name = argument('name', 'name', factName, 'factName')
const whose = argument('scope', 'name', scopeKind, 'scope', false)

const wish = (kind: 'add' | 'propose') => ({
  takes: [fact],
  options: [key, scope, keep],
  example: ({ locale }: { locale: string }) => texts(locale).memory.placeholder,
  request: (line: Line): MemoryRequest => ({
    kind,
    scope: line.get(scope) ?? 'thread',
    key: line.get(key) ?? null,
    text: line.need(fact),
    policy: line.get(keep) ? 'keep_both' : 'overwrite_latest',
  }),
})

const verb = (kind: MemoryVerb, about: Subcommand<MemoryRequest>['about'], aliases: readonly string[]) => ({
  name: kind,
  aliases,
  about,
  takes: [name],
  example: () => 'thread-1',
  request: (line: Line): MemoryRequest => ({ kind, ...line.need(name) }),
})
const people = { by: 'people' } as const

/** `/memory` (F30). A model proposes and looks; only people decide (S4). */
export const memoryTable: CommandTable<MemoryRequest> = {
  name: 'memory',
  aliases: ['memories', 'facts', '记忆'],
  about: 'memory',
  errors: (words) => words.memory.errors,
  subcommands: [
    {
      name: 'list',
      aliases: ['ls', 'all', '列表', '列出'],
      about: 'memoryList',
      takes: [whose],
      options: [scope],
      looks: true,
      example: () => '',
      request: (line) => ({ kind: 'list', scope: line.get(scope) ?? line.get(whose) ?? null }),
    },
    {
      name: 'add',
      aliases: ['remember', 'keep', 'new', '添加', '记住', '新增'],
      about: 'memoryAdd',
      ...people,
      ...wish('add'),
    },
    { name: 'propose', aliases: ['suggest', '提议', '建议'], about: 'memoryPropose', by: 'model', ...wish('propose') },
    { ...verb('show', 'memoryShow', ['get', 'history', '查看', '详情']), looks: true },
    { ...verb('accept', 'memoryAccept', ['yes', 'approve', '接受', '同意']), ...people },
    { ...verb('reject', 'memoryReject', ['no', 'refuse', '拒绝', '不要']), ...people },
    { ...verb('forget', 'memoryForget', ['revoke', 'delete', 'remove', 'rm', '忘记', '删除']), ...people },
    { ...verb('archive', 'memoryArchive', ['hide', '归档']), ...people },
    { ...verb('restore', 'memoryRestore', ['undo', 'back', '恢复', '撤销']), ...people },
  ],
  guess(_, first) {
    if (factName.read(first, frame) !== undefined) return `show ${first}`
    return scopeKind.read(first, frame) === undefined ? null : `list ${first}`
  },
}
