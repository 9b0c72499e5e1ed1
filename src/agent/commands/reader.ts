import { nearest } from './nearest.ts'
import type {
  Argument,
  CommandTable,
  Frame,
  Line,
  Option,
  Subcommand,
  UsageErrorKind,
  ValueKind,
  Wrong,
} from './table.ts'
import { longestName, named } from './table.ts'
import {
  type CommandLine,
  longestLine,
  narrow,
  type OptionSpec,
  oneLine,
  quoted,
  quoteIfNeeded,
  rawOf,
  readLine,
  textOf,
  type Word,
} from './words.ts'

/** Why a line was not understood, and the nearest line that would be; the example is itself read without an error. */
export interface UsageError {
  kind: UsageErrorKind
  /** The word that it is about. */
  typed: string
  example: string
}

export type Reading<R> = { ok: true; request: R; subcommand: Subcommand<R> } | { ok: false; problem: UsageError }

const longestExample = 800
/** Correcting one mistake may show the next one; after a few there is little left of what was typed. */
const corrections = 5

/** Reads what follows the name of a command. */
export function readCommand<R extends object>(table: CommandTable<R>, args: string, frame: Frame): Reading<R> {
  return settled(table, readOnce(table, args, frame), frame)
}

/**
 * Reads what is said to one subcommand.
 *
 * @param given its first arguments, where they are known apart from the text.
 */
export function readSubcommand<R extends object>(
  table: CommandTable<R>,
  name: string,
  rest: string,
  frame: Frame,
  given: readonly string[] = [],
): Reading<R> {
  const subcommand = table.subcommands.find((one) => one.name === name)
  if (subcommand === undefined) throw new Error(`/${table.name} has no ${name}`)
  return settled(table, readOne(table, subcommand, rest, frame, given), frame)
}

function readOnce<R extends object>(table: CommandTable<R>, args: string, frame: Frame): Reading<R> {
  const [, first = '', rest = ''] = /^\s*(\S*)([\s\S]*)$/.exec(args) ?? []
  const only = table.subcommands.find(({ name }) => name === '')
  if (only !== undefined) return readOne(table, only, args, frame)
  const subcommand = named(table.subcommands, first === '' ? 'list' : first)
  if (subcommand !== null) return readOne(table, subcommand, rest, frame)
  return wrongly('unknown_action', first, `/${table.name} ${meantBy(table, first, args, frame)}`)
}

/** What a line most likely means whose first word names no subcommand. */
function meantBy<R>(table: CommandTable<R>, first: string, args: string, frame: Frame): string {
  const line = oneLine(args.slice(0, longestLine))
  const word = first.slice(0, longestName)
  const guessed = table.guess?.(line, word, frame)
  if (guessed != null) return guessed
  const meant = nearest(
    narrow(word),
    table.subcommands.flatMap(({ name, aliases }) => [name, ...aliases]),
  )
  const subcommand = meant === null ? null : named(table.subcommands, meant)
  return subcommand === null ? `add ${line}` : `${subcommand.name} ${line.slice(first.length).trim()}`
}

function readOne<R extends object>(
  table: CommandTable<R>,
  subcommand: Subcommand<R>,
  rest: string,
  frame: Frame,
  given: readonly string[] = [],
): Reading<R> {
  const line = readLine(rest.slice(0, longestLine), specsOf(table, frame))
  line.words.unshift(...given.map((value) => ({ raw: value, value, quoted: true, start: 0 })))
  const said = { subcommand, line, rest, given, frame }
  const limit = (subcommand.takes ?? []).find(({ kind }) => kind.limit !== undefined)?.kind.limit ?? longestLine
  const wrong =
    wrongOption(said) ??
    wrongArgument(said) ??
    wrongValue(said) ??
    (rest.length > longestLine ? { wrong: 'too_long' as const, typed: String(limit), words: '' } : null)
  const request = wrong ?? subcommand.request(lineOf(said))
  if (!isWrong(request)) return { ok: true, request, subcommand }
  return wrongly(
    request.wrong,
    request.typed ?? typedFor(said, request),
    `/${table.name} ${correctedLine(said, request)}`,
  )
}

interface Said {
  subcommand: Subcommand<unknown>
  line: CommandLine
  rest: string
  given: readonly string[]
  frame: Frame
}

const isWrong = (value: object): value is Wrong => 'wrong' in value

/** Of an error about an option, what stood there. */
const typedFor = ({ line }: Said, { options = {} }: Wrong): string =>
  line.options.get(Object.keys(options)[0] ?? '') ?? ''

function wrongly(kind: UsageErrorKind, typed: string, example: string): { ok: false; problem: UsageError } {
  return { ok: false, problem: { kind, typed: Array.from(typed).slice(0, 80).join(''), example: example.trim() } }
}

/** Every option of the command, so that one that stands in the wrong place is told from one that there is not. */
function specsOf(table: CommandTable<unknown>, frame: Frame): OptionSpec[] {
  const options = new Map(table.subcommands.flatMap((one) => one.options ?? []).map((option) => [option.name, option]))
  return [...options.values()].flatMap(({ name, aliases, kind, negated }) => [
    {
      name,
      aliases,
      ...(kind.width === undefined
        ? {}
        : { take: (following: readonly string[]) => kind.width?.(following, frame) ?? 0 }),
      ...(kind.form.kind === 'flag' ? { flag: true } : {}),
    },
    ...(negated === undefined ? [] : [{ name: `no-${name}`, aliases: negated, flag: true }]),
  ])
}

