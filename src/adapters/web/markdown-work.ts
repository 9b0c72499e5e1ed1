/** Lines of one text: each is a line break, or a block, of its own. */
const mostLines = 3_000
/** Lines of one text that begin something: items of lists, quotes, headings, rules, rows of tables. */
const mostBeginnings = 2_000
/** Of all stretches together; a list of 400 items or a table of 400 rows, 70 characters each, is within it. */
const mostWork = 12_000_000

const beginning = /^[ \t]*(?:[>#|[=*+-]|\d{1,9}[.)])/
/** As deep as nobody reads: each level is taken apart once more for every level above it. */
const deepItem = /^[ \t]{40}[ \t]*(?:[-*+]|\d{1,9}[.)])/
const listItem = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])/

/** Lines that may be parts of one list or table: up to a blank line with something at the beginning of the next one. */
interface Stretch {
  lines: number
  length: number
  beginnings: number
  hasList: boolean
}

/**
 * Whether finding the blocks of a Markdown text would take too long. At every line that may begin something the parser looks
 * at the rest of the stretch, and every further line of a list's item is put to all those before it.
 *
 * @param text its lines end with `\n`.
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

const workOf = ({ lines, length, beginnings, hasList }: Stretch): number =>
  length * (hasList ? lines : beginnings)
