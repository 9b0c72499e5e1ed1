import { nearest } from './nearest.ts'
import { dueClock, readTime } from './times.ts'
import { exampleFrom, shortenedExample, valueFor } from './todo-examples.ts'
import { type ActionLine, problem, type Reading, readFields, readId } from './todo-fields.ts'
import {
  type Action,
  actionAliases,
  actionOf,
  actions,
  type GrammarFrame,
  longestLine,
  longestText,
  type Option,
  optionAliases,
  optionNames,
  optionsOf,
  readTag,
  readViewName,
  type TodoRequest,
} from './todo-grammar.ts'
import { viewNames } from './views.ts'
import { type CommandLine, narrow, type OptionSpec, oneLine, quoteIfNeeded, readLine, textOf } from './words.ts'

/** Reads what follows `/todo` (F6 to F8). The example of a problem is itself read without one. */
export function readTodo(args: string, frame: GrammarFrame): Reading {
  const reading = read(args, frame)
  if (reading.ok) return reading
  const example = settle(reading.problem.example, frame)
  return { ok: false, problem: { ...reading.problem, example } }
}

/** Correcting one mistake may show the next one; after a few there is little left of what was typed. */
function settle(example: string, frame: GrammarFrame): string {
  let line = example.trim()
  for (let round = 0; round < 4; round += 1) {
    const reading = read(line.slice('/todo '.length), frame)
    if (reading.ok) return line
    line = reading.problem.example.trim()
  }
  const action = actionOf(example.split(' ')[1] ?? '') ?? 'list'
  return exampleFrom(action, { words: [], options: new Map() }, {}, frame)
}

