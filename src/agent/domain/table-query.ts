import { z } from 'zod'

/*
 * A calculation over tables, as data (S92). Every field has to be there, as strict function calling
 * wants it; null: nothing is said.
 */

const column = z.string().describe('Name of a column, as the table has it.')

const Condition = z.strictObject({
  column,
  is: z.enum([
    'equal',
    'not_equal',
    'contains',
    'more',
    'at_least',
    'less',
    'at_most',
    'empty',
    'filled',
  ]),
  value: z.string().nullable().describe('1234.5 or 2026-11-27 or words.'),
})

const Group = z.strictObject({
  column,
  by: z.enum(['value', 'day', 'month', 'quarter', 'year']),
})

const Measure = z.strictObject({
  of: z.enum(['count', 'sum', 'average', 'median', 'smallest', 'largest', 'different']),
  column: z.string().nullable().describe('Null: count rows.'),
})

/** New column from two others, or a column and a number. `share`: of the column's sum. */
const Derived = z.strictObject({
  name: z.string(),
  left: z.string(),
  does: z.enum(['plus', 'minus', 'times', 'divided_by', 'share']),
  right: z.string().nullable().describe('A column or a number.'),
})

const Join = z.strictObject({
  file: z.string().nullable(),
  table: z.string().nullable(),
  left: z.array(z.string()).describe('Columns here.'),
  right: z.array(z.string()).describe('Columns there, in the same order.'),
  unmatched: z.enum(['keep', 'drop']),
})

const Chart = z.strictObject({
  kind: z.enum(['bar', 'line', 'pie']),
  title: z.string(),
})

export const TableQuery = z.strictObject({
  file: z.string(),
  table: z.string().nullable().describe('Null where the file has one.'),
  fill_down: z.array(z.string()).nullable().describe('Columns where blank repeats the cell above.'),
  join: Join.nullable(),
  derive: z.array(Derived).nullable().describe('Per row.'),
  where: z.array(Condition).nullable().describe('All hold.'),
  group: z.array(Group).nullable(),
  measures: z.array(Measure).nullable().describe('Null: rows.'),
  afterwards: z.array(Derived).nullable().describe('Of results, by names such as “sum of Amount”.'),
  columns: z.array(z.string()).nullable().describe('To show of rows; null: all.'),
  sort: z.strictObject({ by: z.string(), order: z.enum(['up', 'down']) }).nullable(),
  top: z.number().nullable(),
  chart: Chart.nullable().describe('A picture of the result, shown in the thread.'),
  totals_rows: z.enum(['leave_out', 'count']).nullable(),
  decimal: z.enum(['comma', 'point']).nullable(),
  dates: z.enum(['day_first', 'month_first']).nullable(),
})
export type TableQuery = z.infer<typeof TableQuery>
export type Measure = z.infer<typeof Measure>
export type Condition = z.infer<typeof Condition>
export type Derived = z.infer<typeof Derived>
export type Chart = z.infer<typeof Chart>
export type Group = z.infer<typeof Group>

const empty = Object.fromEntries(Object.keys(TableQuery.shape).map((name) => [name, null]))

/** Reads a query; fields that are not there are null. Returns the error in words if it is none. */
export function readTableQuery(given: unknown): TableQuery | string {
  const found = TableQuery.safeParse(
    typeof given === 'object' && given !== null ? { ...empty, ...given } : given,
  )
  return found.success ? found.data : z.prettifyError(found.error)
}
