import { texts } from '../../locales/texts.ts'
import type { When } from '../domain/schedule.ts'
import { formatDay, wallClockIn } from '../domain/zone.ts'
import { slotAfter } from '../schedules/recurrence.ts'
import { nearest } from './nearest.ts'
import { exampleOf, type Line, lineExample, tomorrow, valueFor } from './schedule-examples.ts'
import { isWrong, readPlainFields, readReminders, type Wrong, withRepeats } from './schedule-fields.ts'
import {
  allScheduleActions,
  longestScheduleLine,
  longestTitle,
  rangeOf,
  type ScheduleAction,
  type ScheduleFrame,
  type ScheduleOption,
  type ScheduleProblem,
  type ScheduleProblemKind,
  type ScheduleRequest,
  scheduleActionOf,
  scheduleOptionAliases,
  scheduleOptionNames,
  switches,
} from './schedule-grammar.ts'
import { corrected } from './schedule-spelling.ts'
import { readTime } from './times.ts'
import { splitWhen } from './when.ts'
import { type CommandLine, narrow, type OptionSpec, oneLine, readLine, textOf } from './words.ts'

export type ScheduleReading = { ok: true; request: ScheduleRequest } | { ok: false; problem: ScheduleProblem }

/** Reads what follows `/schedule` (F9, F10). The example of a problem is itself read without one. */
export function readSchedule(args: string, frame: ScheduleFrame): ScheduleReading {
  const reading = read(args, frame)
  if (reading.ok) return reading
  const { example } = reading.problem
  const again = read(example.slice('/schedule '.length), frame)
  // An example must not be wrong itself.
  return again.ok ? reading : { ok: false, problem: { ...reading.problem, example: plainExample(example, frame) } }
}

function plainExample(example: string, frame: ScheduleFrame): string {
  const action = scheduleActionOf(example.split(' ')[1] ?? '') ?? 'list'
  return exampleOf(action, frame)
}

