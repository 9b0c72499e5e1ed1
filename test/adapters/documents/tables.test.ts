import upng from 'upng-js'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAttachments } from '../../../src/adapters/attachments.ts'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { KeptDocument } from '../../../src/agent/domain/kept-document.ts'
import { createTablesTool } from '../../../src/agent/tools/tables.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { silent } from '../../support/silent.ts'
import { budgetCsv, doubtfulTsv, expensesCsv, salesBook, stockBook } from '../../support/tables.ts'

const documents = createDocuments({
  clock: createSystemClock(),
  log: silent,
  limits: { timeMs: 120_000 },
})
afterAll(() => documents.stop())

let kept = new Map<string, KeptDocument>()
let saved = new Map<string, string>()
beforeEach(() => {
  kept = new Map()
  saved = new Map()
})

/** Words that a task gets for a file that somebody hands in. */
async function handIn(name: string, content: Buffer | string): Promise<string> {
  const bytes = Buffer.from(content)
  const read = createAttachments({
    platform: 'Chat',
    limits: { files: 2, bytes: 30_000_000 },
    documents,
    download: async () => bytes,
  })
  const files = [{ name, mimetype: '', size: bytes.length, url: name }]
  const event = {
    content: { kind: 'message', text: '', addressed: true, forSomeoneElse: false, files },
  } as InboundEvent
  return await read(event, 'en', AbortSignal.timeout(120_000), undefined, async (document) => {
    kept.set(document.name, { ...document, version: 1, by: 'ana', at: 1 })
    return true
  })
}

const tool = createTablesTool(documents, {
  save: async () => true,
  saved: async () => [...saved].map(([name, text]) => ({ version: 1, name, text, at: 1 })),
  keep: async () => true,
  keptNames: async () => [...kept.keys()],
  kept: async (_, __, name) => kept.get(name) ?? null,
})
type Context = Parameters<typeof tool.run>[1]

async function run(query: Record<string, unknown>) {
  const signal = AbortSignal.timeout(120_000)
  const context = { workspace: 'web:local', conversationId: 'c', locale: 'en', signal } as Context
  return await tool.run(JSON.stringify(query), context)
}
const ask = async (query: Record<string, unknown>) => (await run(query)).text

/** Lines of an answer before its notes. */
const rowsOf = (answer: string): string[] => (answer.split('\n\n')[0] ?? '').split('\n').slice(1)

const sum = (column: string) => ({ of: 'sum', column })
const where = (column: string, is: string, value: string | null = null) => ({ column, is, value })
const by = (column: string, how = 'value') => ({ column, by: how })

const files = {
  'sales.xlsx': salesBook(),
  'kosten.csv': expensesCsv,
  'stock.xlsx': stockBook(),
  'budget.csv': budgetCsv,
  'sites.tsv': doubtfulTsv,
}
const sales = { file: 'sales.xlsx' }
const costs = { file: 'kosten.csv' }
const budget = { file: 'budget.csv' }
const stock = { file: 'stock.xlsx', table: 'Stock' }

