import { assertNever } from '../../../agent/domain/assert.ts'
import { type Amount, type Cell, isAmount, isDay, sameForm, wordsOf } from './cells.ts'
import { type DayOrder, type WrittenDay, writtenDay } from './days.ts'
import { type DecimalMark, type WrittenNumber, writtenNumber } from './numbers.ts'

/**
 * Readings of what spelling leaves open, as somebody who knows the table says them; null: unsaid.
 */
export interface Readings {
  decimal: DecimalMark | null
  dates: DayOrder | null
}

export type Value =
  | { kind: 'empty' }
  | { kind: 'number'; amount: Amount }
  | { kind: 'date'; date: string }
  | { kind: 'text'; text: string }

export interface Column {
  name: string
  kind: 'number' | 'date' | 'text' | 'empty'
  counts: Record<Value['kind'], number>
  /** Currencies and percent signs with how many cells have each; `''`: none. */
  units: ReadonlyMap<string, number>
  /** Cell that can be read in two ways while nothing in the table says which; else null. */
  open: { cell: string; asks: 'decimal' | 'dates' } | null
  /** Spelling of numbers or dates in the column, where it was found out. */
  reading: string | null
  read(cell: Cell): Value
}

type Parsed = { is: Value } | { number: WrittenNumber } | { day: WrittenDay }

const knownMost = 100_000

/**
 * Reads cells as far as their own spelling goes. Memoized per spelling: tables repeat themselves.
 */
function cellParser(): (cell: Cell) => Parsed {
  const known = new Map<string, Parsed>()
  return (cell) => {
    if (cell === null) return { is: { kind: 'empty' } }
    if (typeof cell === 'number')
      return { is: { kind: 'number', amount: { value: cell, unit: '' } } }
    if (isAmount(cell)) return { is: { kind: 'number', amount: cell } }
    if (isDay(cell)) return { is: { kind: 'date', date: cell.date } }
    const before = known.get(cell)
    if (before !== undefined) return before
    const parsed = parse(cell)
    if (known.size < knownMost) known.set(cell, parsed)
    return parsed
  }
}

function parse(cell: string): Parsed {
  const text = wordsOf(cell)
  if (/^[-–—,.]{0,4}$/.test(text)) return { is: { kind: 'empty' } }
  const number = writtenNumber(text)
  if (number !== null) return { number }
  const day = writtenDay(text)
  return day === null ? { is: { kind: 'text', text } } : { day }
}

/** Spellings that prove how a column, or a whole table, is to be read. */
interface Evidence {
  decimal: Set<DecimalMark>
  dates: Set<DayOrder>
}

function evidenceIn(cells: readonly Parsed[]): Evidence {
  const evidence: Evidence = { decimal: new Set(), dates: new Set() }
  for (const one of cells) {
    if ('number' in one && 'is' in one.number && one.number.mark !== null)
      evidence.decimal.add(one.number.mark)
    if ('day' in one && 'is' in one.day && one.day.order !== null) evidence.dates.add(one.day.order)
  }
  return evidence
}

const onlyOne = <T>(set: ReadonlySet<T>): T | null => {
  const [first] = set
  return set.size === 1 && first !== undefined ? first : null
}

/** Spellings that the rest of a table shows, for columns that do not show theirs. */
export interface TableReading {
  parsed: (cell: Cell) => Parsed
  given: Readings
  /** Evidence of the table's first rows. */
  around: () => Evidence
}

const lookedAt = 5_000

export function tableReading(
  rows: () => readonly (readonly Cell[])[],
  given: Readings,
): TableReading {
  const parsed = cellParser()
  let known: Evidence | null = null
  return {
    parsed,
    given,
    around() {
      known ??= evidenceIn(rows().slice(0, lookedAt).flat().map(parsed))
      return known
    },
  }
}

/** Looks at all cells of a column (C881). */
export function columnOf(name: string, cells: readonly Cell[], table: TableReading): Column {
  const { parsed, given } = table
  const all = cells.map(parsed)
  const own = evidenceIn(all)
  const isOpen = all.some(
    (one) => ('number' in one && 'either' in one.number) || ('day' in one && 'either' in one.day),
  )
  const both = { decimal: own.decimal.size > 1, dates: own.dates.size > 1 }
  const around = isOpen ? table.around() : own
  const decimal =
    given.decimal ?? onlyOne(own.decimal) ?? (both.decimal ? null : onlyOne(around.decimal))
  const dates = given.dates ?? onlyOne(own.dates) ?? (both.dates ? null : onlyOne(around.dates))
  return counted(name, cells, { parsed, all, decimal, dates })
}

interface Settled {
  parsed(cell: Cell): Parsed
  all: readonly Parsed[]
  decimal: DecimalMark | null
  dates: DayOrder | null
}

function counted(name: string, cells: readonly Cell[], settled: Settled): Column {
  const counts = { empty: 0, number: 0, date: 0, text: 0 }
  const units = new Map<string, number>()
  const open = { cell: null as Column['open'] }
  const seen = { decimal: false, dates: false }
  const settle = (one: Parsed, cell: Cell): Value => {
    if ('is' in one) return one.is
    if ('number' in one) {
      if ('is' in one.number) return { kind: 'number', amount: one.number.is }
      seen.decimal = true
      if (settled.decimal !== null)
        return { kind: 'number', amount: one.number.either[settled.decimal] }
      open.cell ??= { cell: wordsOf(cell), asks: 'decimal' }
      return { kind: 'number', amount: one.number.either['.'] }
    }
    if ('is' in one.day) return { kind: 'date', date: one.day.is }
    seen.dates = true
    if (settled.dates !== null) return { kind: 'date', date: one.day.either[settled.dates] }
    open.cell ??= { cell: wordsOf(cell), asks: 'dates' }
    return { kind: 'date', date: one.day.either.day_first }
  }
  const read = (cell: Cell) => settle(settled.parsed(cell), cell)
  settled.all.forEach((one, at) => {
    const value = settle(one, cells[at] ?? null)
    counts[value.kind] += 1
    if (value.kind === 'number')
      units.set(value.amount.unit, (units.get(value.amount.unit) ?? 0) + 1)
  })
  return {
    name,
    kind: kindOf(counts),
    counts,
    units,
    open: open.cell,
    reading: readingOf(settled, seen),
    read,
  }
}

function kindOf({ number, date, text }: Column['counts']): Column['kind'] {
  if (number + date + text === 0) return 'empty'
  if (number >= date && number >= text) return 'number'
  return date >= text ? 'date' : 'text'
}

function readingOf(
  { decimal, dates }: Settled,
  seen: { decimal: boolean; dates: boolean },
): string | null {
  if (seen.decimal && decimal !== null)
    return decimal === ',' ? '“1.234” is read as 1234' : '“1,234” is read as 1234'
  if (!seen.dates || dates === null) return null
  return dates === 'day_first' ? 'dates are day/month' : 'dates are month/day'
}

/** Form in which values are one in groups, joins and comparisons. */
export function keyOf(value: Value): string {
  switch (value.kind) {
    case 'empty':
      return ''
    case 'number':
      return String(value.amount.value)
    case 'date':
      return value.date
    case 'text':
      return sameForm(value.text)
    default:
      return assertNever(value)
  }
}
