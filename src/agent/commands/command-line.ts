/**
 * Word of a command line. `raw` is the text as typed, `value` its meaning: a quoted word without
 * its quotes.
 */
export interface Word {
  raw: string
  value: string
  quoted: boolean
  /** Where it begins in the line. */
  start: number
}

/** Chat messages may be longer; commands are not. */
export const longestLine = 6_000
/** Lines or numbers that one command takes together. */
export const togetherMost = 50

/**
 * Names of an option, and how many of the words behind it are its value (at least 1; 0: none fits).
 */
export interface OptionSpec {
  name: string
  aliases: readonly string[]
  take?: (following: readonly string[]) => number
  /** It takes no value: being there gives an option one. */
  flag?: { of: string; value: string }
}

export type OptionProblem =
  | { kind: 'unknown_option'; typed: string; word: Word }
  | { kind: 'no_value'; option: string }
  | { kind: 'twice'; option: string }

export interface CommandLine {
  /** The words that belong to no option, in order. */
  words: Word[]
  options: Map<string, string>
  problems: OptionProblem[]
}

/**
 * Dashes as keyboards and phones make them: `--`, and what becomes of it by itself (`—`), full
 * width, or Chinese (`——`).
 */
const dashes = '(?:--|——|――|－－|−−|––|[—–―])'
const optionPattern = new RegExp(String.raw`^(${dashes})(\p{L}[\p{L}-]*)[=:：]?(.*)$`, 'su')
const optionStart = new RegExp(String.raw`${dashes}\p{L}[\p{L}-]*[=:：]`, 'uy')
const wordPattern = /\S+/g
const closings = new Map(
  ['""', '“”', '「」', '『』', "''", '‘’'].map((pair) => [pair.slice(0, 1), pair.slice(1)]),
)

/**
 * Splits at blanks. A quote opens only at the start of a word (or of an option's value) and only if
 * it is closed.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const endOf = quotesIn(text)
  for (let index = 0; ; ) {
    wordPattern.lastIndex = index
    const plain = wordPattern.exec(text)
    if (plain === null) return words
    const start = plain.index
    optionStart.lastIndex = start
    const option = optionStart.exec(text)?.[0] ?? ''
    const open = start + option.length
    const end = endOf(open)
    const raw = end === null ? plain[0] : text.slice(start, end + 1)
    const inner = end === null ? null : text.slice(open + 1, end)
    const meant = text[open] === '"' ? inner?.replace(/\\(["\\])/g, '$1') : inner
    words.push({
      raw,
      value: option + (meant ?? raw.slice(option.length)),
      quoted: inner !== null && option === '',
      start,
    })
    index = start + raw.length
  }
}

/**
 * Where the quote ends that opens there; null: none does. Every search goes on from the last one,
 * so that a text is searched once.
 */
function quotesIn(text: string): (open: number) => number | null {
  const found = new Map<string, number>()
  return (open) => {
    const close = closings.get(text[open] ?? '')
    if (close === undefined) return null
    let end = found.get(close) ?? open
    while (end <= open || (close === '"' && isEscaped(text, end))) {
      const next = text.indexOf(close, Math.max(end, open) + 1)
      end = next === -1 ? Number.POSITIVE_INFINITY : next
    }
    found.set(close, end)
    return end < text.length && (end + 1 === text.length || /\s/.test(text[end + 1] ?? ''))
      ? end
      : null
  }
}

/** True if an odd number of backslashes stands before it. */
function isEscaped(text: string, index: number): boolean {
  let from = index
  while (text[from - 1] === '\\') from -= 1
  return (index - from) % 2 === 1
}

/**
 * Full-width letters, digits and signs as plain ones; for names and numbers, never for what people
 * wrote.
 */
export function narrow(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Takes the options out, wherever they are (F6). `--tag=work`, `--tag:work`, `--tag work` and
 * `——tag work` are the same. A long dash before a word that names no option is text, because people
 * write so; two plain dashes are a mistake.
 */
export function readLine(text: string, specs: readonly OptionSpec[]): CommandLine {
  const line: CommandLine = { words: [], options: new Map(), problems: [] }
  const all = wordsOf(text)
  for (let index = 0; index < all.length; ) {
    const word = all[index]
    if (word === undefined) break
    index += 1
    const option = optionIn(word, specs)
    if (option === null) line.words.push(word)
    else if (option.spec === null)
      line.problems.push({ kind: 'unknown_option', typed: option.typed, word })
    else if (option.spec.flag) line.options.set(option.spec.flag.of, option.spec.flag.value)
    else
      index += takeValue(line, option.spec, option.inline, all.slice(index, index + longestValue))
  }
  return line
}

/** No value has more words. */
const longestValue = 8

function takeValue(
  line: CommandLine,
  spec: OptionSpec,
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

function optionIn(word: Word, specs: readonly OptionSpec[]) {
  const match = word.quoted ? null : optionPattern.exec(word.value)
  if (match === null) return null
  const [, dash = '', name = '', inline = ''] = match
  const typed = narrow(name)
  const spec = specs.find((one) => namesOf(one).includes(typed))
  if (spec !== undefined) return { typed: name, spec, inline }
  // `--due明天`: Chinese is written without blanks.
  for (const one of specs) {
    const known = namesOf(one).find(
      (own) => typed.startsWith(own) && /^\p{Script=Han}/u.test(name.slice(own.length)),
    )
    if (known !== undefined)
      return { typed: name, spec: one, inline: word.value.slice(dash.length + known.length) }
  }
  return dash === '--' || dash === '－－' ? { typed: name, spec: null, inline } : null
}

const namesOf = (spec: OptionSpec) => [spec.name, ...spec.aliases]

/**
 * The words as one line of text. A text that is one quoted word loses its quotes; quotes within a
 * text stay.
 */
export function textOf(words: readonly Word[]): string {
  const [only] = words
  return oneLine(words.length === 1 && only !== undefined ? only.value : rawOf(words))
}

/** The words as they were typed. */
export const rawOf = (words: readonly Word[]) => oneLine(words.map(({ raw }) => raw).join(' '))

/**
 * No line breaks, no control characters, single blanks: a to-do is one line wherever it is shown.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** The other way round: `readLine` makes this text of it again, whatever is in it. */
export function quoteIfNeeded(text: string): string {
  return /(?:^|\s)["'“‘「『\-—–―－−]/u.test(text) ? quote(text) : text
}

export const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** As code in Markdown, even if it holds backticks itself. */
export function inlineCode(text: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}

/**
 * Escapes people's text so that it is shown as typed: `*` and `[` format nothing, `<@…>` mentions
 * nobody.
 */
export function plainText(text: string): string {
  return text.replace(/[\\`*~[\]<>|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}
