import { fsum, group as grouped, max, median, min } from 'd3-array'
import { assertNever } from '../../../agent/domain/assert.ts'
import type {
  Condition,
  Derived,
  Group,
  Measure,
  TableQuery,
} from '../../../agent/domain/table-query.ts'
import type { TableSource } from '../../../agent/ports/tables.ts'
import { type Amount, amountInWords, type Cell, isAmount, sameForm, wordsOf } from './cells.ts'
import { type Column, keyOf, type Value } from './columns.ts'
import { column, type Frame, frameOf, indexOf, note, Unusable } from './frame.ts'
import { writtenNumber } from './numbers.ts'

/** Result of a calculation: a small table, and what has to be said of it. */
export interface Result {
  columns: string[]
  rows: Cell[][]
  notes: string[]
}

/** Calculates what a query asks for (C880). @throws {Unusable} if it cannot. */
export function compute(sources: readonly TableSource[], query: TableQuery): Result {
  const frame = frameOf(sources, query)
  for (const one of query.derive ?? []) derive(frame, one)
  filter(frame, query.where ?? [])
  const result =
    query.measures === null && query.group === null
      ? chosen(frame, query.columns)
      : measured(frame, query.group ?? [], query.measures ?? [{ of: 'count', column: null }])
  for (const one of query.afterwards ?? []) derive(result, one)
  sort(result, query)
  if (query.top !== null && query.top < result.rows.length) {
    note(result, `Of ${result.rows.length} rows the first ${query.top} are shown.`)
    result.rows = result.rows.slice(0, Math.max(0, query.top))
  }
  if (query.chart !== null) asNumbers(result)
  return { columns: result.columns, rows: result.rows.map((row) => [...row]), notes: result.notes }
}

/** Reads the numbers that people wrote in a result, for a chart. */
function asNumbers(result: Frame) {
  for (const name of result.columns.slice(1)) {
    const { at, read, kind } = column(result, name)
    if (kind === 'number')
      result.rows = result.rows.map((row) => row.with(at, numberIn(read, row[at])))
  }
}

const numberIn = (read: Column['read'], cell: Cell | undefined): Amount | null => {
  const value = read(cell ?? null)
  return value.kind === 'number' ? value.amount : null
}

/** Adds a column that is worked out row by row. */
function derive(frame: Frame, { name, left, does, right }: Derived) {
  const first = operand(frame, left)
  const second = right === null ? null : operand(frame, right)
  if (does !== 'share' && second === null)
    throw new Unusable(`“${name}” needs a right side: a column or a number`)
  const whole = does === 'share' ? sumOf(frame.rows.map(first)) : 0
  let missing = 0
  const rows = frame.rows.map((row) => {
    const a = first(row)
    const b = does === 'share' ? { value: whole, unit: '' } : (second?.(row) ?? null)
    const cell = a === null || b === null ? null : calculated(a, does, b)
    if (cell === null) missing += 1
    return [...row, cell]
  })
  if (missing > 0) note(frame, `${name}: ${missing} rows have none, since a number is missing.`)
  frame.columns = [...frame.columns, name]
  frame.rows = rows
}

const sumOf = (amounts: readonly (Amount | null)[]) => fsum(amounts.map((one) => one?.value ?? 0))

function operand(frame: Frame, name: string): (row: readonly Cell[]) => Amount | null {
  const isColumn = frame.columns.some((one) => sameForm(one) === sameForm(name))
  const written = isColumn ? null : pointed(name)
  if (written !== null) return () => written
  const { at, read } = column(frame, name)
  return (row) => numberIn(read, row[at])
}

/** Number of a query, whose decimal mark is a point. */
function pointed(text: string): Amount | null {
  const written = writtenNumber(text)
  if (written === null) return null
  return 'is' in written ? written.is : written.either['.']
}

