import { texts } from '../../locales/texts.ts'
import { addDays, formatWall, wallClockIn } from '../domain/zone.ts'
import { dueClock, readTime, remindClock } from './times.ts'
import {
  type Action,
  type GrammarFrame,
  longestText,
  type Option,
  optionsOf,
  readTag,
  readViewName,
} from './todo-grammar.ts'
import { type CommandLine, narrow, quoteIfNeeded, textOf } from './words.ts'

/* Every usage error ends in a line that works, made from what the person typed. */

/** A value that the option takes, for examples: tomorrow, in the person's zone. */
export function valueFor(option: string, { now, timeZone, locale }: GrammarFrame): string {
  const tomorrow = addDays(wallClockIn(timeZone, now), 1)
  const values: Record<string, string> = {
    tag: texts(locale).todo.placeholders.tag,
    priority: '1',
    due: formatWall({ ...tomorrow, hour: 18, minute: 0 }),
    remind: formatWall({ ...tomorrow, hour: 9, minute: 0 }),
    view: 'today',
  }
  return values[option] ?? ''
}

function placeholderFor(action: Action, locale: string): string {
  const { text, word } = texts(locale).todo.placeholders
  const values: Record<Action, string> = {
    add: text,
    list: '',
    search: word,
    get: '1',
    done: '1',
    delete: '1',
    update: '1',
    view: 'today',
  }
  return values[action]
}

/** What was typed, put in order, with the values that were wrong replaced. */
export function exampleFrom(
  action: Action,
  line: Pick<CommandLine<Option>, 'words' | 'options'>,
  replaced: Partial<Record<string, string>>,
  frame: GrammarFrame,
): string {
  const text = textOf(line.words).slice(0, longestText)
  const parts = [
    '/todo',
    action,
    text === '' ? placeholderFor(action, frame.locale) : action === 'add' ? quoteIfNeeded(text) : text,
  ]
  const needsDue = action === 'add' && line.options.has('remind') && !line.options.has('due')
  for (const option of optionsOf[action]) {
    const missing = option === 'due' && needsDue ? valueFor('due', frame) : undefined
    const value = replaced[option] ?? line.options.get(option) ?? missing
    if (value !== undefined) parts.push(`--${option}`, usable(option, value, frame))
  }
  if (action === 'update' && parts.length === 3 && !/\s/.test(text)) parts.push('--priority 0')
  return parts.filter((part) => part !== '').join(' ')
}

/** An example must not be wrong itself. */
function usable(option: Option, value: string, frame: GrammarFrame): string {
  const ok: Record<Option, () => boolean> = {
    tag: () => readTag(value) !== '',
    priority: () => /^p?\d{1,6}$/.test(narrow(value)),
    due: () => readTime(value, { ...frame, clock: dueClock }) !== null,
    remind: () => readTime(value, { ...frame, clock: remindClock }) !== null,
    view: () => readViewName(value) !== null,
  }
  if (!ok[option]()) return valueFor(option, frame)
  return option === 'tag' ? quoteIfNeeded(readTag(value)) : value
}

/** A text that is too long to be shown back. */
export function shortenedExample(action: string, text: string): string {
  return `/todo ${action} ${quoteIfNeeded(`${Array.from(text).slice(0, 60).join('').trimEnd()}…`)}`
}