function read(args: string, frame: GrammarFrame): Reading {
  if (args.length > longestLine) {
    const text = oneLine(args.slice(0, longestText)).replace(/^\S+ /, '')
    return problem('too_long', String(longestText), shortenedExample('add', text))
  }
  const [, first = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? []
  if (first === '') return request({ kind: 'list', tag: null, view: 'all' })
  const action = actionOf(first)
  if (action === null) return unknownAction(first, args)
  return readAction(action, rest, frame)
}

function unknownAction(typed: string, args: string): Reading {
  const after = oneLine(args.trim().slice(typed.length))
  const names = actions.flatMap((action) => [action, ...actionAliases[action]])
  const meant = nearest(narrow(typed), names)
  if (/^#?\d+$/.test(narrow(typed))) return problem('unknown_action', typed, `/todo get ${typed}`)
  if (readViewName(typed) !== null) return problem('unknown_action', typed, `/todo view ${typed} ${after}`)
  // Whatever else begins a line is most likely the to-do itself.
  const corrected = meant === null ? `add ${oneLine(args)}` : `${actionOf(meant)} ${after}`
  return problem('unknown_action', typed, `/todo ${corrected}`)
}

function readAction(action: Action, rest: string, frame: GrammarFrame): Reading {
  const line = readLine(rest, optionSpecs(frame))
  const context = { action, line, rest, frame }
  const wrong = lineProblem(context)
  if (wrong !== null) return wrong
  switch (action) {
    case 'add':
      return readAdd(context)
    case 'update':
      return readUpdate(context)
    case 'list':
      return readList(context)
    case 'view':
      return readView(context)
    case 'search':
      return readSearch(context)
    case 'get':
    case 'done':
    case 'delete': {
      const id = readId(context)
      if (typeof id !== 'number') return id
      if (line.words.length > 1) return problem('extra_words', textOf(line.words.slice(1)), `/todo ${action} ${id}`)
      return request({ kind: action, id })
    }
  }
}

function optionSpecs(frame: GrammarFrame): OptionSpec<Option>[] {
  const timeWords = (following: readonly string[]) => {
    const lengths = [6, 5, 4, 3, 2].filter((length) => length <= following.length)
    return (
      lengths.find(
        (length) => readTime(following.slice(0, length).join(' '), { ...frame, clock: dueClock }) !== null,
      ) ?? 0
    )
  }
  return optionNames.map((name) => ({
    name,
    aliases: optionAliases[name],
    ...(name === 'due' || name === 'remind' ? { take: timeWords } : {}),
  }))
}

/** What is wrong with the options themselves, before anything is read from them. */
function lineProblem({ action, line, rest, frame }: ActionLine): Reading | null {
  const [wrong] = line.problems
  const usable = optionsOf[action]
  switch (wrong?.kind) {
    case 'unknown_option': {
      const meant = nearest(narrow(wrong.typed), usable)
      const { start, raw } = wrong.word
      const inline = /[=:：].*$/su.exec(raw)?.[0] ?? ''
      const corrected = `${rest.slice(0, start)}${meant === null ? '' : `--${meant}${inline}`}${rest.slice(start + raw.length)}`
      return problem('unknown_option', `--${wrong.typed}`, `/todo ${action} ${oneLine(corrected)}`)
    }
    case 'no_value':
      return problem(
        'no_value',
        `--${wrong.option}`,
        exampleFrom(action, line, { [wrong.option]: valueFor(wrong.option, frame) }, frame),
      )
    case 'twice':
      return problem('twice', `--${wrong.option}`, exampleFrom(action, line, {}, frame))
  }
  const misplaced = [...line.options.keys()].find((option) => !usable.includes(option))
  if (misplaced === undefined) return null
  const fitting = new Map([...line.options].filter(([option]) => usable.includes(option)))
  return problem('option_not_here', `--${misplaced}`, exampleFrom(action, { ...line, options: fitting }, {}, frame))
}

function readAdd(context: ActionLine): Reading {
  const { line, frame } = context
  const text = textOf(line.words)
  const fields = readFields(context)
  if ('problem' in fields) return fields
  if (text === '') return problem('no_text', '', exampleFrom('add', line, {}, frame))
  if (text.length > longestText) return problem('too_long', String(longestText), shortenedExample('add', text))
  if (fields.remindAt != null && fields.dueAt == null)
    return problem('remind_needs_due', '', exampleFrom('add', line, { due: valueFor('due', frame) }, frame))
  return request({ kind: 'add', text, fields })
}

function readUpdate(context: ActionLine): Reading {
  const id = readId(context)
  if (typeof id !== 'number') return id
  const fields = readFields(context)
  if ('problem' in fields) return fields
  const text = textOf(context.line.words.slice(1))
  if (text.length > longestText) return problem('too_long', String(longestText), shortenedExample(`update ${id}`, text))
  if (text === '' && Object.keys(fields).length === 0)
    return problem('nothing_to_change', '', `/todo update ${id} --due ${valueFor('due', context.frame)}`)
  // A reminder hangs on the due date (F6), so it goes with it.
  if (fields.dueAt === null) {
    if (fields.remindAt != null)
      return problem(
        'remind_needs_due',
        '',
        exampleFrom('update', context.line, { due: valueFor('due', context.frame) }, context.frame),
      )
    fields.remindAt = null
  }
  return request({ kind: 'update', id, text: text === '' ? null : text, fields })
}

function readList({ line, frame }: ActionLine): Reading {
  const view = readViewName(line.options.get('view') ?? 'all')
  if (view === null) return unknownView(line.options.get('view') ?? '', line)
  const bare = textOf(line.words)
  if (line.words.length > 1)
    return problem('extra_words', bare, `/todo list --tag ${readTag(bare) || valueFor('tag', frame)}`)
  // F7: one bare word is a tag.
  const typed = line.options.get('tag') ?? (bare === '' ? null : bare)
  if (bare !== '' && line.options.has('tag'))
    return problem('extra_words', bare, exampleFrom('search', line, {}, frame))
  return withTag(typed, 'list', frame, (tag) => ({ kind: 'list', tag, view }))
}

function readView({ line, frame }: ActionLine): Reading {
  const [first, ...extra] = line.words
  if (first === undefined && line.options.size === 0) return request({ kind: 'views' })
  if (first !== undefined && ['list', '列表'].includes(narrow(first.value)) && extra.length === 0)
    return request({ kind: 'views' })
  const view = readViewName(first?.value ?? 'all')
  if (view === null || extra.length > 0) return unknownView(textOf(line.words), line)
  return withTag(line.options.get('tag') ?? null, `view ${view}`, frame, (tag) => ({ kind: 'list', tag, view }))
}

function withTag(
  typed: string | null,
  action: string,
  frame: GrammarFrame,
  make: (tag: string | null) => TodoRequest,
): Reading {
  const tag = typed === null ? null : readTag(typed)
  return tag === ''
    ? problem('bad_tag', typed ?? '', `/todo ${action} --tag ${valueFor('tag', frame)}`)
    : request(make(tag))
}

function unknownView(typed: string, line: CommandLine<Option>): Reading {
  const meant = nearest(narrow(typed), viewNames) ?? 'today'
  const tag = readTag(line.options.get('tag') ?? '')
  return problem('unknown_view', typed, `/todo view ${meant}${tag === '' ? '' : ` --tag ${tag}`}`)
}

function readSearch({ line, frame }: ActionLine): Reading {
  const keyword = textOf(line.words)
  if (keyword === '') return problem('no_text', '', exampleFrom('search', line, {}, frame))
  if (keyword.length > longestText) return problem('too_long', String(longestText), shortenedExample('search', keyword))
  return withTag(line.options.get('tag') ?? null, `search ${quoteIfNeeded(keyword)}`, frame, (tag) => ({
    kind: 'search',
    keyword,
    tag,
  }))
}

function request(value: TodoRequest): Reading {
  return { ok: true, request: value }
}
