import { type Cell, isAmount, isDay, letters, type Merge, type Sheet, wordsOf } from './cells.ts'
import { writtenDay } from './days.ts'
import { writtenNumber } from './numbers.ts'

export interface Row {
  /** Number of the row in its sheet, from 1. */
  number: number
  cells: readonly Cell[]
}

/** Table that was found in a sheet. */
export interface Table {
  /** Name of its sheet, with a number from the second on; `table` in a file without sheets. */
  name: string
  /** Cells that it takes, such as `A3:F120`. */
  range: string
  /** Line above it, where there is one. */
  title: string
  columns: string[]
  hasHeader: boolean
  rows: Row[]
  /** Rows that sum up others, and notes below: not counted among the rows. */
  totals: Row[]
  notes: Row[]
}

interface Block {
  rows: Row[]
  /** First and last column. */
  from: number
  to: number
}

/** Readers leave out cells of blanks alone. */
const isEmpty = (cell: Cell | undefined) => cell == null

/** True for a number or a date, also one that is written as text. */
const isMeasure = (cell: Cell | undefined) =>
  cell != null &&
  (typeof cell !== 'string' || writtenNumber(cell) !== null || writtenDay(cell) !== null)

const isDate = (cell: Cell | undefined) =>
  cell != null && (isDay(cell) || (typeof cell === 'string' && writtenDay(cell) !== null))

/** True for what may stand in a header: words, or a year. */
const isLabel = (cell: Cell | undefined) =>
  cell != null && (!isMeasure(cell) || /^(?:19|20)\d{2}$/.test(wordsOf(cell)))

const filledIn = (cells: readonly (Cell | undefined)[], { from, to }: Omit<Block, 'rows'>) =>
  cells.slice(from, to + 1).filter((cell) => !isEmpty(cell)).length

/**
 * Finds the tables of a sheet: they are divided by blank rows where another header follows, and by
 * blank columns (C882).
 */
export function tablesIn(sheet: Sheet): Table[] {
  const blocks: Block[] = []
  for (const run of runsOf(sheet.rows)) {
    const last = blocks.at(-1)
    const more = last === undefined ? null : moreOf(last, run)
    if (more === null) blocks.push(...besides(run))
    else for (const row of more) last?.rows.push(row)
  }
  const found = blocks.flatMap((block) => tableOf(block, sheet.merges) ?? [])
  const name = sheet.name || 'table'
  return found.map((table, at) => ({ ...table, name: at === 0 ? name : `${name} ${at + 1}` }))
}

/** Rows between blank ones. */
function runsOf(rows: readonly (readonly Cell[])[]): Row[][] {
  const runs: Row[][] = []
  let isOpen = false
  rows.forEach((cells, at) => {
    const isBlank = cells.every(isEmpty)
    if (!isBlank && isOpen) runs.at(-1)?.push({ number: at + 1, cells })
    if (!isBlank && !isOpen) runs.push([{ number: at + 1, cells }])
    isOpen = !isBlank
  })
  return runs
}

/** Blocks beside each other, between blank columns. */
function besides(rows: readonly Row[]): Block[] {
  const used: boolean[] = []
  for (const { cells } of rows)
    cells.forEach((cell, column) => {
      if (!isEmpty(cell)) used[column] = true
    })
  const spans: { from: number; to: number }[] = []
  for (let column = 0; column < used.length; column += 1) {
    if (used[column] !== true) continue
    const last = spans.at(-1)
    if (last !== undefined && last.to === column - 1) last.to = column
    else spans.push({ from: column, to: column })
  }
  return spans.map(({ from, to }) => ({
    rows: rows.filter(({ cells }) => filledIn(cells, { from, to }) > 0),
    from,
    to,
  }))
}

/**
 * Rows behind a blank one that are more of a table, without its header; null: it is another one.
 */
function moreOf(block: Block, run: readonly Row[]): readonly Row[] | null {
  const [first] = run
  const wordsIn = ({ cells }: Row) => columnsOf(block).map((at) => wordsOf(cells[at] ?? null))
  const asFirst = first === undefined ? '' : wordsIn(first).join('\n')
  const isRepeated =
    run.length > 1 &&
    block.rows.slice(0, headerMost).some((row) => wordsIn(row).join('\n') === asFirst)
  if (isRepeated) return run.slice(1)
  return goesOn(block, run) ? run : null
}

/** True if no header of another table stands above the rows. */
function goesOn(block: Block, run: readonly Row[]): boolean {
  const [first] = run
  const { from, to } = block
  if (first === undefined || to === from) return false
  const isOutside = run.some(({ cells }) =>
    cells.some((cell, column) => (column < from || column > to) && !isEmpty(cell)),
  )
  if (isOutside) return false
  const measured = columnsOf(block).filter((column) => isMeasured(block, column))
  if (measured.length === 0) return run.length === 1 || filledIn(first.cells, block) < 2
  // A line alone above something is a title; alone in its run it is a note.
  if (filledIn(first.cells, block) === 1 && run.length > 1) return goesOn(block, run.slice(1))
  return measured.filter((column) => isLabel(first.cells[column])).length * 2 < measured.length
}

