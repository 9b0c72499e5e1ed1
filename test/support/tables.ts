import { utils, write } from '@e965/xlsx'

/*
 * Ugly tables: titles, merged and doubled headers, rows of totals, blank lines, notes, several
 * tables in a sheet, numbers and dates as people write them.
 */

const bookOf = (sheets: Record<string, ReturnType<typeof utils.aoa_to_sheet>>): Buffer => {
  const book = utils.book_new()
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name)
  return write(book, { type: 'buffer', bookType: 'xlsx' })
}

/** Two rows of header, merged regions, a total for each and one for all, a note. */
export function salesBook(): Buffer {
  const sheet = utils.aoa_to_sheet([
    ['Sales 2026, all regions'],
    ['in euros'],
    [],
    ['Region', 'Product', 'Q1', null, 'Q2', null, 'Margin'],
    [null, null, 'Jan', 'Feb', 'Apr', 'May', null],
    ['North', 'Desks', 100.1, 200.2, 300.3, 10, 0.125],
    [null, 'Chairs', 50, null, 70, 20, 0.2],
    ['Total North', null, 150.1, 200.2, 370.3, 30, null],
    [],
    ['South', 'Desks', 10, 20, 30, 40, 0.1],
    [null, 'Chairs', 1, 2, 'n/a', 4, 0.3],
    ['Total South', null, 11, 22, 30, 44, null],
    ['Grand total', null, 161.1, 222.2, 400.3, 74, null],
    ['Source: the shops’ own lists'],
  ])
  const merge = (range: string) => utils.decode_range(range)
  sheet['!merges'] = ['A1:G1', 'A4:A5', 'B4:B5', 'C4:D4', 'E4:F4', 'G4:G5', 'A6:A7', 'A10:A11'].map(
    merge,
  )
  for (const row of [6, 7, 10, 11]) {
    for (const column of 'CDEF') {
      const cell = sheet[`${column}${row}`]
      if (cell?.t === 'n') cell.z = '#,##0.00 [$€-407]'
    }
    sheet[`G${row}`].z = '0.0%'
  }
  return bookOf({ Sales: sheet })
}

/** Semicolons, decimal commas, negative numbers in brackets, days first, words among the numbers. */
export const expensesCsv = `Reisekosten 2026;;;

Datum;Art;Betrag;Bemerkung
03.01.2026;Reise;1.234,56 €;
15.01.2026;reise ;65,44 €;Bahn; 
28.02.2026;Hotel;(200,00) €;Gutschrift

01.03.2026;Hotel;1.000,00 €;"drei Nächte;
mit Frühstück"
13.03.2026;Essen;k. A.;fehlt
14.03.2026;Essen;-,;
31.12.2026;Essen;12,5 €;
Summe;;2.112,50 €;
`

/** Two tables below each other and one beside them; prices on a sheet of their own. */
export function stockBook(): Buffer {
  const stock = utils.aoa_to_sheet([
    ['Stock', null, null, null, 'Staff'],
    ['Item', 'Pieces', 'Since', null, 'Name', 'Hours'],
    ['Bolt', 120, new Date(Date.UTC(2026, 0, 31)), null, 'Ana', 38.5],
    ['Nut', 80, new Date(Date.UTC(2026, 1, 1)), null, 'Ben', 20],
    ['BOLT', 30, new Date(Date.UTC(2025, 11, 24)), null, 'Cem', 40],
    [null, 230],
    [],
    ['Orders'],
    ['Order', 'Item', 'Wanted'],
    ['A-1', 'bolt', 10],
    ['A-2', 'nut', 5],
    ['A-3', 'Screw', 7],
    ['A-4', 'bolt', 20],
  ])
  const prices = utils.aoa_to_sheet([
    ['Item', 'Price'],
    ['Bolt', 0.1],
    ['Nut', 0.2],
    ['Washer', 0.05],
  ])
  return bookOf({ Stock: stock, Prices: prices })
}

/** Commas, dollars, months first, regions once for several rows, the header again on each page. */
export const budgetCsv = `\ufeffDept,Owner,Spent,Share of plan,Booked
Sales,"Kim, Jo","$1,234.50",50%,1/5/2026
,Lee,$765.50,12.5 %,01/31/2026
,Mo,"-$1,000.00",7.5%,2/3/2026

Dept,Owner,Spent,Share of plan,Booked
Ops,Ray,"$2,000",30%,2/28/2026
,Sue,TBD,,3/1/2026
`

/** Nothing in it says what 1,234 is, or which day 03/04/2026 is. */
export const doubtfulTsv = 'Site\tOutput\tDay\nEast\t1,234\t03/04/2026\nWest\t2,500\t05/06/2026\n'