function calculated(a: Amount, does: Derived['does'], b: Amount): Amount | null {
  const isSame = a.unit === b.unit || a.unit === '' || b.unit === ''
  switch (does) {
    case 'plus':
    case 'minus': {
      if (!isSame) return null
      const value = does === 'plus' ? fsum([a.value, b.value]) : fsum([a.value, -b.value])
      return { value, unit: a.unit || b.unit }
    }
    case 'times': {
      const units = [a.unit, b.unit].filter((unit) => unit !== '' && unit !== '%')
      return units.length > 1 ? null : { value: a.value * b.value, unit: units[0] ?? '' }
    }
    case 'divided_by': {
      const unit = a.unit === b.unit ? '' : a.unit
      return b.value === 0 ? null : { value: a.value / b.value, unit }
    }
    case 'share':
      return b.value === 0 ? null : { value: a.value / b.value, unit: '%' }
    default:
      return assertNever(does)
  }
}

function filter(frame: Frame, conditions: readonly Condition[]) {
  if (conditions.length === 0) return
  const before = frame.rows.length
  const tests = conditions.map((one) => testOf(frame, one))
  frame.rows = frame.rows.filter((row) => tests.every((test) => test(row)))
  note(frame, `${frame.rows.length} of ${before} rows meet the conditions.`)
}

function testOf(frame: Frame, { column: name, is, value }: Condition) {
  if (is === 'empty' || is === 'filled' || is === 'contains') {
    const at = indexOf(frame, name)
    const wanted = sameForm(value ?? '')
    const words = (row: readonly Cell[]) => sameForm(wordsOf(row[at] ?? null))
    if (is === 'contains') return (row: readonly Cell[]) => words(row).includes(wanted)
    return (row: readonly Cell[]) => (words(row) === '') === (is === 'empty')
  }
  const { at, read, kind } = column(frame, name)
  const number = kind === 'number' ? pointed(value ?? '') : null
  const compare = (found: Value): number | null => {
    if (found.kind === 'number' && number !== null) return found.amount.value - number.value
    if (found.kind === 'date') return found.date.slice(0, value?.length).localeCompare(value ?? '')
    return keyOf(found) === sameForm(value ?? '') ? 0 : null
  }
  const isOrdered = is !== 'equal' && is !== 'not_equal'
  if (isOrdered && (kind === 'text' || (kind === 'number' && number === null)))
    throw new Unusable(`“${name}” cannot be compared with “${value ?? ''}” by size`)
  return (row: readonly Cell[]) => holds(is, compare(read(row[at] ?? null)))
}

/**
 * Tests by the difference of a cell and a value; a cell that cannot be compared meets none of them.
 */
const comparisons = {
  equal: (difference: number) => Math.abs(difference) < 1e-9,
  more: (difference: number) => difference > 0,
  at_least: (difference: number) => difference >= 0,
  less: (difference: number) => difference < 0,
  at_most: (difference: number) => difference <= 0,
}

function holds(is: keyof typeof comparisons | 'not_equal', difference: number | null): boolean {
  if (is === 'not_equal') return difference === null || !comparisons.equal(difference)
  return difference !== null && comparisons[is](difference)
}

function chosen(frame: Frame, names: readonly string[] | null): Frame {
  if (names === null) return { ...frame }
  const places = names.map((name) => indexOf(frame, name))
  return {
    ...frame,
    columns: places.map((at) => frame.columns[at] ?? ''),
    rows: frame.rows.map((row) => places.map((at) => row[at] ?? null)),
  }
}

/** Rows put together by what they have in common, with numbers over each group. */
function measured(frame: Frame, groups: readonly Group[], measures: readonly Measure[]): Frame {
  const parts = groups.map((one) => partOf(frame, one))
  const byKey = grouped(frame.rows, (row) => parts.map(({ key }) => key(row)).join('\u0000'))
  const measuredBy = measures.map((one) => figureOf(frame, one))
  const sets = byKey.size === 0 && groups.length === 0 ? [[]] : [...byKey.values()]
  const rows = sets.map((set) => {
    const [first = []] = set
    return [...parts.map(({ label }) => label(first)), ...measuredBy.map(({ over }) => over(set))]
  })
  const isTimed = groups.map(({ by }) => by !== 'value').indexOf(true)
  if (isTimed !== -1)
    rows.sort((a, b) => wordsOf(a[isTimed] ?? null).localeCompare(wordsOf(b[isTimed] ?? null)))
  for (const { said } of parts) said()
  for (const { said } of measuredBy) said()
  return {
    ...frame,
    columns: [...parts.map(({ name }) => name), ...measuredBy.map(({ name }) => name)],
    rows,
  }
}

