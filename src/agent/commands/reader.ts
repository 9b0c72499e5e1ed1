import { assertNever } from '../domain/assert.ts'
import { present } from '../domain/present.ts'
import {
  type CommandLine,
  longestLine,
  narrow,
  type OptionSpec,
  oneLine,
  quote,
  quoteIfNeeded,
  rawOf,
  readLine,
  textOf,
  togetherMost,
} from './command-line.ts'
import {
  type Argument,
  anyFrame,
  type CommandTable,
  exampleOf,
  type Frame,
  type Line,
  longestName,
  named,
  type Option,
  type OptionValues,
  optionsOf,
  type Subcommand,
  type UsageErrorKind,
  type Wrong,
} from './grammar.ts'
import { nearest } from './nearest.ts'

/**
 * Why a line was not understood, and the nearest line that would be; the example is itself read
 * without an error.
 */
export interface UsageError {
  kind: UsageErrorKind
  /** The word that it is about. */
  typed: string
  example: string
}

export type Reading<R = unknown, D = never> =
  | { ok: true; request: R; subcommand: Subcommand<R, D> }
  | { ok: false; problem: UsageError }

const longestExample = 800
/**
 * Correcting one mistake may show the next one; after a few there is little left of what was typed.
 */
const corrections = 5

/** Reads what follows the name of a command. */
export function readCommand<D>(
  table: CommandTable<D>,
  args: string,
  frame: Frame,
): Reading<unknown, D> {
  return settled(table, readOnce(table, args, frame), frame)
}

/**
 * Reads what is said to one subcommand.
 *
 * @param given its first arguments, where they are known apart from the text.
 */
export function readSubcommand<R, D>(
  table: CommandTable<D>,
  subcommand: Subcommand<R, D>,
  rest: string,
  frame: Frame,
  given: readonly string[] = [],
): Reading<R, D> {
  return settled(table, readOne(table, subcommand, rest, frame, given), frame)
}

function readOnce<D>(table: CommandTable<D>, args: string, frame: Frame): Reading<unknown, D> {
  const [, first = '', rest = ''] = /^\s*(\S*)([\s\S]*)$/.exec(args) ?? []
  const only = table.subcommands.find(({ name }) => name === '')
  if (only !== undefined) return readOne(table, only, args, frame)
  const subcommand = named(table.subcommands, first === '' ? 'list' : first)
  if (subcommand !== null) return readOne(table, subcommand, rest, frame)
  const meant = meantBy(table, first, args, frame)
  const example = meant === null ? '' : `/${table.name} ${meant}`
  return wrongly(first === '' ? 'no_action' : 'unknown_action', first, example)
}

/**
 * Guesses what a line means whose first word names no subcommand; null if it can be none of them.
 */
function meantBy(table: CommandTable, first: string, args: string, frame: Frame): string | null {
  const line = oneLine(args.slice(0, longestLine))
  const word = first.slice(0, longestName)
  const guessed = table.guess?.(line, word, frame)
  if (guessed != null) return guessed
  const names = table.subcommands.flatMap(({ name, aliases }) => [name, ...aliases])
  const subcommand = named(table.subcommands, nearest(narrow(word), names) ?? '')
  if (subcommand !== null) return `${subcommand.name} ${line.slice(first.length).trim()}`
  return names.includes('add') ? `add ${line}` : null
}

interface TypedCommand extends ReturnType<typeof assigned> {
  subcommand: Subcommand
  line: CommandLine
  rest: string
  given: readonly string[]
  frame: Frame
}

function readOne<R, D>(
  table: CommandTable<D>,
  subcommand: Subcommand<R, D>,
  rest: string,
  frame: Frame,
  given: readonly string[] = [],
): Reading<R, D> {
  const { together, ...alone } = subcommand
  const lines = together === undefined ? [] : linesOf(table, subcommand, rest)
  if (lines.length > togetherMost)
    return wrongly('too_many_lines', String(togetherMost), `/${table.name} ${subcommand.name} …`)
  if (together !== undefined && lines.length > 1) {
    const readings = lines.map((one) => readOne(table, alone, one, frame))
    const unread = readings.find((reading) => !reading.ok)
    if (unread !== undefined) return unread
    const requests = readings.flatMap((reading) => (reading.ok ? [reading.request] : []))
    return { ok: true, request: together(requests), subcommand }
  }
  const line = readLine(rest.slice(0, longestLine), specsOf(table, frame))
  line.words.unshift(...given.map((value) => ({ raw: value, value, quoted: true, start: 0 })))
  const read = subcommand.frame?.(frame, ({ name }) => line.options.get(name)) ?? frame
  const said = { subcommand, line, rest, given, frame: read, ...assigned(subcommand, line) }
  const wrong = wrongOption(said) ?? wrongArgument(said) ?? wrongValue(said) ?? tooLong(said)
  const request = wrong ?? subcommand.request(lineOf(said))
  if (!isWrong(request)) return { ok: true, request, subcommand }
  // Of an error about an option it is what stood there.
  const { typed = line.options.get(Object.keys(request.options ?? {})[0] ?? '') ?? '' } = request
  return wrongly(request.wrong, typed, `/${table.name} ${correctedLine(said, request)}`)
}

