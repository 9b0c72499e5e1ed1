import { memoryScopes } from '../domain/fact.ts'
import { memoryLimits } from '../domain/memory.ts'
import { narrow } from './command-line.ts'
import {
  type About,
  anyFrame,
  argument,
  type CommandTable,
  formsOn,
  type Line,
  option,
  subcommand,
  type ValueKind,
} from './grammar.ts'
import {
  type Decision,
  decideFact,
  type FactName,
  inItsThread,
  keepFact,
  listMemory,
  type MemoryDeps,
  showFact,
} from './memory.ts'
import { choice, flag, key as keyKind, text } from './value-kinds.ts'

const otherScopes = {
  me: ['my', 'mine', 'user', '我', '个人'],
  thread: ['conversation', '话题', '会话'],
  channel: ['here', '频道'],
  team: ['workspace', 'everyone', 'all', '团队'],
}
const scopeKind = choice(memoryScopes, otherScopes, 'bad_scope', 'thread')

/** `thread-3`, `thread 3`, `#thread3`. */
export const factName: ValueKind<FactName> = {
  label: 'name',
  form: { kind: 'text' },
  error: 'bad_name',
  missing: 'no_name',
  rest: true,
  read(typed) {
    const [, word = '', digits = '', of] =
      /^[#[]?(\p{L}{1,20})[\s#-]?([1-9]\d{0,5})\]?(?:@(\S{1,100}))?$/u.exec(narrow(typed.trim())) ??
      []
    const scope = scopeKind.read(word, anyFrame)
    if (scope === undefined) return undefined
    return { scope, id: Number(digits), of }
  },
  example: (_, typed) => `thread-${/[1-9]\d{0,5}/.exec(narrow(typed))?.[0] ?? 1}`,
}

const scope = option('scope', scopeKind, 'scope', ['s', 'for', '范围'])
const key = option('key', keyKind(memoryLimits.key), 'key', ['k', 'about', '关于', '键'])
const keep = option('keep', flag, 'keep', ['keep-both', '保留'])
const fact = argument('text', 'fact', text(memoryLimits.text, 'fact'), 'fact')
const name = argument('name', 'name', factName, 'factName')
const whose = argument('scope', 'name', scopeKind, 'scope', false)

const wish = (kind: 'add' | 'propose', about: About, aliases: readonly string[]) =>
  subcommand(kind, about, aliases, {
    by: kind === 'add' ? 'people' : 'model',
    takes: [fact],
    options: [key, scope, keep],
    request: (line: Line) => ({
      scope: line.get(scope) ?? null,
      key: line.get(key) ?? null,
      text: line.need(fact),
      policy: line.get(keep) ? ('keep_both' as const) : ('overwrite_latest' as const),
    }),
    // Where there is no thread it is the channel's.
    answer: ({ scope: asked, ...fact }, context, deps: MemoryDeps) =>
      keepFact(
        kind,
        { ...fact, scope: asked ?? (context.conversationId === '' ? 'channel' : 'thread') },
        context,
        deps,
      ),
  })
export const addForm = wish('add', 'memoryAdd', ['remember', 'keep', 'new', '添加', '记住', '新增'])

const one = formsOn<FactName, MemoryDeps>(name)
const decision = (verb: Decision, about: About, aliases: readonly string[]) => ({
  ...one(
    verb,
    about,
    aliases,
    inItsThread((asked, ...at) => decideFact(verb, asked, ...at)),
  ),
  by: 'people' as const,
})

/** `/memory` (F30). A model proposes and looks; only people decide (S4). */
export const memoryTable: CommandTable<MemoryDeps> = {
  name: 'memory',
  aliases: ['memories', 'facts', '记忆'],
  about: 'memory',
  words: ({ memory }) => memory,
  subcommands: [
    subcommand('list', 'memoryList', ['ls', 'all', '列表', '列出'], {
      takes: [whose],
      options: [scope],
      looks: true,
      request: (line) => ({ scope: line.get(scope) ?? line.get(whose) ?? null }),
      answer: listMemory,
    }),
    addForm,
    wish('propose', 'memoryPropose', ['suggest', '提议', '建议']),
    {
      ...one('show', 'memoryShow', ['get', 'history', '查看', '详情'], inItsThread(showFact)),
      looks: true,
    },
    decision('accept', 'memoryAccept', ['yes', 'approve', '接受', '同意']),
    decision('reject', 'memoryReject', ['no', 'refuse', '拒绝', '不要']),
    decision('forget', 'memoryForget', ['revoke', 'delete', 'remove', 'rm', '忘记', '删除']),
    decision('archive', 'memoryArchive', ['hide', '归档']),
    decision('restore', 'memoryRestore', ['undo', 'back', '恢复', '撤销']),
  ],
  guess(_, first) {
    if (factName.read(first, anyFrame) !== undefined) return `show ${first}`
    return scopeKind.read(first, anyFrame) === undefined ? null : `list ${first}`
  },
}