const blank = '(blank)'
const undated = '(no date)'
const spellingsMost = 6

function partOf(frame: Frame, { column: name, by }: Group) {
  const { at, read, kind, name: own } = column(frame, name)
  if (by !== 'value' && kind !== 'date') throw new Unusable(`“${own}” has no dates to group by`)
  const spellings = new Map<string, Set<string>>()
  const key = (row: readonly Cell[]) => {
    const value = read(row[at] ?? null)
    if (by !== 'value') return value.kind === 'date' ? period(value.date, by) : ''
    const found = keyOf(value)
    if (value.kind === 'text')
      spellings.set(found, (spellings.get(found) ?? new Set()).add(value.text))
    return found
  }
  return {
    name: by === 'value' ? name : `${name} (${by})`,
    key,
    label(row: readonly Cell[]): Cell {
      if (by !== 'value') return key(row) || undated
      const cell = row[at] ?? null
      return read(cell).kind === 'empty' ? blank : cell
    },
    said() {
      if (by !== 'value')
        saysUndated(
          frame,
          own,
          frame.rows.map((row) => read(row[at] ?? null)),
        )
      const several = [...spellings.values()].filter(({ size }) => size > 1).slice(0, spellingsMost)
      for (const one of several)
        note(
          frame,
          `${own}: counted as one: ${[...one]
            .slice(0, 4)
            .map((text) => `“${text}”`)
            .join(', ')}.`,
        )
    },
  }
}

function period(date: string, by: Exclude<Group['by'], 'value'>): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-')
  switch (by) {
    case 'year':
      return year
    case 'quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`
    case 'month':
      return `${year}-${month}`
    case 'day':
      return `${year}-${month}-${day}`
    default:
      return assertNever(by)
  }
}

/** A number over the rows of a group, and what has to be said of the cells that it left out. */
function figureOf(frame: Frame, { of, column: name }: Measure) {
  if (name === null) {
    if (of !== 'count') throw new Unusable(`“${of}” needs a column`)
    return { name: 'rows', over: (rows: Rows): Cell => rows.length, said: () => {} }
  }
  const found = column(frame, name)
  const { at, read } = found
  const values = (rows: Rows) => rows.map((row) => read(row[at] ?? null))
  const title = `${of} of ${name}`
  if (of === 'count' || of === 'different') {
    const filled = (rows: Rows) => values(rows).filter(({ kind }) => kind !== 'empty')
    const over = (rows: Rows): Cell =>
      of === 'count' ? filled(rows).length : new Set(filled(rows).map(keyOf)).size
    return { name: title, over, said: () => saysBlank(frame, found, values(frame.rows)) }
  }
  const isDated = found.kind === 'date' && (of === 'smallest' || of === 'largest')
  if (isDated)
    return { name: title, over: (rows: Rows) => extreme(values(rows), of), said: () => {} }
  if (found.kind !== 'number') throw new Unusable(`“${found.name}” is no column of numbers`)
  const unit = unitOf(found.name, values(frame.rows))
  return {
    name: title,
    over(rows: Rows): Cell {
      const numbers = values(rows).flatMap((one) =>
        one.kind === 'number' ? [one.amount.value] : [],
      )
      const value = numbers.length === 0 ? null : figures[of](numbers)
      return value === null ? null : { value, unit }
    },
    said: () => saysBlank(frame, found, values(frame.rows)),
  }
}

type Rows = readonly (readonly Cell[])[]

function extreme(values: readonly Value[], of: 'smallest' | 'largest'): Cell {
  const dates = values.flatMap((one) => (one.kind === 'date' ? [one.date] : [])).sort()
  const date = of === 'smallest' ? dates[0] : dates.at(-1)
  return date === undefined ? null : { date }
}

const figures = {
  sum: fsum,
  average: (numbers: readonly number[]) => fsum(numbers) / numbers.length,
  median: (numbers: readonly number[]) => median(numbers) ?? null,
  smallest: (numbers: readonly number[]) => min(numbers) ?? null,
  largest: (numbers: readonly number[]) => max(numbers) ?? null,
}

