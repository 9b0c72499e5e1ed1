import { texts } from '../../locales/texts.ts'
import { type MemoryScope, memoryScopes, type Proposal } from '../domain/fact.ts'
import { memoryLimits } from '../domain/memory.ts'
import { nearest } from './nearest.ts'
import { type CommandLine, narrow, type OptionSpec, oneLine, quoteIfNeeded, readLine, textOf } from './words.ts'

/** What `/memory` can be asked for (F30). */
export type MemoryRequest =
  | { kind: 'list'; scope: MemoryScope | null }
  | { kind: 'add' | 'propose'; scope: MemoryScope; key: string | null; text: string; policy: Proposal['policy'] }
  | { kind: MemoryVerb; scope: MemoryScope; id: number }

/** What is done to one fact or proposal, by its name. */
export const memoryVerbs = ['show', 'accept', 'reject', 'forget', 'archive', 'restore'] as const
export type MemoryVerb = (typeof memoryVerbs)[number]

export interface MemoryUsageProblem {
  kind:
    | 'unknown_action'
    | 'unknown_option'
    | 'no_value'
    | 'twice'
    | 'no_text'
    | 'no_name'
    | 'bad_name'
    | 'bad_scope'
    | 'bad_key'
    | 'too_long'
  /** The word that it is about. */
  typed: string
  /** A line that works, made from what was typed. */
  example: string
}
export type MemoryReading = { ok: true; request: MemoryRequest } | { ok: false; problem: MemoryUsageProblem }

export const memoryActions = ['list', 'add', 'propose', ...memoryVerbs] as const
export type MemoryAction = (typeof memoryActions)[number]
const aliases: Record<MemoryAction, readonly string[]> = {
  list: ['ls', 'all', '列表', '列出'],
  add: ['remember', 'keep', 'new', '添加', '记住', '新增'],
  propose: ['suggest', '提议', '建议'],
  show: ['get', 'history', '查看', '详情'],
  accept: ['yes', 'approve', '接受', '同意'],
  reject: ['no', 'refuse', '拒绝', '不要'],
  forget: ['revoke', 'delete', 'remove', 'rm', '忘记', '删除'],
  archive: ['hide', '归档'],
  restore: ['undo', 'back', '恢复', '撤销'],
}
const names = memoryActions.flatMap((action) => [action, ...aliases[action]])

const scopeAliases: Record<MemoryScope, readonly string[]> = {
  me: ['my', 'mine', 'user', '我', '个人'],
  thread: ['conversation', '话题', '会话'],
  channel: ['here', '频道'],
  team: ['workspace', 'everyone', 'all', '团队'],
}

type Option = 'key' | 'scope' | 'keep'
const options: readonly OptionSpec<Option>[] = [
  { name: 'key', aliases: ['k', 'about', '关于', '键'] },
  { name: 'scope', aliases: ['s', 'for', '范围'] },
  { name: 'keep', aliases: ['keep-both', '保留'], flag: true },
]

export function memoryActionOf(typed: string): MemoryAction | null {
  const name = narrow(typed)
  return memoryActions.find((action) => action === name || aliases[action].includes(name)) ?? null
}

function scopeOf(typed: string): MemoryScope | null {
  const name = narrow(typed)
  return memoryScopes.find((scope) => scope === name || scopeAliases[scope].includes(name)) ?? null
}

