import type { Gap, Readable } from '../../../agent/domain/document.ts'
import { present } from '../../../agent/domain/present.ts'
import { packed, type Sheet } from './cells.ts'
import { type Column, columnOf, tableReading } from './columns.ts'
import { type Table, tablesIn } from './regions.ts'

const tablesMost = 12
const columnsMost = 40

/**
 * Adds the tables of a document to its text: their cells for calculations, their outline in words.
 */
export function withTables(readable: Readable, sheets: readonly Sheet[]): Readable {
  const tables = sheets.flatMap(tablesIn)
  if (tables.length === 0) return readable
  const cells = packed(sheets)
  const tooLarge: Gap = { code: 'tables', items: tables.map(({ name }) => name) }
  if (cells === null) return { ...readable, gaps: [...(readable.gaps ?? []), tooLarge] }
  const more = tables.length - tablesMost
  const lines = tables.slice(0, tablesMost).map(lineOf)
  if (more > 0) lines.push(`… and ${more} more tables.`)
  return { ...readable, tables: { cells, outline: lines.join('\n') } }
}

function lineOf({ name, range, title, columns, hasHeader, rows, totals }: Table): string {
  const reading = tableReading(() => rows.map(({ cells }) => cells), { decimal: null, dates: null })
  const shown = columns.slice(0, columnsMost).map((column, at) => {
    const cells = rows.map((row) => row.cells[at] ?? null)
    return inWords(columnOf(column, cells, reading))
  })
  const left = columns.length - columnsMost
  const what = present([
    `Table “${name}” (${range}${title === '' ? '' : `, “${title.slice(0, 80)}”`}): ${rows.length} rows`,
    totals.length > 0 && `${totals.length} rows of totals left out`,
    !hasHeader && 'no header',
  ])
  return `${what.join(', ')}. Columns: ${shown.join('; ')}${left > 0 ? ` … and ${left} more` : ''}.`
}

function inWords({ name, kind, counts, units, open }: Column): string {
  const signs = [...units.keys()].filter((unit) => unit !== '')
  const strange = kind === 'number' || kind === 'date' ? counts.text : 0
  const facts = present([
    kind,
    ...signs.slice(0, 4),
    counts.empty === 0 || kind === 'empty' ? null : `${counts.empty} blank`,
    strange !== 0 && `${strange} with words`,
    open !== null && `“${open.cell}” can be read in two ways`,
  ])
  return `${name.slice(0, 60)} (${facts.join(', ')})`
}