/**
 * The lines of a text that says one thing in each, without the marks of a list and the name of the
 * command before them. A line of options goes with the one before it; a text in quotes is one.
 */
function linesOf(table: CommandTable, { name, aliases }: Subcommand, rest: string): string[] {
  if (/^\s*["“「『]/.test(rest)) return []
  const lines: string[] = []
  for (const line of rest.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const last = lines.length - 1
    if (lines.length > 0 && /^\s*(?:--|——|—)\p{L}/u.test(line)) lines[last] += ` ${line.trim()}`
    else lines.push(line.trim())
  }
  const marked = /^(?:[-*•+]|\d{1,3}[.)、]|\[[ x]?\])\s+(?:\[[ x]?\]\s+)?/iu
  const behind = (line: string, names: readonly string[]): string | null => {
    const [word = ''] = line.split(/\s/, 1)
    return names.includes(word.toLowerCase()) ? line.slice(word.length).trimStart() : null
  }
  const uncalled = (line: string): string | null => {
    const command = behind(line.replace(/^[/!／！]/, ''), [table.name, ...table.aliases])
    return behind(command ?? line, [name, ...aliases])
  }
  const later = lines.slice(1)
  const isNamed = later.every((line) => uncalled(line))
  return lines.map((line, index) =>
    ((isNamed && index > 0 ? uncalled(line) : null) ?? line).replace(marked, ''),
  )
}

const isWrong = (value: unknown): value is Wrong =>
  typeof value === 'object' && value !== null && 'wrong' in value

function wrongly(
  kind: UsageErrorKind,
  typed: string,
  example: string,
): { ok: false; problem: UsageError } {
  return {
    ok: false,
    problem: { kind, typed: Array.from(typed).slice(0, 80).join(''), example: example.trim() },
  }
}

/**
 * Every option of the command, so that one that stands in the wrong place is told from one that
 * there is not.
 */
function specsOf(table: CommandTable, frame: Frame): OptionSpec[] {
  return optionsOf(table).flatMap(({ name, aliases, kind, negated }): OptionSpec[] => {
    if (kind.form.kind !== 'flag')
      return [{ name, aliases, take: (following) => kind.width?.(following, frame) ?? 1 }]
    const opposite = negated && {
      name: `no-${name}`,
      aliases: negated,
      flag: { of: name, value: 'no' },
    }
    return present([{ name, aliases, flag: { of: name, value: 'yes' } }, opposite])
  })
}

/** Returns the problem with the options themselves, before their values are read; null: none. */
function wrongOption({ subcommand, line, rest, given, frame }: TypedCommand): Wrong | null {
  const [problem] = line.problems
  const options = subcommand.options ?? []
  switch (problem?.kind) {
    case 'unknown_option': {
      const names = options.flatMap(({ name, negated }) =>
        negated === undefined ? [name] : [name, `no-${name}`],
      )
      const meant = nearest(narrow(problem.typed), names)
      const { start, raw } = problem.word
      const inline = /[=:：].*/su.exec(raw)?.[0] ?? ''
      const better = `${rest.slice(0, start)}${meant === null ? '' : `--${meant}${inline}`}${rest.slice(start + raw.length)}`
      const words = [subcommand.name, ...given, better]
      return {
        wrong: 'unknown_option',
        typed: `--${problem.typed}`,
        line: oneLine(words.join(' ')),
      }
    }
    case 'no_value': {
      const option = options.find(({ name }) => name === problem.option)
      const better = option && { [option.name]: option.kind.example(frame, '') }
      return { wrong: 'no_value', typed: `--${problem.option}`, options: better ?? {} }
    }
    case 'twice':
      return { wrong: 'twice', typed: `--${problem.option}` }
    case undefined:
      break
    default:
      return assertNever(problem)
  }
  const misplaced = [...line.options.keys()].find((typed) =>
    options.every(({ name }) => name !== typed),
  )
  return misplaced === undefined ? null : { wrong: 'option_not_here', typed: `--${misplaced}` }
}

/**
 * Each argument with its words and where they begin, and the words that are too many; one that
 * takes the rest is the last.
 */
function assigned({ takes = [] }: Subcommand, line: CommandLine) {
  const rest = takes.findIndex(({ kind }) => kind.rest)
  let index = 0
  const taken = takes.slice(0, rest === -1 ? undefined : rest + 1).map((argument) => {
    const from = index
    const width = argument.kind.width?.(
      line.words.slice(from).map(({ value }) => value),
      anyFrame,
    )
    const words = line.words.slice(from, argument.kind.rest ? undefined : from + (width || 1))
    index += words.length
    return { ...argument, words, from }
  })
  return { taken, extra: line.words.slice(index) }
}

function wrongArgument({ line, frame, taken, extra }: TypedCommand): Wrong | null {
  for (const { kind, required, words, from } of taken) {
    const typed = textOf(words)
    if (typed === '' && required) {
      const { missing = kind.error } = kind
      const isTitle = missing === 'no_time' && frame.given !== undefined
      return { wrong: isTitle ? 'no_title' : missing, words: '' }
    }
    if (typed !== '' && kind.read(typed, frame) === undefined) {
      const known = kind.why?.(typed, frame)
      if (known) return known
      const after = rawOf(line.words.slice(from + words.length))
      const better = oneLine(
        [rawOf(line.words.slice(0, from)), kind.example(frame, typed), after].join(' '),
      )
      return {
        wrong: kind.error,
        typed: kind.limit === undefined ? typed : String(kind.limit),
        words: better,
      }
    }
  }
  if (extra.length === 0) return null
  return {
    wrong: 'extra_words',
    typed: textOf(extra),
    words: rawOf(line.words.slice(0, -extra.length)),
  }
}

function wrongValue({ subcommand, line, frame }: TypedCommand): Wrong | null {
  for (const { name, kind } of subcommand.options ?? []) {
    const typed = line.options.get(name)
    if (typed !== undefined && kind.read(typed, frame) === undefined) {
      const options = { [name]: kind.example(frame, typed) }
      return { wrong: kind.error, typed, options, ...kind.why?.(typed, frame) }
    }
  }
  return null
}

function tooLong({ subcommand, rest }: TypedCommand): Wrong | null {
  if (rest.length <= longestLine) return null
  const limit =
    subcommand.takes?.find(({ kind }) => kind.limit !== undefined)?.kind.limit ?? longestLine
  return { wrong: 'too_long', typed: String(limit), words: '' }
}

function lineOf(said: TypedCommand): Line {
  function get<T>(of: Option<T> | Argument<T>, frame = said.frame): T | undefined {
    const words = said.taken.find(({ name }) => name === of.name)?.words ?? []
    const typed = 'aliases' in of ? said.line.options.get(of.name) : textOf(words) || undefined
    return typed === undefined ? undefined : of.kind.read(typed, frame)
  }
  return {
    frame: said.frame,
    words: rawOf(said.line.words),
    get,
    need(argument) {
      const value = get(argument)
      if (value === undefined) throw new Error(`${argument.name} is used before it is read`)
      return value
    },
    given: (options) => {
      const values = Object.entries(options).map(([key, option]) => [key, get(option)] as const)
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as OptionValues<
        typeof options
      >
    },
  }
}

/** Returns the typed line in order, with the wrong parts replaced. */
function correctedLine(
  { subcommand, line, frame }: TypedCommand,
  { words, options = {}, line: whole }: Wrong,
): string {
  if (whole !== undefined) return whole
  const said = words ?? rawOf(line.words)
  const parts = (subcommand.options ?? []).flatMap((option) => {
    const value = option.name in options ? options[option.name] : line.options.get(option.name)
    return value == null ? [] : [optionText(option, value)]
  })
  return [subcommand.name, said === '' ? exampleOf(subcommand, frame) : said, ...parts]
    .filter((part) => part !== '')
    .join(' ')
}

function optionText({ name, kind: { width, form } }: Option<unknown>, value: string): string {
  if (form.kind === 'flag') return value === 'no' ? `--no-${name}` : `--${name}`
  return `--${name} ${width === undefined && /\s/.test(value) ? quote(value) : quoteIfNeeded(value)}`
}

/** An example must not be wrong itself. */
function settled<R, D>(
  table: CommandTable<D>,
  reading: Reading<R, D>,
  frame: Frame,
): Reading<R, D> {
  if (reading.ok || reading.problem.example === '') return reading
  const prefix = `/${table.name}`
  let { example } = reading.problem
  for (let round = 0; round < corrections && example.length <= longestExample; round += 1) {
    const again = readOnce(table, example.slice(prefix.length), frame)
    if (again.ok) return { ok: false, problem: { ...reading.problem, example } }
    example = again.problem.example
  }
  const plain = named(table.subcommands, example.split(' ')[1] ?? '') ?? table.subcommands[0]
  const line = [prefix, plain?.name, plain === undefined ? '' : exampleOf(plain, frame)].join(' ')
  return { ok: false, problem: { ...reading.problem, example: oneLine(line) } }
}
