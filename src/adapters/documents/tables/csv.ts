import Papa from 'papaparse'
import type { Readable } from '../../../agent/domain/document.ts'
import { readText } from '../text.ts'
import type { Cell, Sheet } from './cells.ts'
import { withTables } from './outline.ts'

/** Reads text whose columns are divided by marks: the text as it is, and its table (C880). */
export function readCsv(bytes: Uint8Array): Readable {
  const readable = readText(bytes)
  return withTables(readable, [sheetOf(readable.text)])
}

/** Cells of a text; the mark between columns is found by looking, or told by a line `sep=;`. */
export function sheetOf(text: string): Sheet {
  const told = /^\ufeff?sep=(.)\r?\n/.exec(text)
  const { data } = Papa.parse<string[]>(told === null ? text : text.slice(told[0].length), {
    delimiter: told?.[1] ?? '',
  })
  const rows = data.map((row) => row.map((cell): Cell => (cell.trim() === '' ? null : cell)))
  return { name: '', rows: told === null ? rows : [[], ...rows], merges: [] }
}
