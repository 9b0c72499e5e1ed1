/** One word of a command line. `raw` is what was typed, `value` what is meant: a quoted word without its quotes. */
export interface Word {
  raw: string
  value: string
  quoted: boolean
  /** Where it begins in the line. */
  start: number
}

/** What one option is called and how many of the words behind it are its value (at least 1, or 0 for "none fits"). */
export interface OptionSpec<N extends string> {
  name: N
  aliases: readonly string[]
  take?: (following: readonly string[]) => number
  /** It takes no value: being there says all. */
  flag?: boolean
}

export type OptionProblem =
  | { kind: 'unknown_option'; typed: string; word: Word }
  | { kind: 'no_value'; option: string }
  | { kind: 'twice'; option: string }

export interface CommandLine<N extends string> {
  /** The words that belong to no option, in order. */
  words: Word[]
  options: Map<N, string>
  problems: OptionProblem[]
}

/** Dashes as keyboards and phones make them: `--`, and what becomes of it by itself (`—`), full width, or Chinese (`——`). */
const dashes = '(?:--|——|――|－－|−−|––|[—–―])'
const quotes = String.raw`(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”|「([^」]*)」|『([^』]*)』|'([^']*)'|‘([^’]*)’)`
const wordPattern = new RegExp(String.raw`(${dashes}\p{L}[\p{L}-]*[=:：])?${quotes}(?=\s|$)|\S+`, 'gsu')
const optionPattern = new RegExp(String.raw`^(${dashes})(\p{L}[\p{L}-]*)(?:[=:：]?)(.*)$`, 'su')

/** Splits at blanks. A quote opens only at the start of a word (or of an option's value) and only if it is closed. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(wordPattern)].map((match) => {
    const [raw, option = '', escaped, ...plain] = match
    const inner = escaped?.replace(/\\(["\\])/g, '$1') ?? plain.find((value) => value !== undefined)
    return { raw, value: option + (inner ?? raw), quoted: inner !== undefined && option === '', start: match.index }
  })
}

/** Full-width letters, digits and signs as plain ones; for names and numbers, never for what people wrote. */
export function narrow(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Takes the options out, wherever they are (F6). `--tag=work`, `--tag:work`, `--tag work` and `——tag work` are the same.
 * A long dash before a word that names no option is text, because people write so; two plain dashes are a mistake.
 */
export function readLine<N extends string>(text: string, specs: readonly OptionSpec<N>[]): CommandLine<N> {
  const line: CommandLine<N> = { words: [], options: new Map(), problems: [] }
  const all = wordsOf(text)
  for (let index = 0; index < all.length; ) {
    const word = all[index]
    if (word === undefined) break
    index += 1
    const option = optionIn(word, specs)
    if (option === null) line.words.push(word)
    else if (option.spec === null) line.problems.push({ kind: 'unknown_option', typed: option.typed, word })
    else if (option.spec.flag) line.options.set(option.spec.name, '')
    else index += takeValue(line, option.spec, option.inline, all.slice(index))
  }
  return line
}

function takeValue<N extends string>(
  line: CommandLine<N>,
  spec: OptionSpec<N>,
  inline: string,
  rest: readonly Word[],
): number {
  const end = rest.findIndex((word) => !word.quoted && optionPattern.test(word.raw))
  const following = rest.slice(0, end === -1 ? undefined : end).map((word) => word.value)
  const candidates = inline === '' ? following : [inline, ...following]
  const again = line.options.has(spec.name)
  // Reading a value may cost something, so it is not read a second time.
  const taken = Math.min(again ? 1 : spec.take?.(candidates) || 1, candidates.length)
  if (candidates.length === 0) line.problems.push({ kind: 'no_value', option: spec.name })
  else if (again) line.problems.push({ kind: 'twice', option: spec.name })
  else line.options.set(spec.name, candidates.slice(0, taken).join(' '))
  return inline === '' ? taken : taken - 1
}

interface FoundOption<N extends string> {
  typed: string
  spec: OptionSpec<N> | null
  inline: string
}

function optionIn<N extends string>(word: Word, specs: readonly OptionSpec<N>[]): FoundOption<N> | null {
  const match = word.quoted ? null : optionPattern.exec(word.value)
  if (match === null) return null
  const [, dash = '', name = '', inline = ''] = match
  const spec = specs.find((one) => namesOf(one).includes(narrow(name)))
  if (spec !== undefined) return { typed: name, spec, inline }
  const glued = gluedValue(name, specs)
  if (glued !== null) return { typed: name, spec: glued.spec, inline: word.value.slice(dash.length + glued.length) }
  return dash === '--' || dash === '－－' ? { typed: name, spec: null, inline } : null
}

/** `--due明天`: Chinese is written without blanks. */
function gluedValue<N extends string>(name: string, specs: readonly OptionSpec<N>[]) {
  for (const spec of specs) {
    const known = namesOf(spec).find(
      (one) => narrow(name).startsWith(one) && /^\p{Script=Han}/u.test(name.slice(one.length)),
    )
    if (known !== undefined) return { spec, length: known.length }
  }
  return null
}

const namesOf = (spec: OptionSpec<string>) => [spec.name, ...spec.aliases]

/** The words as one line of text. A text that is one quoted word loses its quotes; quotes within a text stay. */
export function textOf(words: readonly Word[]): string {
  const [only] = words
  if (words.length === 1 && only !== undefined) return oneLine(only.value)
  return oneLine(words.map((word) => word.raw).join(' '))
}

/** No line breaks, no control characters, single blanks: a to-do is one line wherever it is shown. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** The other way round: `readLine` makes this text of it again, whatever is in it. */
export function quoteIfNeeded(text: string): string {
  return /(?:^|\s)["'“‘「『\-—–―－−]/u.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
}

/** As code in Markdown, even if it holds backticks itself. */
export function inlineCode(text: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/** What people wrote, shown as it is: its stars and brackets are no formatting, its `<@…>` no mention. */
export function plainText(text: string): string {
  return text.replace(/[\\`*~[\]<>|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}