const columnsOf = ({ from, to }: Omit<Block, 'rows'>) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const sampled = 200

/** True for a column in which at least half of what is filled in are numbers and dates. */
function isMeasured({ rows }: Block, column: number): boolean {
  const cells = rows.slice(0, sampled).map((row) => row.cells[column])
  const filled = cells.filter((cell) => !isEmpty(cell))
  return filled.length > 0 && filled.filter(isMeasure).length * 2 >= filled.length
}

function tableOf(block: Block, merges: readonly Merge[]): Omit<Table, 'name'> | null {
  const { titles, rest } = withoutTitles(block)
  const isTable = block.to > block.from || isMeasured(block, block.from)
  if (rest.length < 2 || !isTable) return null
  const used = columnsOf(block).filter((at) => rest.some(({ cells }) => !isEmpty(cells[at])))
  const body: Block = { rows: rest, from: used[0] ?? block.from, to: used.at(-1) ?? block.to }
  const header = headerLength(body, merges)
  const data = filledDown(rest.slice(header), merges).map(({ number, cells }) => ({
    number,
    cells: columnsOf(body).map((column) => cells[column] ?? null),
  }))
  const kinds = sorted(data)
  const range = `${letters(body.from)}${rest[0]?.number}:${letters(body.to)}${rest.at(-1)?.number}`
  return {
    range,
    title: titles.at(-1) ?? '',
    columns: namesOf(body, rest.slice(0, header), merges),
    hasHeader: header > 0,
    ...kinds,
  }
}

/** Lines of one cell above a table. */
function withoutTitles(block: Block) {
  const { rows } = block
  const isWide = block.to > block.from
  const count = rows.findIndex(
    (row) => !isWide || filledIn(row.cells, block) !== 1 || isMeasure(cellsIn(row, block)[0]),
  )
  const most = count === -1 ? rows.length : count
  const titles = rows.slice(0, most).map((row) => cellsIn(row, block).map(wordsOf).join(' '))
  return { titles, rest: rows.slice(most) }
}

const cellsIn = ({ cells }: Row, { from, to }: Omit<Block, 'rows'>): Cell[] =>
  cells.slice(from, to + 1).flatMap((cell) => (cell == null || isEmpty(cell) ? [] : [cell]))

const headerMost = 3

/** Number of rows that name the columns. A row above others names groups of them. */
function headerLength(block: Block, merges: readonly Merge[]): number {
  const { rows } = block
  const isMeasuredBlock = columnsOf(block).some((column) => isMeasured(block, column))
  const most = Math.min(isMeasuredBlock ? headerMost : 1, rows.length - 1)
  let count = 0
  while (count < most) {
    const row = rows[count]
    if (row === undefined || !isHeader(row, block)) break
    count += 1
    if (!isGroupRow(row, block, merges)) break
  }
  return count
}

function isHeader(row: Row, block: Block): boolean {
  const cells = cellsIn(row, block)
  const below = block.rows[block.rows.indexOf(row) + 1]
  // Months as dates name columns of numbers.
  const isNamed = (column: number) =>
    isEmpty(row.cells[column]) ||
    isLabel(row.cells[column]) ||
    (isDate(row.cells[column]) && below !== undefined && !isDate(below.cells[column]))
  const hasCorner = isEmpty(row.cells[block.from])
  return (
    cells.length > 0 &&
    columnsOf(block).every(isNamed) &&
    (hasCorner || cells.some((cell) => !isMeasure(cell)))
  )
}

/** True if a row of a header has cells that reach over several columns. */
function isGroupRow(row: Row, block: Block, merges: readonly Merge[]): boolean {
  const at = row.number - 1
  const reaches = merges.some(
    ({ from, to }) => from.row <= at && at <= to.row && to.column > from.column,
  )
  const next = block.rows[block.rows.indexOf(row) + 1]
  const fills =
    next !== undefined &&
    isHeader(next, block) &&
    columnsOf(block).every((column) => !isEmpty(next.cells[column])) &&
    columnsOf(block).some((column) => isEmpty(row.cells[column]))
  return (reaches || fills) && next !== undefined && isHeader(next, block)
}

