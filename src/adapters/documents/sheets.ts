import { type CellObject, read, utils, type WorkBook } from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Gap, Readable } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'
import { readOffice } from './office.ts'
import { textMost } from './protocol.ts'

/** Largest workbook, unfolded, that is repaired, in bytes. */
const repairedMost = 50 * 1024 * 1024

const options = { dense: true, cellNF: true, cellDates: true, UTC: true, cellHTML: false } as const

/** The cells of a workbook, a line for each row that is not empty, each sheet under its name (C409). */
export async function readSheets(bytes: Uint8Array): Promise<Readable> {
  const book = openBook(withTypes(bytes))
  // One library loses a whole sheet for a part that is missing; the other reads what there is, without formats.
  if (book === null || book.SheetNames.some((name) => book.Sheets[name] === undefined))
    return await readOffice(bytes)
  let text = ''
  const without: string[] = []
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name]
    const rows = sheet?.['!data']
    if (rows === undefined) without.push(name)
    else text += `# ${name}\n${linesOf(rows, textMost - text.length)}`
  }
  const gaps: Gap[] = [{ code: 'sheets_without_cells', items: without }]
  return { title: '', text: tidy(text), gaps }
}

/** Parts that the library finds by their types alone. */
const typedParts = ['styles', 'sharedStrings']

/** The workbook with the types of its parts, where the program that wrote it left them out. */
function withTypes(bytes: Uint8Array): Uint8Array {
  const listed = '[Content_Types].xml'
  let size = 0
  const names: string[] = []
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        names.push(name)
        size += originalSize
        return name === listed
      },
    })
    const types = strFromU8(files[listed] ?? new Uint8Array())
    const missing = typedParts.filter(
      (part) => names.includes(`xl/${part}.xml`) && !types.includes(`${part}+xml`),
    )
    if (missing.length === 0 || types === '' || size > repairedMost) return bytes
    const added = missing.map(
      (part) =>
        `<Override PartName="/xl/${part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml"/>`,
    )
    const whole = unzipSync(bytes)
    whole[listed] = strToU8(types.replace('</Types>', `${added.join('')}</Types>`))
    return zipSync(whole, { level: 0 })
  } catch {
    return bytes
  }
}

/** Null for a workbook that this library does not open at all. */
function openBook(bytes: Uint8Array): WorkBook | null {
  try {
    return read(bytes, options)
  } catch {
    return null
  }
}

/** Rows until there are so many characters. A row without cells is a hole, which `forEach` leaves out. */
function linesOf(rows: readonly (readonly CellObject[])[], most: number): string {
  let text = ''
  rows.forEach((cells, row) => {
    if (text.length > most) return
    const line = lineOf(cells, row)
    if (line !== '') text += `${line}\n`
  })
  return text
}

/** Empty cells in a row that are kept as such; one further away is named by its address instead. */
const emptyMost = 10

function lineOf(cells: readonly CellObject[], row: number): string {
  const shown: string[] = []
  let next = 0
  cells.forEach((cell, column) => {
    const text = tidy(cellText(cell)).replaceAll('\n', ' ')
    if (text === '') return
    const empty = column - next
    if (empty <= emptyMost) shown.push(...new Array<string>(empty).fill(''), text)
    else shown.push(`${utils.encode_cell({ r: row, c: column })}: ${text}`)
    next = column + 1
  })
  return shown.join(' | ')
}

/** The value in a cell as people mean it: errors by their names, all digits of a number, dates as ISO 8601 writes them. */
function cellText({ t: type, v: value, w: shown = '', z: format, c: comments = [] }: CellObject) {
  const notes = comments.map(({ t: note }) => ` [${note}]`).join('')
  if (value instanceof Date) return `${dateText(value, shown, String(format))}${notes}`
  if (type === 'n' && String(format).includes('%')) return `${percent(Number(value))}${notes}`
  return `${type === 'e' || type === 'b' ? shown : String(value ?? '')}${notes}`
}

const percent = (value: number): string => `${Number((value * 100).toPrecision(12))}%`

/** Days before this one carry a time of day alone: Excel counts from here and knows no time zones. */
const firstDay = Date.UTC(1900, 0, 1)

function dateText(date: Date, shown: string, format: string): string {
  if (/\[[hms]+\]/i.test(format)) return shown
  const [day = '', clock = ''] = date.toISOString().split('T')
  const time = clock.slice(0, 8).replace(/:00$/, '')
  if (date.getTime() < firstDay) return time
  return time === '00:00' ? day : `${day} ${time}`
}
