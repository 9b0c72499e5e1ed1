import { present } from '../../../agent/domain/present.ts'
import type { TableQuery } from '../../../agent/domain/table-query.ts'
import type { TableSource } from '../../../agent/ports/tables.ts'
import { type Cell, type Sheet, sameForm, unpacked, wordsOf } from './cells.ts'
import { type Column, columnOf, keyOf, type TableReading, tableReading } from './columns.ts'
import { sheetOf } from './csv.ts'
import { type Table, tablesIn } from './regions.ts'

/** Something in a query that cannot be done, in words for the model. */
export class Unusable extends Error {}

/** Rows that a calculation works on, with what has to be said of them. */
export interface Frame {
  columns: string[]
  rows: readonly (readonly Cell[])[]
  reading: TableReading
  notes: string[]
}

const marks = { comma: ',', point: '.' } as const

/** Tables of all sheets of a file. */
function tablesOf(source: TableSource): Table[] {
  const sheets: Sheet[] = 'cells' in source ? unpacked(source.cells) : [sheetOf(source.text)]
  return sheets.flatMap(tablesIn)
}

/** Rows of the table that a query names, with those of the one that is joined. */
export function frameOf(sources: readonly TableSource[], query: TableQuery): Frame {
  const table = tableNamed(sources, query)
  const frame = filledFrame(table, query)
  if (query.join === null) return frame
  const { join } = query
  const other = tableNamed(sources, { file: join.file ?? query.file, table: join.table })
  return joined(frame, filledFrame(other, { ...query, fill_down: null }), join)
}

function tableNamed(
  sources: readonly TableSource[],
  { file, table: name }: { file: string; table: string | null },
): Table {
  const source = sources.find((one) => sameForm(one.name) === sameForm(file))
  if (source === undefined) throw new Unusable(`there is no file ${file}`)
  const tables = tablesOf(source)
  const [only] = tables
  if (only === undefined) throw new Unusable(`${source.name} has no table`)
  if (name === null && tables.length === 1) return only
  const names = tables.map((one) => `“${one.name}”`).join(', ')
  if (name === null) throw new Unusable(`${source.name} has several tables; name one: ${names}`)
  const found = tables.find((one) =>
    [one.name, one.title, one.range].some((word) => sameForm(word) === sameForm(name)),
  )
  if (found === undefined) throw new Unusable(`there is no table “${name}”; there are ${names}`)
  return found
}

const namedMost = 5

function filledFrame(table: Table, query: TableQuery): Frame {
  const { columns, totals, notes } = table
  const isCounted = query.totals_rows === 'count'
  const rows = isCounted
    ? [...table.rows, ...totals].sort((a, b) => a.number - b.number)
    : table.rows
  const wordsOfRows = (some: Table['rows']) =>
    some
      .slice(0, namedMost)
      .map(({ number, cells }) => {
        const first = cells.find((cell) => cell !== null && wordsOf(cell) !== '') ?? null
        return `row ${number} “${wordsOf(first)}”`
      })
      .join(', ') + (some.length > namedMost ? ` and ${some.length - namedMost} more` : '')
  const frame: Frame = {
    columns: [...columns],
    rows: rows.map(({ cells }) => cells),
    reading: tableReading(() => table.rows.map(({ cells }) => cells), {
      decimal: query.decimal === null ? null : marks[query.decimal],
      dates: query.dates,
    }),
    notes: present([
      `Table “${table.name}” (${table.range}) has ${rows.length} rows.`,
      totals.length > 0 &&
        !isCounted &&
        `Left out as rows that sum up others: ${wordsOfRows(totals)}.`,
      notes.length > 0 && `Left out as notes: ${wordsOfRows(notes)}.`,
    ]),
  }
  for (const name of query.fill_down ?? []) fillDown(frame, indexOf(frame, name))
  return frame
}