function read(args: string, frame: ScheduleFrame): ScheduleReading {
  if (args.length > longestScheduleLine) return problem('too_long', String(longestTitle), exampleOf('add', frame))
  const [, first = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(args) ?? []
  if (first === '') return request({ kind: 'list' })
  const action = scheduleActionOf(first)
  if (action === null) return unknownAction(first, args, frame)
  const line = readLine(rest, specs)
  const context = { action, line, rest, frame }
  return lineProblem(context) ?? readAction(context)
}

function unknownAction(typed: string, args: string, frame: ScheduleFrame): ScheduleReading {
  if (rangeOf(typed) !== null) return problem('unknown_action', typed, `/schedule view ${oneLine(args)}`)
  if (/^#?\d+$/.test(narrow(typed))) return problem('unknown_action', typed, `/schedule get ${typed}`)
  const after = oneLine(args.trim().slice(typed.length))
  const meant = scheduleActionOf(nearest(narrow(typed), allScheduleActions) ?? '')
  if (meant === 'add' && splitWhen(after, frame) !== null)
    return problem('unknown_action', typed, `/schedule add ${after}`)
  // What begins with a time is most likely a schedule itself.
  if (splitWhen(oneLine(args), frame) !== null)
    return problem('unknown_action', typed, `/schedule add ${oneLine(args)}`)
  return problem(
    'unknown_action',
    typed,
    meant === null ? exampleOf('add', frame) : `/schedule ${meant} ${after}`.trim(),
  )
}

const specs: OptionSpec<ScheduleOption>[] = scheduleOptionNames.map((name) => ({
  name,
  aliases: scheduleOptionAliases[name],
  ...(name === 'remind' || name === 'remind-start'
    ? { take: (following: readonly string[]) => timeWords(following) }
    : {}),
  ...(switches.includes(name) ? { flag: true } : {}),
}))

/** A time may have several words; what it says is not looked at here. */
function timeWords(following: readonly string[]): number {
  const frame = { now: 0, timeZone: 'UTC', clock: { hour: 9, minute: 0 } }
  const lengths = [5, 4, 3, 2].filter((length) => length <= following.length)
  return lengths.find((length) => readTime(following.slice(0, length).join(' '), frame) !== null) ?? 1
}

const takesOptions: readonly ScheduleAction[] = ['add', 'update']

function lineProblem(context: Line): ScheduleReading | null {
  const { action, line, rest } = context
  const [wrong] = line.problems
  switch (wrong?.kind) {
    case 'unknown_option': {
      const meant = nearest(narrow(wrong.typed), scheduleOptionNames)
      const { start, raw } = wrong.word
      const corrected = `${rest.slice(0, start)}${meant === null ? '' : `--${meant}`}${rest.slice(start + raw.length)}`
      return problem('unknown_option', `--${wrong.typed}`, `/schedule ${action} ${oneLine(corrected)}`)
    }
    case 'no_value':
      return problem('no_value', `--${wrong.option}`, lineExample(context, { [wrong.option]: valueFor(wrong.option) }))
    case 'twice':
      return problem('twice', `--${wrong.option}`, lineExample(context, {}))
  }
  const misplaced = takesOptions.includes(action) ? undefined : [...line.options.keys()][0]
  if (misplaced === undefined) return null
  return problem('option_not_here', `--${misplaced}`, `/schedule ${action} ${textOf(line.words)}`.trim())
}

function readAction(context: Line): ScheduleReading {
  const { action, line } = context
  switch (action) {
    case 'add':
      return readAdd(context)
    case 'update':
      return readUpdate(context)
    case 'list':
      return line.words.length === 0 ? request({ kind: 'list' }) : readView({ ...context, action: 'view' })
    case 'view':
      return readView(context)
    case 'repeat':
      return readRepeat(context)
    default: {
      const id = readId(context)
      if (typeof id !== 'number') return id
      return request({ kind: action, id })
    }
  }
}

function readAdd(context: Line): ScheduleReading {
  const { line, frame } = context
  const fields = readPlainFields(line.options, frame)
  if (isWrong(fields)) return wrongField(context, fields)
  const inZone = { ...frame, timeZone: fields.timeZone ?? frame.timeZone }
  const text = lineText(line)
  const split = splitWhen(text, inZone)
  if (split === null) {
    const spelled = corrected(text, inZone)
    const line = spelled ?? (text === '' ? '' : `${tomorrow(inZone)} ${text}`)
    return problem('no_time', text, lineExample(context, {}, line))
  }
  const rule = withRepeats(split.when, line.options)
  if (isWrong(rule)) return wrongField(context, rule)
  const reminders = readReminders(rule, line.options, inZone)
  if (isWrong(reminders)) return wrongField(context, reminders)
  if (split.rest === '')
    return problem('no_title', '', lineExample(context, {}, `${text} ${texts(frame.locale).schedule.exampleTitle}`))
  if (split.rest.length > longestTitle) return problem('too_long', String(longestTitle), exampleOf('add', frame))
  const past = pastProblem(context, rule, inZone, split.rest)
  return past ?? request({ kind: 'add', when: rule, title: split.rest, fields: { ...fields, ...reminders } })
}

/** A time that is over starts nothing. */
function pastProblem(context: Line, when: When, frame: ScheduleFrame, title: string): ScheduleReading | null {
  const rule = { when, repeats: true, place: { timeZone: frame.timeZone } }
  if (slotAfter(rule, frame.now) !== null) return null
  return problem('past_time', '', lineExample(context, {}, `${tomorrow(frame)} ${title}`.trim()))
}

/** The words in order; quotes stay, because a quoted cron pattern is one word. */
const lineText = (line: CommandLine<ScheduleOption>): string => oneLine(line.words.map(({ raw }) => raw).join(' '))

function readUpdate(context: Line): ScheduleReading {
  const id = readId(context)
  if (typeof id !== 'number') return id
  const { line, frame } = context
  const fields = readPlainFields(line.options, frame)
  if (isWrong(fields)) return wrongField(context, fields)
  const inZone = { ...frame, timeZone: fields.timeZone ?? frame.timeZone }
  const words = { ...line, words: line.words.slice(1) }
  const text = lineText(words)
  const split = text === '' ? null : splitWhen(text, inZone)
  const title = split === null ? text : split.rest
  if (title.length > longestTitle) return problem('too_long', String(longestTitle), exampleOf('update', frame, id))
  if (split === null && (line.options.has('interval') || line.options.has('times')))
    return problem(
      'no_time',
      text,
      lineExample(context, {}, `${id} ${tomorrow(inZone)}${text === '' ? '' : ` ${text}`}`),
    )
  const rule = split === null ? null : withRepeats(split.when, line.options)
  if (rule !== null && isWrong(rule)) return wrongField(context, rule)
  const reminders = readReminders(rule, line.options, inZone)
  if (isWrong(reminders)) return wrongField(context, reminders)
  const all = { ...fields, ...reminders }
  if (rule === null && title === '' && Object.keys(all).length === 0)
    return problem('nothing_to_change', '', exampleOf('update', frame, id))
  const past = rule === null ? null : pastProblem(context, rule, inZone, `${title}`)
  if (past !== null && !past.ok)
    return problem('past_time', '', `/schedule update ${id} ${tomorrow(inZone)} ${title}`.trim())
  return request({ kind: 'update', id, when: rule, title: title === '' ? null : title, fields: all })
}

function wrongField(context: Line, { wrong, typed, instead = {} }: Wrong): ScheduleReading {
  return problem(wrong, typed, lineExample(context, instead, lineText(context.line)))
}

function readView(context: Line): ScheduleReading {
  const { line, frame } = context
  const [first, ...others] = line.words
  const range = rangeOf(first?.value ?? 'week')
  if (range === null)
    return problem(
      'bad_range',
      first?.value ?? '',
      `/schedule view ${nearest(narrow(first?.value ?? ''), ['day', 'week', 'month']) ?? 'week'}`,
    )
  const said = textOf(others)
  const anchor =
    said === ''
      ? frame.now
      : (readTime(said, { ...frame, clock: { hour: 0, minute: 0 } }) ??
        readTime(`${said}-01`, { ...frame, clock: { hour: 0, minute: 0 } }))
  if (anchor === null)
    return problem('bad_time', said, `/schedule view ${range} ${formatDay(wallClockIn(frame.timeZone, frame.now))}`)
  return request({ kind: 'view', range, anchor })
}

const on = ['on', 'yes', 'true', '1', '开', '打开', '是']
const off = ['off', 'no', 'false', '0', '关', '关闭', '否']

function readRepeat(context: Line): ScheduleReading {
  const id = readId(context)
  if (typeof id !== 'number') return id
  const typed = narrow(context.line.words[1]?.value ?? '')
  if (!on.includes(typed) && !off.includes(typed)) return problem('bad_switch', typed, `/schedule repeat ${id} off`)
  return request({ kind: 'repeat', id, on: on.includes(typed) })
}

/** `3`, `#3`, `３`. */
function readId({ action, line, frame }: Line): number | ScheduleReading {
  const typed = line.words[0]?.value
  if (typed === undefined) return problem('no_id', '', exampleOf(action, frame))
  const digits = /^#?(\d{1,9})$/.exec(narrow(typed))?.[1]
  if (digits !== undefined && Number(digits) > 0) return Number(digits)
  return problem('bad_id', typed, exampleOf(action, frame, /[1-9]\d{0,8}/.exec(narrow(typed))?.[0] ?? 1))
}

function problem(kind: ScheduleProblemKind, typed: string, example: string): ScheduleReading {
  return {
    ok: false,
    problem: {
      kind,
      typed: Array.from(typed).slice(0, 80).join(''),
      example: Array.from(example).slice(0, 400).join(''),
    },
  }
}

function request(value: ScheduleRequest): ScheduleReading {
  return { ok: true, request: value }
}