/** Names of the columns: the words above each, those of a group before its own. */
function namesOf(block: Block, header: readonly Row[], merges: readonly Merge[]): string[] {
  const taken = new Map<string, number>()
  return columnsOf(block).map((column) => {
    const words = header.map((row, at) => headerCell(row, column, { block, merges, at, header }))
    const different = words.filter((word, at) => word !== '' && words.indexOf(word) === at)
    const name = different.join(' / ') || `column ${letters(column)}`
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

interface HeaderPlace {
  block: Block
  merges: readonly Merge[]
  /** Place of the row in the header. */
  at: number
  header: readonly Row[]
}

function headerCell(row: Row, column: number, { block, merges, at, header }: HeaderPlace): string {
  const own = wordsOf(row.cells[column] ?? null)
  if (own !== '') return own
  const merge = merges.find((one) => isIn(one, row.number - 1, column))
  if (merge !== undefined) {
    const first = header.find(({ number }) => number - 1 === merge.from.row)
    return wordsOf(first?.cells[merge.from.column] ?? null)
  }
  // Without merged cells a group reaches up to the next one, where a name stands below.
  const isLast = at === header.length - 1
  if (isLast || merges.length > 0) return ''
  const below = header.at(at + 1)?.cells[column]
  const left = columnsOf(block).findLast((one) => one < column && !isEmpty(row.cells[one]))
  return isEmpty(below) || left === undefined ? '' : wordsOf(row.cells[left] ?? null)
}

const isIn = ({ from, to }: Merge, row: number, column: number) =>
  from.row <= row && row <= to.row && from.column <= column && column <= to.column

/**
 * Words of a cell that reaches over several rows belong to each of them; a number is there once.
 */
function filledDown(rows: readonly Row[], merges: readonly Merge[]): Row[] {
  const tall = merges.filter(({ from, to }) => to.row > from.row)
  if (tall.length === 0) return [...rows]
  const byNumber = new Map(rows.map((row) => [row.number, { ...row, cells: [...row.cells] }]))
  for (const { from, to } of tall) {
    const cell = byNumber.get(from.row + 1)?.cells[from.column]
    if (cell == null || (isMeasure(cell) && !isDay(cell))) continue
    for (let row = from.row + 1; row <= to.row; row += 1) {
      const below = byNumber.get(row + 1)
      if (below !== undefined) below.cells[from.column] = cell
    }
  }
  return [...byNumber.values()]
}

const totalWord =
  /^(?:(?:sub|grand|overall|running)[- ]?)?(?:totals?|sums?|averages?|mean|summen?|zwischensumme|gesamt(?:summe|betrag)?|insgesamt|durchschnitt|totale?s?|somme|moyenne|suma|razem|итого|всего)(?![\p{L}-])|^(?:合计|合計|总计|總計|小计|小計|总和|共计|平均)/iu

/** Parts rows into data, rows that sum others up, and notes at the end. */
function sorted(rows: readonly Row[]): Pick<Table, 'rows' | 'totals' | 'notes'> {
  const isMeasuredRow = ({ cells }: Row) => cells.some(isMeasure)
  const isNote = (row: Row) => row.cells.filter((cell) => !isEmpty(cell)).length === 1
  const hasMeasures = rows.some(isMeasuredRow)
  const end = hasMeasures
    ? rows.findLastIndex((row) => row.cells.length < 3 || !isNote(row) || isMeasuredRow(row))
    : rows.length - 1
  const kept = rows.slice(0, end + 1)
  const isTotal = (row: Row) => totalWord.test(firstWords(row)) && isMeasuredRow(row)
  const isLastSum = sumsUp(kept.filter((row) => !isTotal(row)))
  const totals = kept.filter((row) => isTotal(row) || row === isLastSum)
  return {
    rows: kept.filter((row) => !totals.includes(row)),
    totals,
    notes: rows.slice(end + 1),
  }
}

const firstWords = ({ cells }: Row): string => {
  const first = cells.find((cell) => !isEmpty(cell))
  return typeof first === 'string' ? first.trim() : ''
}

/** Last row, if it names nothing and each of its numbers is the sum of those above. */
function sumsUp(rows: readonly Row[]): Row | null {
  const last = rows.at(-1)
  if (last === undefined || rows.length < 3) return null
  const given = last.cells.flatMap((cell, column) => (isEmpty(cell) ? [] : [{ cell, column }]))
  const isSum = ({ cell, column }: { cell: Cell; column: number }) => {
    const value = amountIn(cell)
    const above = rows.slice(0, -1).map((row) => amountIn(row.cells[column] ?? null) ?? 0)
    const sum = above.reduce((a, b) => a + b, 0)
    return value !== null && value !== 0 && Math.abs(sum - value) < 1e-6 * Math.abs(value)
  }
  const isShorter = given.length < last.cells.length
  return isShorter && given.length > 0 && given.every(isSum) ? last : null
}

/** Number of a cell whose spelling leaves no doubt; null: it has none. */
function amountIn(cell: Cell): number | null {
  if (typeof cell === 'number') return cell
  if (isAmount(cell)) return cell.value
  const written = typeof cell === 'string' ? writtenNumber(cell) : null
  return written !== null && 'is' in written ? written.is.value : null
}