const questions: [question: string, query: Record<string, unknown>, rows: string[]][] = [
  ['sales in January', { ...sales, measures: [sum('Q1 / Jan')] }, ['161.1 €']],
  [
    'sales in February by region',
    { ...sales, group: [by('Region')], measures: [sum('Feb')] },
    ['North | 200.2 €', 'South | 22 €'],
  ],
  ['sales in April, where one has no number', { ...sales, measures: [sum('Apr')] }, ['400.3 €']],
  ['mean margin', { ...sales, measures: [{ of: 'average', column: 'Margin' }] }, ['18.125 %']],
  [
    'what desks brought in the first quarter',
    {
      ...sales,
      derive: [{ name: 'first', left: 'Jan', does: 'plus', right: 'Feb' }],
      where: [where('Product', 'equal', 'desks')],
      measures: [sum('first')],
    },
    ['330.3 €'],
  ],
  [
    'share of each product in May',
    {
      ...sales,
      group: [by('Product')],
      measures: [sum('May')],
      afterwards: [{ name: 'share', left: 'sum of May', does: 'share', right: null }],
      sort: { by: 'share', order: 'down' },
    },
    ['Desks | 50 € | 67.5675675676 %', 'Chairs | 24 € | 32.4324324324 %'],
  ],
  ['all costs', { ...costs, measures: [sum('Betrag')] }, ['2112.5 €']],
  [
    'costs by kind, in two spellings',
    { ...costs, group: [by('Art')], measures: [sum('Betrag'), { of: 'count', column: null }] },
    ['Reise | 1300 € | 2', 'Hotel | 800 € | 2', 'Essen | 12.5 € | 3'],
  ],
  [
    'costs by month',
    { ...costs, group: [by('Datum', 'month')], measures: [sum('Betrag')] },
    ['2026-01 | 1300 €', '2026-02 | -200 €', '2026-03 | 1000 €', '2026-12 | 12.5 €'],
  ],
  [
    'costs in the first quarter from February',
    {
      ...costs,
      where: [where('Datum', 'at_least', '2026-02-01'), where('Datum', 'at_most', '2026-03-31')],
      measures: [sum('Betrag')],
    },
    ['800 €'],
  ],
  [
    'the largest cost',
    { ...costs, columns: ['Datum', 'Betrag'], sort: { by: 'Betrag', order: 'down' }, top: 1 },
    ['03.01.2026 | 1.234,56 €'],
  ],
  [
    'entries without a number',
    { ...costs, where: [where('Betrag', 'contains', 'k. a')] },
    ['13.03.2026 | Essen | k. A. | fehlt'],
  ],
  ['pieces in stock', { ...stock, measures: [sum('Pieces')] }, ['230']],
  [
    'items in stock since this year',
    {
      ...stock,
      where: [where('Since', 'at_least', '2026')],
      measures: [{ of: 'different', column: 'Item' }],
    },
    ['2'],
  ],
  [
    'hours of the staff beside it',
    { file: 'stock.xlsx', table: 'Stock 2', measures: [{ of: 'median', column: 'Hours' }] },
    ['38.5'],
  ],
  [
    'pieces ordered below it',
    { file: 'stock.xlsx', table: 'Orders', measures: [sum('Wanted')] },
    ['42'],
  ],
  [
    'value of the orders by the prices of another sheet',
    {
      file: 'stock.xlsx',
      table: 'Orders',
      join: { file: null, table: 'Prices', left: ['Item'], right: ['Item'], unmatched: 'keep' },
      derive: [{ name: 'value', left: 'Wanted', does: 'times', right: 'Price' }],
      group: [by('Item')],
      measures: [sum('value')],
    },
    ['bolt | 3', 'nut | 1', 'Screw | '],
  ],
  [
    'earliest day in stock',
    { ...stock, measures: [{ of: 'smallest', column: 'Since' }] },
    ['2025-12-24'],
  ],
  ['all that was spent', { ...budget, measures: [sum('Spent')] }, ['3000 $']],
  [
    'spent by department, named once for several rows',
    { ...budget, fill_down: ['Dept'], group: [by('Dept')], measures: [sum('Spent')] },
    ['Sales | 1000 $', 'Ops | 2000 $'],
  ],
  [
    'spent by quarter',
    { ...budget, group: [by('Booked', 'month')], measures: [{ of: 'count', column: 'Spent' }] },
    ['2026-01 | 2', '2026-02 | 2', '2026-03 | 1'],
  ],
  ['shares of the plan together', { ...budget, measures: [sum('Share of plan')] }, ['100 %']],
  [
    'above a thousand',
    { ...budget, where: [where('Spent', 'more', '1000')], columns: ['Owner'] },
    ['Kim, Jo', 'Ray'],
  ],
  [
    'output, where people said that the comma groups',
    { file: 'sites.tsv', decimal: 'point', measures: [sum('Output')] },
    ['3734'],
  ],
  [
    'output by month, where people said that the day is first',
    {
      file: 'sites.tsv',
      dates: 'day_first',
      decimal: 'comma',
      group: [by('Day', 'month')],
      measures: [sum('Output')],
    },
    ['2026-04 | 1.234', '2026-06 | 2.5'],
  ],
]

