import { dueClock, readTime, remindClock } from './times.ts'
import { exampleFrom, valueFor } from './todo-examples.ts'
import {
  type Action,
  type GrammarFrame,
  longestText,
  noTime,
  type Option,
  readTag,
  type TodoFields,
  type TodoRequest,
  type UsageProblem,
} from './todo-grammar.ts'
import { type CommandLine, narrow, quoteIfNeeded, textOf } from './words.ts'

export type Reading = { ok: true; request: TodoRequest } | { ok: false; problem: UsageProblem }

/** A line whose action is known and whose options are taken out. */
export interface ActionLine {
  action: Action
  line: CommandLine<Option>
  rest: string
  frame: GrammarFrame
}

/** `3`, `#3`, `３`. */
export function readId({ action, line, frame }: ActionLine): number | Reading {
  const typed = line.words[0]?.value
  const change = action === 'update' ? ` ${updateOf(line)}` : ''
  if (typed === undefined) return problem('no_id', '', exampleFrom(action, line, {}, frame))
  const digits = /^#?(\d{1,9})$/.exec(narrow(typed))?.[1]
  if (digits !== undefined && Number(digits) > 0) return Number(digits)
  const inside = /[1-9]\d{0,8}/.exec(narrow(typed))?.[0]
  return problem('bad_id', typed, `/todo ${action} ${inside ?? 1}${change}`.trimEnd())
}

/** The words of an update that has no number, as its text. */
function updateOf(line: CommandLine<Option>): string {
  const text = textOf(/\d/.test(line.words[0]?.value ?? '') ? line.words.slice(1) : line.words)
  return text === '' ? '--priority 0' : quoteIfNeeded(text.slice(0, longestText))
}

/** The options of `add` and `update`; only those that are there. */
export function readFields({ action, line, frame }: ActionLine): TodoFields | { ok: false; problem: UsageProblem } {
  const fields: TodoFields = {}
  const { options } = line
  const tag = options.get('tag')
  if (tag !== undefined) {
    fields.tag = readTag(tag)
    if (fields.tag === '')
      return problem('bad_tag', tag, exampleFrom(action, line, { tag: valueFor('tag', frame) }, frame))
  }
  const priority = options.get('priority')
  if (priority !== undefined) {
    const digits = /^p?(\d{1,6})$/.exec(narrow(priority))?.[1]
    if (digits === undefined)
      return problem('bad_priority', priority, exampleFrom(action, line, { priority: '1' }, frame))
    fields.priority = Number(digits)
  }
  for (const option of ['due', 'remind'] as const) {
    const typed = options.get(option)
    if (typed === undefined) continue
    const clock = option === 'due' ? dueClock : remindClock
    const at = noTime.includes(narrow(typed)) ? null : readTime(typed, { ...frame, clock })
    if (at === null && !noTime.includes(narrow(typed)))
      return problem('bad_time', typed, exampleFrom(action, line, { [option]: valueFor(option, frame) }, frame))
    fields[option === 'due' ? 'dueAt' : 'remindAt'] = at
  }
  return fields
}

/** @param typed the word that it is about, shortened to what a message can show. */
export function problem(kind: UsageProblem['kind'], typed: string, example: string) {
  return { ok: false as const, problem: { kind, typed: Array.from(typed).slice(0, 80).join(''), example } }
}