/** The one currency of numbers, or the percent sign. */
function unitOf(name: string, values: readonly Value[]): string {
  const units = new Map<string, number>()
  for (const one of values)
    if (one.kind === 'number') units.set(one.amount.unit, (units.get(one.amount.unit) ?? 0) + 1)
  const signed = [...units].filter(([unit]) => unit !== '')
  const isMixed = signed.length > 1 || (units.has('%') && units.size > 1)
  if (isMixed) {
    const counts = [...units].map(([unit, count]) => `${unit || 'no sign'} ${count} times`)
    throw new Unusable(
      `“${name}” mixes units (${counts.join(', ')}), so no number over all of it is right: take those of one with a condition, such as contains “${signed[0]?.[0]}”`,
    )
  }
  return signed[0]?.[0] ?? ''
}

const examplesOf = (values: readonly Value[]): string =>
  [...new Set(values.map((one) => (one.kind === 'text' ? one.text : keyOf(one))))]
    .slice(0, 4)
    .map((text) => `“${text.slice(0, 40)}”`)
    .join(', ')

/** Says which cells belong to no period. */
function saysUndated(frame: Frame, name: string, values: readonly Value[]) {
  const others = values.filter(({ kind }) => kind !== 'date')
  const written = examplesOf(others.filter(({ kind }) => kind !== 'empty'))
  if (others.length > 0)
    note(
      frame,
      `${name}: ${others.length} cells are no dates and stand under “${undated}”${written === '' ? '' : `: ${written}`}.`,
    )
}

/** Says which cells a number does not count. */
function saysBlank(frame: Frame, { name, kind }: Column, values: readonly Value[]) {
  const blanks = values.filter((one) => one.kind === 'empty').length
  const others = values.filter((one) => one.kind !== 'empty' && one.kind !== kind)
  if (blanks > 0)
    note(frame, `${name}: ${blanks} of ${values.length} cells are blank and not counted.`)
  if (others.length > 0 && kind === 'number')
    note(
      frame,
      `${name}: ${others.length} cells are no numbers and not counted: ${examplesOf(others)}.`,
    )
}

function sort(frame: Frame, { sort: asked }: TableQuery) {
  if (asked === null) return
  const { at, read, kind } = column(frame, asked.by)
  const sign = asked.order === 'up' ? 1 : -1
  const values = new Map(frame.rows.map((row) => [row, read(row[at] ?? null)]))
  const compare = (a: Value | undefined, b: Value | undefined) => {
    const isLast = (value: Value | undefined) => value === undefined || value.kind !== kind
    if (isLast(a) || isLast(b)) return Number(isLast(a)) - Number(isLast(b))
    if (a?.kind === 'number' && b?.kind === 'number')
      return (a.amount.value - b.amount.value) * sign
    const [one = '', other = ''] = [a, b].map((value) => (value === undefined ? '' : keyOf(value)))
    return one.localeCompare(other, 'en', { numeric: true }) * sign
  }
  frame.rows = [...frame.rows].sort((a, b) => compare(values.get(a), values.get(b)))
}

const rowsMost = 60
const cellMost = 80
const textMost = 7_000

/** Result as lines for the model, at most as many as it reads at once. */
export function inWords({ columns, rows, notes }: Result): string {
  const cell = (one: Cell | undefined) =>
    (isAmount(one ?? null) ? amountInWords(one as Amount) : wordsOf(one ?? null))
      .slice(0, cellMost)
      .replaceAll('|', '/')
  const lines: string[] = []
  let length = 0
  for (const row of rows.slice(0, rowsMost)) {
    const line = columns.map((_, at) => cell(row[at])).join(' | ')
    length += line.length
    if (length > textMost) break
    lines.push(line)
  }
  const left = rows.length - lines.length
  const rest =
    left === 0
      ? []
      : [`[${left} more rows are not shown: group, add conditions, or sort and take the top.]`]
  return [columns.join(' | '), ...lines, ...rest, '', ...notes].join('\n')
}