describe('tables that people hand in', () => {
  it.each(questions)('answers over five ugly tables: %s (C880, C882)', async (_, query, rows) => {
    const name = String(query.file) as keyof typeof files
    await handIn(name, files[name])
    expect(rowsOf(await ask(query))).toEqual(rows)
  })

  it.each([
    ['Name;Betrag\nJörg;1,5\nMüller;2,5\n', ['4']],
    ['A;1,5;2,5\nB;3,5;4,5\n', ['5']],
    ['Name|Betrag\nAda|1,5\n', ['1.5']],
    ['Name\tBetrag\nAda\t1,5\n', ['1.5']],
    ['Betrag\n1,5\n2,5\n3,25\n', ['7.25']],
    ['Name,Betrag\nx;y,4\n', ['4']],
    ['Name,Betrag\n"open,4\nBen,5\n', ['9']],
  ])('finds the mark between columns: %j (C980)', async (csv, rows) => {
    await handIn('short.csv', csv)
    const column = csv.includes('Betrag') ? 'Betrag' : 'column B'
    expect(rowsOf(await ask({ file: 'short.csv', measures: [sum(column)] }))).toEqual(rows)
  })

  it('keeps long ids apart (C980)', async () => {
    await handIn('ids.csv', 'id,v\n12345678901234567,2\n12345678901234568,3\n')
    expect(rowsOf(await ask({ file: 'ids.csv', group: [by('id')], measures: [sum('v')] }))).toEqual(
      ['12345678901234567 | 2', '12345678901234568 | 3'],
    )
  })

  it.each([
    ['1/15/2026 3:45 PM', '2/15/2026 12:10:05 am', '1/16/2026 11:59 p.m.'],
    ['2026-01-15T23:00:00+01:00', '2026-02-01 10:00:00 UTC', '2026-01-31 00:00:00,123 +0000'],
    ['5 janvier 2026', '6 février 2026', '1er janv. 2026'],
    ['5 de enero de 2026', '7 de febrero de 2026', '31 ene 2026'],
    ['2026年1月5日 10:30', '2026年2月5日', '2026年1月6日'],
  ])('reads dates with times and in words: %s (C984)', async (...days) => {
    await handIn('days.tsv', `d\tv\n${days.map((day, at) => `${day}\t${2 ** at}`).join('\n')}\n`)
    const query = { file: 'days.tsv', group: [by('d', 'month')], measures: [sum('v')] }
    expect(rowsOf(await ask(query))).toEqual(['2026-01 | 5', '2026-02 | 2'])
  })

  it('says which cells belong to no month (C984)', async () => {
    await handIn('days.csv', 'd,v\n2026-01-05,1\n31.02.2026,2\nunknown,4\n,8\n2026-01-06,16\n')
    const answer = await ask({ file: 'days.csv', group: [by('d', 'month')], measures: [sum('v')] })
    expect(rowsOf(answer)).toEqual(['(no date) | 14', '2026-01 | 17'])
    expect(answer).toContain(
      'd: 3 cells are no dates and stand under “(no date)”: “31.02.2026”, “unknown”.',
    )
  })

  it('tells a model what is in them, and to calculate by the tool alone (C880)', async () => {
    const words = await handIn('sales.xlsx', files['sales.xlsx'])
    expect(words).toContain('comes from the tool tables (file sales.xlsx)')
    expect(words).toContain(
      'Table “Sales” (A4:G14): 4 rows, 3 rows of totals left out. Columns: Region (text); Product (text); Q1 / Jan (number, €); Q1 / Feb (number, €, 1 blank); Q2 / Apr (number, €, 1 with words); Q2 / May (number, €); Margin (number, %).',
    )
  })

  it('says which rows and cells a number leaves out (C880)', async () => {
    await handIn('sales.xlsx', files['sales.xlsx'])
    const answer = await ask({ ...sales, measures: [sum('Feb'), sum('Apr')] })
    expect(answer.split('\n').slice(3)).toEqual([
      'Table “Sales” (A4:G14) has 4 rows.',
      'Left out as rows that sum up others: row 8 “Total North”, row 12 “Total South”, row 13 “Grand total”.',
      'Left out as notes: row 14 “Source: the shops’ own lists”.',
      'Q1 / Feb: 1 of 4 cells are blank and not counted.',
      'Q2 / Apr: 1 cells are no numbers and not counted: “n/a”.',
    ])
  })

  it('asks where a number or a date can be read in two ways (C881)', async () => {
    await handIn('sites.tsv', doubtfulTsv)
    expect(await ask({ file: 'sites.tsv', measures: [sum('Output')] })).toContain(
      '“1,234” can be read in two ways, and nothing in the table says which',
    )
    expect(await ask({ file: 'sites.tsv', group: [by('Day', 'month')], measures: [] })).toContain(
      '“03/04/2026” can be day/month or month/day',
    )
  })

  it('refuses a number over two currencies, and gives it for one of them (C881)', async () => {
    await handIn('mixed.csv', 'Item,Price\nA,€ 10\nB,$ 5\nC,€ 2.50\n')
    const all = { file: 'mixed.csv', measures: [sum('Price')] }
    expect(await ask(all)).toContain('“Price” mixes units (€ 2 times, $ 1 times)')
    expect(rowsOf(await ask({ ...all, where: [where('Price', 'contains', '€')] }))).toEqual([
      '12.5 €',
    ])
  })

  it.each([
    [
      'no column',
      { ...costs, measures: [sum('Preis')] },
      'there is no column “Preis”; there are “Datum”',
    ],
    [
      'no file',
      { file: 'x.csv', measures: [] },
      'there is no file “x.csv”; there are “kosten.csv”',
    ],
    [
      'no field',
      { ...costs, sql: 'drop table' },
      'The fields are not right: ✖ Unrecognized key: "sql"',
    ],
    ['no number', { ...costs, measures: [sum('Art')] }, '“Art” is no column of numbers'],
  ])('takes data and never code, and says what is wrong: %s (S92)', async (_, query, words) => {
    await handIn('kosten.csv', expensesCsv)
    expect(await ask(query)).toContain(words)
  })

  it('calculates over a file that a task saved (C880)', async () => {
    saved.set('venues.csv', 'Venue,Price\nA,10\nB,20.5\n')
    expect(rowsOf(await ask({ file: 'venues.csv', measures: [sum('Price')] }))).toEqual(['30.5'])
  })

  it.each([
    ['bar', { group: [by('Region')], measures: [sum('Feb'), sum('May')] }],
    ['line', { group: [by('Product')], measures: [sum('Feb')] }],
    ['pie', { group: [by('Region')], measures: [sum('May')] }],
  ])('draws a result as a PNG with its numbers as text: %s (C884)', async (kind, query) => {
    await handIn('sales.xlsx', files['sales.xlsx'])
    const { ok, files: made = [] } = await run({
      ...sales,
      ...query,
      chart: { kind, title: 'Umsatz 2026' },
    })
    expect(ok).toBe(true)
    const [file] = made
    expect(file).toMatchObject({ name: 'Umsatz-2026.png', type: 'image/png' })
    const { width, data } = upng.decode(
      new Uint8Array(Buffer.from(file?.base64 ?? '', 'base64')).buffer,
    )
    expect(width).toBe(960)
    // Blue of the first bar, line or slice.
    expect(Buffer.from(data).includes(Buffer.from([0x00, 0x72, 0xb2, 0xff]))).toBe(true)
    expect(file?.alt).toMatch(/chart: Umsatz 2026 \(sum of .*\)\. (?:North|Desks) /)
  })

  it('numbers names in a chart that its font lacks, and says what they mean (C884)', async () => {
    await handIn('cities.csv', 'City,People\n北京,22\nLyon,0.5\n')
    const { files: made } = await run({ file: 'cities.csv', chart: { kind: 'bar', title: '人口' } })
    expect(made?.[0]?.alt).toBe('Bar chart: 人口 (People). 北京 22; Lyon 0.5. 1 = 北京')
  })

  it('says what a chart cannot show (C884)', async () => {
    await handIn('kosten.csv', expensesCsv)
    const pie = { kind: 'pie', title: 'x' }
    const query = { ...costs, group: [by('Datum', 'month')], measures: [sum('Betrag')] }
    expect(await ask({ ...query, chart: pie })).toContain('no number below zero')
  })

  it('calculates over 100,000 rows, and shows as many as a model reads (C883)', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => `${n},shop ${n % 700},${n % 10}.25`)
    await handIn('big.csv', `No,Shop,Sum\n${rows.join('\n')}\n`)
    const query = { file: 'big.csv', group: [by('Shop')], measures: [sum('Sum')] }
    expect(rowsOf(await ask({ file: 'big.csv', measures: [sum('Sum')] }))).toEqual(['475000'])
    const shown = rowsOf(await ask(query))
    expect(shown).toHaveLength(61)
    expect(shown.at(-1)).toBe(
      '[640 more rows are not shown: group, add conditions, or sort and take the top.]',
    )
  }, 120_000)
})
