import type { Texts } from '../../locales/texts.ts'
import type { RunStrategy } from '../domain/schedule.ts'
import type { GivenRule } from '../schedules/typed-rule.ts'
import type { CommandContext, CommandResult } from './command.ts'

/*
 * The grammar of commands is a table: commands → subcommands → arguments and options, each with its
 * kind of value. The data goes
 *
 *   text ─ reader.ts ─→ a request (typed values) or a usage error ─ use case ─→ data and text
 *
 * and from the table come the reader, usage errors and their examples, `/help` and the tools'
 * descriptions (usage.ts), and the native forms of the platforms. What gives values instead of text
 * (the API) calls the use case.
 */

/**
 * When and for whom a line is read: `now` in milliseconds since the epoch, the person's IANA zone
 * and language.
 */
export interface Frame {
  now: number
  timeZone: string
  locale: string
  /**
   * Tools with side effects that a schedule may be allowed; null when the person who writes may
   * allow none (S4).
   */
  allowable?: readonly string[] | null
  /** The ways of working that there are here. */
  ways?: readonly RunStrategy[]
  /** Sources of events that may start work in this place (C640). */
  sources?: readonly string[]
  /** When it is due, said in fields: then all words are what is to be done (C321). */
  given?: GivenRule
}

export type UsageErrorKind = keyof Texts['commands']['errors']
export type Label = keyof Texts['commands']['labels']
export type About = keyof Texts['commands']['about']

/** Input field for a value in a platform's native form. */
export type Form =
  | { kind: 'text'; complete?: true }
  | { kind: 'number'; min: number }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'flag' }

/** A kind of value: it reads itself, and says what it is called and what would be right. */
export interface ValueKind<T> {
  readonly label: Label
  readonly form: Form
  readonly error: UsageErrorKind
  /** Error if a required argument is missing. */
  readonly missing?: UsageErrorKind
  /** An argument that takes all the words that are left. */
  readonly rest?: true
  /** The longest text, in characters. */
  readonly limit?: number
  /** undefined: that is no such value. */
  read(typed: string, frame: Frame): T | undefined
  /** Returns the problem with a text that it cannot read, if it knows more than `error`. */
  why?(typed: string, frame: Frame): Wrong | null
  /** A value near to what was typed; null: better without. */
  example(frame: Frame, typed: string): string | null
  /** Returns how many of these words are its value; 0: none fits. Default: one. */
  width?(following: readonly string[], frame: Frame): number
}

interface Field<T> {
  readonly name: string
  readonly kind: ValueKind<T>
  readonly about: About
}

export interface Option<T> extends Field<T> {
  readonly aliases: readonly string[]
  /** Other names of a flag's `--no-…` form. */
  readonly negated?: readonly string[]
  /** Models cannot give it. */
  readonly by?: 'people'
}

/** Its name is that of the field in native forms. */
export interface Argument<T> extends Field<T> {
  /** In usage lines. */
  readonly label: Label
  readonly required: boolean
}

type Options = Readonly<Record<string, Option<unknown>>>
/** The values of some options; only those that are there. */
export type OptionValues<O extends Options> = {
  [K in keyof O]?: O[K] extends Option<infer T> ? T : never
}

/** A line whose words and options can be read: what is there is right. */
export interface Line {
  readonly frame: Frame
  get<T>(of: Option<T> | Argument<T>, frame?: Frame): T | undefined
  /** Returns a required argument's value. */
  need<T>(of: Argument<T>): T
  given<O extends Options>(options: O): OptionValues<O>
  /** The words as they were typed. */
  readonly words: string
}

/** Problem of a line, with the replacement that solves it. */
export interface Wrong {
  wrong: UsageErrorKind
  typed?: string
  words?: string
  /** Options with their corrected values; null leaves the option out. */
  options?: Readonly<Record<string, string | null>>
  /** All that follows the command's name. */
  line?: string
}

export const wrong = (kind: UsageErrorKind, better: Omit<Wrong, 'wrong'> = {}): Wrong => ({
  wrong: kind,
  ...better,
})

/**
 * A form of a command: what it takes, the request that a line of it is, and the use case that
 * answers that.
 */
