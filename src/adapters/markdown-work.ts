/** Most lines of a text: each is a line break, or a block, of its own. */
const mostLines = 3_000
/** Most lines that begin something: list items, quotes, headings, rules, rows of tables. */
const mostBeginnings = 2_000
/**
 * Most work of all stretches together. A list of 400 items or a table of 400 rows, 70 characters
 * each, is within it.
 */
const mostWork = 12_000_000

const beginning = /^[ \t]*(?:[>#|[=*+-]|\d{1,9}[.)])/
/** A list item too deep for any reader. Each level is parsed once more for every level above it. */
const deepItem = /^[ \t]{40}[ \t]*(?:[-*+]|\d{1,9}[.)])/
const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])/

/** Lines that may belong to one list or table: up to a blank line before an unindented one. */
interface Stretch {
  lines: number
  length: number
  beginnings: number
  hasList: boolean
}

/**
 * True if finding the blocks of a Markdown text would take too long. At every line that may begin
 * something, the parser scans the rest of the stretch. It compares every further line of a list
 * item with all those before it.
 *
 * @param text with lines that end in `\n`.
 */
export function isTooMuchWork(text: string): boolean {
  const lines = text.split('\n')
  if (lines.length > mostLines) return true
  const nothing: Stretch = { lines: 0, length: 0, beginnings: 0, hasList: false }
  let stretch = nothing
  let beginnings = 0
  let work = 0
  let isBlank = false
  for (const line of lines) {
    if (isBlank && /^\S/.test(line)) {
      work += workOf(stretch)
      stretch = nothing
    }
    if (deepItem.test(line)) return true
    const begins = beginning.test(line) ? 1 : 0
    beginnings += begins
    isBlank = line.trim() === ''
    stretch = {
      lines: stretch.lines + 1,
      length: stretch.length + line.length + 1,
      beginnings: stretch.beginnings + begins,
      hasList: stretch.hasList || listItem.test(line),
    }
  }
  return beginnings > mostBeginnings || work + workOf(stretch) > mostWork
}

const workOf = ({ lines, length, beginnings, hasList }: Stretch) =>
  length * (hasList ? lines : beginnings)