/** What is wrong with the options themselves, before anything is read from them. */
function wrongOption({ subcommand, line, rest, given, frame }: Said): Wrong | null {
  const [problem] = line.problems
  const usable = (subcommand.options ?? []).flatMap(({ name, negated }) =>
    negated === undefined ? [name] : [name, `no-${name}`],
  )
  switch (problem?.kind) {
    case 'unknown_option': {
      const meant = nearest(narrow(problem.typed), usable)
      const { start, raw } = problem.word
      const inline = /[=:：].*/su.exec(raw)?.[0] ?? ''
      const better = `${rest.slice(0, start)}${meant === null ? '' : `--${meant}${inline}`}${rest.slice(start + raw.length)}`
      const words = [subcommand.name, ...given, better]
      return { wrong: 'unknown_option', typed: `--${problem.typed}`, line: oneLine(words.join(' ')) }
    }
    case 'no_value': {
      const option = subcommand.options?.find(({ name }) => name === problem.option)
      const options = option === undefined ? {} : { [option.name]: option.kind.example(frame, '') }
      return { wrong: 'no_value', typed: `--${problem.option}`, options }
    }
    case 'twice':
      return { wrong: 'twice', typed: `--${problem.option}` }
  }
  const misplaced = [...line.options.keys()].find((option) => !usable.includes(option))
  return misplaced === undefined ? null : { wrong: 'option_not_here', typed: `--${misplaced}` }
}

/** Each argument with its words, and the words that are too many. */
function assigned({ subcommand, line }: Said) {
  const taken = new Map<string, Word[]>()
  let index = 0
  for (const { name, kind } of subcommand.takes ?? []) {
    const words = line.words.slice(index, kind.rest ? undefined : index + 1)
    if (words.length > 0) taken.set(name, words)
    index += words.length
    if (kind.rest) break
  }
  return { taken, extra: line.words.slice(index) }
}

function wrongArgument(said: Said): Wrong | null {
  const { subcommand, line, frame } = said
  const { taken, extra } = assigned(said)
  for (const { name, kind, required } of subcommand.takes ?? []) {
    const words = taken.get(name) ?? []
    const typed = textOf(words)
    if (typed === '' && required) return { wrong: kind.missing ?? kind.error, words: '' }
    if (typed !== '' && kind.read(typed, frame) === undefined) {
      const from = Math.max(0, words[0] === undefined ? 0 : line.words.indexOf(words[0]))
      const better = [
        rawOf(line.words.slice(0, from)),
        kind.example(frame, typed),
        rawOf(line.words.slice(from + words.length)),
      ]
      const shown = kind.limit === undefined ? typed : String(kind.limit)
      return { wrong: kind.error, typed: shown, words: oneLine(better.join(' ')) }
    }
    if (kind.rest) break
  }
  if (extra.length === 0) return null
  return { wrong: 'extra_words', typed: textOf(extra), words: rawOf(line.words.slice(0, -extra.length)) }
}

function wrongValue({ subcommand, line, frame }: Said): Wrong | null {
  for (const { name, kind } of subcommand.options ?? []) {
    const typed = line.options.get(name)
    if (typed !== undefined && kind.read(typed, frame) === undefined)
      return { wrong: kind.error, typed, options: { [name]: kind.example(frame, typed) } }
  }
  return null
}

function lineOf(said: Said): Line {
  const { taken } = assigned(said)
  const { options } = said.line
  function get<T>(of: Option<T> | Argument<T>, frame = said.frame): T | undefined {
    const words = taken.get(of.name)
    const typed =
      'aliases' in of
        ? (options.get(of.name) ?? (options.has(`no-${of.name}`) ? 'no' : undefined))
        : words && textOf(words)
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
  }
}

/** What was typed, put in order, with what was wrong replaced. */
function correctedLine({ subcommand, line, frame }: Said, { words, options = {}, line: whole }: Wrong): string {
  if (whole !== undefined) return whole
  const said = words ?? rawOf(line.words)
  const parts = (subcommand.options ?? []).flatMap(({ name, kind, negated }) => {
    if (negated !== undefined && line.options.has(`no-${name}`)) return [`--no-${name}`]
    const value = name in options ? options[name] : line.options.get(name)
    return value == null ? [] : [optionText(name, value, kind)]
  })
  return [subcommand.name, said === '' ? subcommand.example(frame) : said, ...parts]
    .filter((part) => part !== '')
    .join(' ')
}

function optionText(name: string, value: string, { width, form }: ValueKind<unknown>): string {
  if (form.kind === 'flag') return `--${name}`
  return `--${name} ${width === undefined && /\s/.test(value) ? quoted(value) : quoteIfNeeded(value)}`
}

/** An example must not be wrong itself. */
function settled<R extends object>(table: CommandTable<R>, reading: Reading<R>, frame: Frame): Reading<R> {
  if (reading.ok) return reading
  const prefix = `/${table.name}`
  let { example } = reading.problem
  for (let round = 0; round < corrections && example.length <= longestExample; round += 1) {
    const again = readOnce(table, example.slice(prefix.length), frame)
    if (again.ok) return { ok: false, problem: { ...reading.problem, example } }
    example = again.problem.example
  }
  const plain = named(table.subcommands, example.split(' ')[1] ?? '') ?? table.subcommands[0]
  const line = [prefix, plain?.name ?? '', plain?.example(frame) ?? ''].join(' ')
  return { ok: false, problem: { ...reading.problem, example: oneLine(line) } }
}
