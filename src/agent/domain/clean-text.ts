/**
 * Deeper values are nobody's honest answer, and whatever walks through them would run out of stack.
 */
const deepest = 64
/** Directions within directions; nobody writes more in one line. */
const turnsMost = 8

const lineEnds = /\r\n?/g
const controls = /[^\P{Cc}\n\t]/gu
/** Any control character but these two, and halves of surrogate pairs: most texts have none. */
const unclean = /[[\p{Cc}\p{Cs}]--[\n\t]]/v
const turns = /[\u202a-\u202e\u2066-\u2069]/
const everyTurn = new RegExp(turns, 'g')
const endsEmbedding = '\u202c'
const endsIsolate = '\u2069'

/**
 * A text from outside as every screen, store and model takes it (P17): well-formed, with line ends
 * as `\n` and no other control character than the tab, and with its directions closed. Done twice
 * it equals once. In linear time.
 */
export function cleanText(text: string): string {
  const plain = unclean.test(text)
    ? text.toWellFormed().replace(lineEnds, '\n').replace(controls, '')
    : text
  if (!turns.test(plain)) return plain
  // A text that is JSON, as models write inputs, means the same with them escaped, and would be
  // none with more behind it.
  return isJson(plain)
    ? plain.replace(everyTurn, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)
    : closed(plain)
}

const isJson = (text: string) => /^\s*[[{"]/.test(text) && jsonIn(text) !== undefined

/** Parses a JSON text; `undefined` if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Number of characters that somebody wrote. Signs of direction do not count: closing them adds
 * some.
 */
export const charactersIn = (text: string): number => Array.from(text.replace(everyTurn, '')).length

/**
 * Every line closes the embeddings, overrides and isolates that it opens, and ends none that it did
 * not open: so it turns nothing around that stands beside it, wherever it is put. A line is as far
 * as they reach by themselves (UAX #9, X8).
 */
export function closed(text: string): string {
  if (!turns.test(text)) return text
  return text
    .split('\n')
    .map((line) => (turns.test(line) ? closedLine(line) : line))
    .join('\n')
}

function closedLine(line: string): string {
  /** Closing signs of the embeddings and isolates that are open, innermost last. */
  const open: string[] = []
  const kept = line.replace(everyTurn, (sign) => {
    if (sign === endsEmbedding || sign === endsIsolate) {
      // The end of an isolate ends what was opened within it too; the end of an embedding does not
      // reach out of an isolate.
      const from = open.lastIndexOf(sign)
      if (from === -1 || (sign === endsEmbedding && from !== open.length - 1)) return ''
      open.length = from
      return sign
    }
    if (open.length >= turnsMost) return ''
    open.push(sign < endsIsolate && sign > '\u202e' ? endsIsolate : endsEmbedding)
    return sign
  })
  return kept + open.reverse().join('')
}

/** The same for every text in a JSON value, names of keys included. */
export const cleanTexts = (value: unknown): unknown => mapTexts(value, cleanText, cleanText)

/**
 * A JSON value with its texts, and the names of its keys, changed. What is nested deeper than 64
 * levels is null.
 */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  rename: (key: string) => string = (key) => key,
  depth = 0,
): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return null
  const inside = (held: unknown) => mapTexts(held, change, rename, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [rename(key), inside(held)]))
}
