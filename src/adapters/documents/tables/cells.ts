import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Number as a workbook shows it: with a currency, or as a share of 1 with `%`. */
export interface Amount {
  value: number
  unit: string
}

/** Day or instant of a workbook, which has no time zone: `2026-11-27` or `2026-11-27 09:30`. */
export interface Day {
  date: string
}

/** Cell of a table; texts are as people wrote them. */
export type Cell = null | number | string | Amount | Day

/** First and last row and column of cells that are one, counted from 0. */
export interface Merge {
  from: { row: number; column: number }
  to: { row: number; column: number }
}

export interface Sheet {
  name: string
  rows: Cell[][]
  merges: Merge[]
}

/** Longest cells of a file that are kept, packed, in characters. */
const packedMost = 6_000_000

/** Packs sheets for the store; null: they are too large. */
export function packed(sheets: readonly Sheet[]): string | null {
  const text = deflateRawSync(JSON.stringify(sheets), { level: 3 }).toString('base64')
  return text.length > packedMost ? null : text
}

/** Sheets that `packed` packed, in this same process and nowhere else. */
export const unpacked = (text: string): Sheet[] =>
  JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8'))

/** Letters of a column: 0 is A, 26 is AA. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : `${letters(Math.floor(column / 26) - 1)}${last}`
}

export const isAmount = (cell: Cell): cell is Amount =>
  typeof cell === 'object' && cell !== null && 'value' in cell
export const isDay = (cell: Cell): cell is Day =>
  typeof cell === 'object' && cell !== null && 'date' in cell

/** Cell in words, as it is shown and compared. */
export function wordsOf(cell: Cell): string {
  if (cell === null) return ''
  if (isDay(cell)) return cell.date
  if (isAmount(cell)) return amountInWords(cell)
  return typeof cell === 'number' ? plain(cell) : cell.trim().replace(/\s+/g, ' ')
}

export function amountInWords({ value, unit }: Amount): string {
  if (unit === '%') return `${plain(value * 100)} %`
  return unit === '' ? plain(value) : `${plain(value)} ${unit}`
}

/** Number without the dust of binary fractions, never in exponents below 10²¹. */
const plain = (value: number): string => {
  const round = Number(value.toPrecision(12))
  return Math.abs(round) < 1e-6 && round !== 0 ? String(round) : decimals.format(round)
}
const decimals = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 12 })

/** Form in which two spellings of one word are the same. */
export const sameForm = (text: string): string =>
  text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