function fillDown(frame: Frame, at: number) {
  let above: Cell = null
  let count = 0
  frame.rows = frame.rows.map((cells) => {
    const own = cells[at] ?? null
    if (own !== null && wordsOf(own) !== '') above = own
    else if (above !== null) {
      count += 1
      return cells.with(at, above)
    }
    return cells
  })
  frame.notes.push(`${frame.columns[at]}: ${count} blank cells were filled from above.`)
}

/** Place of a column by its name. */
export function indexOf({ columns }: Frame, name: string): number {
  const wanted = sameForm(name)
  const whole = columns.findIndex((one) => sameForm(one) === wanted)
  if (whole !== -1) return whole
  const ends = columns.filter((one) => sameForm(one).endsWith(`/ ${wanted}`))
  const [end] = ends
  if (end !== undefined && ends.length === 1) return columns.indexOf(end)
  throw new Unusable(
    `there is no column “${name}”; there are ${columns.map((c) => `“${c}”`).join(', ')}`,
  )
}

/** Column of a frame; throws if a spelling in it can be read in two ways and nobody says which. */
export function column(frame: Frame, name: string): Column & { at: number } {
  const at = indexOf(frame, name)
  const cells = frame.rows.map((row) => row[at] ?? null)
  const found = columnOf(frame.columns[at] ?? name, cells, frame.reading)
  if (found.open !== null) throw new Unusable(openIn(found.name, found.open))
  if (found.reading !== null) note(frame, `${found.name}: ${found.reading}.`)
  return { ...found, at }
}

export function note(frame: Frame, text: string): void {
  if (!frame.notes.includes(text)) frame.notes.push(text)
}

function openIn(name: string, { cell, asks }: NonNullable<Column['open']>): string {
  return asks === 'decimal'
    ? `in “${name}”, “${cell}” can be read in two ways, and nothing in the table says which. If people said which, give decimal: point or comma; else ask them. Do not guess`
    : `in “${name}”, “${cell}” can be day/month or month/day, and nothing in the table says which. If people said which, give dates: day_first or month_first; else ask them. Do not guess`
}

/** Most rows that a join may make. */
const joinedMost = 300_000

/** Key of a row by its cells in some columns. */
function keyBy(frame: Frame, names: readonly string[]): (row: readonly Cell[]) => string {
  const columns = names.map((name) => column(frame, name))
  return (row) => columns.map(({ at, read }) => keyOf(read(row[at] ?? null))).join('\u0000')
}

/** True for the key of a row that has nothing there; it matches no other. */
const isBlank = (key: string) => key.replaceAll('\u0000', '') === ''

function joined(frame: Frame, other: Frame, join: NonNullable<TableQuery['join']>): Frame {
  if (join.left.length === 0 || join.left.length !== join.right.length)
    throw new Unusable('join.left and join.right name the same number of columns')
  const keyHere = keyBy(frame, join.left)
  const there = Map.groupBy(other.rows, keyBy(other, join.right))
  const nothing = other.columns.map((): Cell => null)
  const rows: Cell[][] = []
  const count = { none: 0, several: 0 }
  for (const row of frame.rows) {
    const key = keyHere(row)
    const matches = (isBlank(key) ? null : there.get(key)) ?? []
    if (matches.length === 0) count.none += 1
    if (matches.length > 1) count.several += 1
    const kept = matches.length === 0 && join.unmatched === 'keep' ? [nothing] : matches
    for (const match of kept) rows.push([...row, ...match])
    if (rows.length > joinedMost)
      throw new Unusable(
        `the join makes more than ${joinedMost} rows; join by columns that say more`,
      )
  }
  const taken = new Set(frame.columns.map(sameForm))
  const columns = other.columns.map((name) =>
    taken.has(sameForm(name)) ? `${name} (joined)` : name,
  )
  const unmatched = join.unmatched === 'keep' ? 'kept' : 'left out'
  return {
    columns: [...frame.columns, ...columns],
    rows,
    reading: frame.reading,
    notes: [
      ...frame.notes,
      ...other.notes,
      `Joined: ${rows.length} rows; ${count.none} rows have no match and are ${unmatched}; ${count.several} have several and count several times.`,
    ],
  }
}