/** Reads what follows `/memory`. Every usage error ends in a line that works. */
export function readMemory(args: string, locale: string): MemoryReading {
  const [, first = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? []
  if (first === '') return request({ kind: 'list', scope: null })
  const action = memoryActionOf(first)
  if (action === null) return unknown(first, args)
  const line = readLine(rest, options)
  const [wrong] = line.problems
  const text = textOf(line.words).slice(0, memoryLimits.text)
  if (wrong !== undefined) {
    const typed = wrong.kind === 'unknown_option' ? `--${wrong.typed}` : `--${wrong.option}`
    return problem(wrong.kind, typed, exampleOf(action, text, locale))
  }
  switch (action) {
    case 'list':
      return readList(line, text)
    case 'add':
    case 'propose':
      return readWish(action, line, locale)
    default:
      return readName(action, text)
  }
}

function unknown(typed: string, args: string): MemoryReading {
  if (nameIn(typed) !== null) return problem('unknown_action', typed, `/memory show ${typed}`)
  if (scopeOf(typed) !== null) return problem('unknown_action', typed, `/memory list ${scopeOf(typed)}`)
  const meant = memoryActionOf(nearest(narrow(typed), names) ?? '')
  const after = oneLine(args.trim().slice(typed.length))
  // Whatever else begins a line is most likely what is to be remembered.
  const line = meant === null ? `add ${quoteIfNeeded(oneLine(args).slice(0, memoryLimits.text))}` : `${meant} ${after}`
  const settled =
    meant === null || readMemory(line, 'en').ok ? line : exampleOf(meant, '', 'en').slice('/memory '.length)
  return problem('unknown_action', typed, `/memory ${settled.trim()}`)
}

function readList(line: CommandLine<Option>, text: string): MemoryReading {
  const typed = line.options.get('scope') ?? text
  if (typed === '') return request({ kind: 'list', scope: null })
  const scope = scopeOf(typed)
  if (scope !== null) return request({ kind: 'list', scope })
  return problem('bad_scope', typed, `/memory list ${nearest(narrow(typed), memoryScopes) ?? 'thread'}`)
}

function readWish(kind: 'add' | 'propose', line: CommandLine<Option>, locale: string): MemoryReading {
  const whole = textOf(line.words)
  if (whole === '') return problem('no_text', '', exampleOf(kind, '', locale))
  if (whole.length > memoryLimits.text)
    return problem('too_long', String(memoryLimits.text), exampleOf(kind, whole.slice(0, memoryLimits.text), locale))
  const typed = line.options.get('scope') ?? 'thread'
  const scope = scopeOf(typed)
  if (scope === null) return problem('bad_scope', typed, exampleOf(kind, whole, locale))
  const key = keyOf(line.options.get('key') ?? '')
  if (line.options.has('key') && key === null)
    return problem('bad_key', line.options.get('key') ?? '', exampleOf(kind, whole, locale))
  return request({ kind, scope, key, text: whole, policy: line.options.has('keep') ? 'keep_both' : 'overwrite_latest' })
}

/** `Offsite city` and `offsite-city` are one key. */
function keyOf(typed: string): string | null {
  const key = narrow(typed)
    .replace(/[\s_]+/gu, '-')
    .replace(/[^\p{L}\p{N}-]/gu, '')
    .replace(/^-+|-+$/g, '')
  return key === '' || key.length > memoryLimits.key ? null : key
}

function readName(kind: MemoryVerb, text: string): MemoryReading {
  if (text === '') return problem('no_name', '', `/memory ${kind} thread-1`)
  const named = nameIn(text)
  if (named !== null) return request({ kind, ...named })
  const digits = /[1-9]\d{0,5}/.exec(narrow(text))?.[0]
  return problem('bad_name', text, `/memory ${kind} thread-${digits ?? 1}`)
}

/** `thread-3`, `thread 3`, `#thread3`. */
function nameIn(typed: string): { scope: MemoryScope; id: number } | null {
  const [, word = '', digits = ''] = /^[#[]?(\p{L}+)[\s#-]?([1-9]\d{0,5})\]?$/u.exec(narrow(typed.trim())) ?? []
  const scope = scopeOf(word)
  return scope === null || digits === '' ? null : { scope, id: Number(digits) }
}

function exampleOf(action: MemoryAction, text: string, locale: string): string {
  if (action === 'list') return '/memory list'
  if (action !== 'add' && action !== 'propose') return `/memory ${action} thread-1`
  const shown = text === '' ? texts(locale).memory.placeholder : text
  return `/memory ${action} ${quoteIfNeeded(shown)} --scope thread`
}

const request = (value: MemoryRequest): MemoryReading => ({ ok: true, request: value })

function problem(kind: MemoryUsageProblem['kind'], typed: string, example: string): MemoryReading {
  return { ok: false, problem: { kind, typed: Array.from(typed).slice(0, 80).join(''), example } }
}
