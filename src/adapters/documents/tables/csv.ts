import Papa from 'papaparse'
import type { Readable } from '../../../agent/domain/document.ts'
import { readText } from '../text.ts'
import type { Cell, Sheet } from './cells.ts'
import { writtenNumber } from './numbers.ts'
import { withTables } from './outline.ts'

/** Reads text whose columns are divided by marks: the text as it is, and its table (C880). */
export function readCsv(bytes: Uint8Array): Readable {
  const readable = readText(bytes)
  return withTables(readable, [sheetOf(readable.text)])
}

/** Cells of a text; the mark between columns is found by looking, or told by a line `sep=;`. */
export function sheetOf(text: string): Sheet {
  const told = /^\ufeff?sep=(.)\r?\n/.exec(text)
  const body = told === null ? text : text.slice(told[0].length)
  const delimiter = told?.[1] ?? delimiterIn(body)
  const quoted = Papa.parse<string[]>(body, { delimiter })
  // A quote that nobody closes would take all rows below it into one cell.
  const isOpen = quoted.errors.some(({ code }) => code === 'MissingQuotes')
  const { data } = isOpen ? Papa.parse<string[]>(body, { delimiter, quoteChar: absent }) : quoted
  const rows = data.map((row) => row.map((cell): Cell => (cell.trim() === '' ? null : cell)))
  return { name: '', rows: told === null ? rows : [[], ...rows], merges: [] }
}

/** Character that no text holds. */
const absent = '\0'

const sampled = 20_000

/**
 * Mark between columns. Semicolons come before commas, which are decimal marks where both divide a
 * line equally often; blank lines do not count.
 */
function delimiterIn(text: string): string {
  const sample = text.slice(0, sampled)
  const { meta, errors } = Papa.parse<string[]>(sample, {
    delimitersToGuess: [';', '\t', '|', ','],
    skipEmptyLines: 'greedy',
    preview: 100,
  })
  const isFound = errors.every(({ code }) => code !== 'UndetectableDelimiter')
  return !isFound && isOneColumn(sample) ? absent : meta.delimiter
}

/** True for a word above numbers, whose commas are decimal marks. */
function isOneColumn(text: string): boolean {
  const [, ...numbers] = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  return numbers.length > 0 && numbers.every((line) => writtenNumber(line) !== null)
}
