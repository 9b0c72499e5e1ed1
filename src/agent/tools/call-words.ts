import { texts } from '../../locales/texts.ts'
import type { Frame } from '../commands/grammar.ts'
import { readSubcommand } from '../commands/reader.ts'
import { ruleInWords, type TimeDisplay } from '../commands/rule-words.ts'
import { addForm as addSchedule, scheduleTable } from '../commands/schedule-table.ts'
import { addForm as addTodo, todoTable } from '../commands/todo-table.ts'
import { readErrand } from '../domain/elsewhere.ts'
import { showInstant } from '../domain/zone.ts'
import { bareLine, ruled } from './command-tool.ts'

/** Moment and place in which a call is read and said. */
type Asked = Pick<Frame, 'now' | 'timeZone'> & Required<TimeDisplay>

/**
 * What a call of Clew's own tools would add, as a sentence for those who approve it (C607); null
 * for other tools, and where the call says something else.
 */
export function callInWords(tool: string, input: string, asked: Asked): string | null {
  if (tool === 'message') return saying(input, asked)
  if (tool !== 'schedule' && tool !== 'todo') return null
  const { now, timeZone } = asked
  const found = tool === 'schedule' ? ruled(input, { now, timeZone }) : { line: input }
  if (typeof found === 'string') return null
  const { line, ...given } = found
  const command = tool === 'schedule' ? scheduleTable : todoTable
  const [, word = '', rest = ''] = /^\s*(\S*)([\s\S]*)$/.exec(bareLine(command, line)) ?? []
  const form = tool === 'schedule' ? addSchedule : addTodo
  if (![form.name, ...form.aliases].includes(word.toLowerCase())) return null
  const frame = { ...asked, ...given }
  return tool === 'schedule' ? scheduling(rest, frame, asked) : adding(rest, frame, asked)
}

/** C840: where it would be said. */
function saying(input: string, { locale }: Asked): string | null {
  const errand = readErrand(input)
  if (errand === null) return null
  const { approval } = texts(locale).elsewhere
  const { kind, to, here } = errand
  if (here) return approval.here(to)
  if (kind === 'ask') return approval.ask(to)
  return to.startsWith('@') ? approval.tellPerson(to) : approval.tell(to)
}

function scheduling(rest: string, frame: Frame, shown: Asked): string | null {
  const reading = readSubcommand(scheduleTable, addSchedule, rest, frame)
  if (!reading.ok) return null
  const { when, title, fields } = reading.request
  const place = { timeZone: fields.timeZone ?? shown.timeZone }
  const { schedules } = texts(shown.locale).core.approval
  return schedules(title, ruleInWords({ when, place }, shown), fields.work === 'note')
}

function adding(rest: string, frame: Frame, { times, timeZone, locale }: Asked): string | null {
  const reading = readSubcommand(todoTable, addTodo, rest, frame)
  if (!reading.ok) return null
  const words = texts(locale)
  const { text, fields } = reading.request
  const time = (at: number) => showInstant(times, timeZone, at)
  const facts = [
    fields.dueAt == null ? [] : words.todo.due(time(fields.dueAt)),
    fields.remindAt == null ? [] : words.todo.remind(time(fields.remindAt)),
  ]
  return words.core.approval.todos([text, ...facts.flat()].join(' · '))
}