export interface Subcommand<R = unknown, D = never> {
  /** Empty: the command has no others. */
  readonly name: string
  readonly about: About
  readonly aliases: readonly string[]
  readonly takes?: readonly Argument<unknown>[]
  readonly options?: readonly Option<unknown>[]
  /** It changes nothing. */
  readonly looks?: true
  /** Audience whose help lists it. Nobody else can use it if that is people. */
  readonly by?: 'people' | 'model'
  /**
   * Returns what to type where nothing usable was typed. Default: an example of each required
   * argument.
   */
  example?(frame: Frame): string
  /** Returns the frame in which its arguments are read, where the text of an option changes it. */
  frame?(frame: Frame, typed: (option: { name: string }) => string | undefined): Frame
  request(line: Line): R | Wrong
  /**
   * Each line of a text is one of it, and this is all of them as one request; left out: a line end
   * is a blank.
   */
  together?(requests: readonly R[]): R
  answer(request: R, context: CommandContext, deps: D): Promise<CommandResult>
}

export interface CommandTable<D = never> {
  readonly name: string
  readonly aliases: readonly string[]
  readonly about: About
  readonly subcommands: readonly Subcommand<unknown, D>[]
  /** Returns its own texts. */
  words(all: Texts): CommandWords
  /**
   * Guesses what a line means whose first word is no subcommand. Returns all that follows the
   * command's name; null: unknown.
   */
  guess?(args: string, first: string, frame: Frame): string | null
  /**
   * Returns the frame in which lines are read, where it takes more than the caller and the time.
   */
  frame?(context: CommandContext, deps: D, use: Use): Frame
}

interface CommandWords {
  /** Line for `/help`. */
  summary: string
  /** Notes on what the forms do not show. */
  usageNotes?: string
  /** Why something is only for people. */
  onlyPeople?: string
  errors?: Partial<Record<UsageErrorKind, string | ((typed: string) => string)>>
}

export const option = <T>(
  name: string,
  kind: ValueKind<T>,
  about: About,
  aliases: readonly string[],
): Option<T> => ({
  name,
  kind,
  about,
  aliases,
})

export const argument = <T>(
  name: string,
  label: Label,
  kind: ValueKind<T>,
  about: About,
  required = true,
): Argument<T> => ({ name, label, kind, about, required })

/** A form whose request is what its use case takes. */
export const subcommand = <R extends object, D>(
  name: string,
  about: About,
  aliases: readonly string[],
  form: Omit<Subcommand<R, D>, 'name' | 'about' | 'aliases'>,
): Subcommand<R, D> => ({ name, about, aliases, ...form })

/** Forms about the one thing that their argument names. */
export const formsOn =
  <T, D>(which: Argument<T>) =>
  (
    name: string,
    about: About,
    aliases: readonly string[],
    answer: (one: T, context: CommandContext, deps: D) => Promise<CommandResult>,
  ): Subcommand<{ kind: string; id: T }, D> =>
    subcommand(name, about, aliases, {
      takes: [which],
      request: (line) => ({ kind: name, id: line.need(which) }),
      answer: ({ id }, context, deps) => answer(id, context, deps),
    })

/** Every option of a command, once each. */
export const optionsOf = ({ subcommands }: CommandTable) => {
  const all = subcommands.flatMap(({ options = [] }) => options)
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

/** Returns what to type where nothing usable was typed. */
export const exampleOf = (
  { takes = [], example }: Pick<Subcommand, 'takes' | 'example'>,
  frame: Frame,
) =>
  example?.(frame) ??
  takes.flatMap(({ kind, required }) => (required ? kind.example(frame, '') : null) ?? []).join(' ')

/** The whole line of it. */
export const exampleLine = (
  table: Pick<CommandTable, 'name'>,
  subcommand: Pick<Subcommand, 'name' | 'takes' | 'example'>,
  frame: Frame,
) => `/${table.name} ${subcommand.name} ${exampleOf(subcommand, frame)}`

/** When it does not matter when and for whom a line is read. */
export const anyFrame: Frame = { now: 0, timeZone: 'UTC', locale: 'en' }

/**
 * Giver of the command: a person, a model working for one, or work that may only read (S4, F13).
 */
export type Use = 'person' | 'model' | 'looking'

export const isFor = ({ looks, by }: Pick<Subcommand, 'looks' | 'by'>, use: Use) =>
  use === 'person' || (use === 'model' ? by !== 'people' : looks === true)

/** No name of a command, an action or a choice is longer, even when it is mistyped. */
export const longestName = 60

/** By its name or another one; null when nothing is called that. */
export function named<T extends { name: string; aliases: readonly string[] }>(
  all: readonly T[],
  typed: string,
) {
  if (typed.length > longestName) return null
  const name = typed.normalize('NFKC').toLowerCase()
  return all.find((one) => one.name === name || one.aliases.includes(name)) ?? null
}
