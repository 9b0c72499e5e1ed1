import { type CellObject, type Range, read, utils, type WorkBook } from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import type { Gap, Readable } from '../../agent/domain/document.ts'
import { textMost } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'
import { readOffice } from './office.ts'
import { inSections, type Part } from './sections.ts'
import type { Cell, Merge, Sheet } from './tables/cells.ts'
import { withTables } from './tables/outline.ts'

/** Largest workbook that is repaired, unpacked, in bytes. */
const repairedMost = 50 * 1024 * 1024

/** `sheetStubs` keeps formulas without a result. */
const options = {
  dense: true,
  cellNF: true,
  cellDates: true,
  UTC: true,
  cellHTML: false,
  sheetStubs: true,
} as const

/** Reads a workbook: a line for each row that is not empty, each sheet under its name (C409). */
export async function readSheets(bytes: Uint8Array): Promise<Readable> {
  const book = openBook(withTypes(bytes))
  // The first library loses a whole sheet if one of its parts is missing. The fallback reads the
  // rest, without formats.
  if (book === null || book.SheetNames.some((name) => book.Sheets[name] === undefined))
    return await readOffice(bytes)
  const parts: Part[] = []
  const sheets: Sheet[] = []
  let length = 0
  const without: string[] = []
  for (const name of book.SheetNames) {
    const sheet = book.Sheets[name]
    const rows = sheet?.['!data']
    if (rows === undefined) without.push(name)
    else {
      const text = `# ${name}\n${linesOf(rows, textMost - length)}`
      parts.push({ name: `sheet ${name}`, text })
      length += text.length
      sheets.push({ name, rows: cellsOf(rows), merges: mergesOf(sheet?.['!merges']) })
    }
  }
  const gaps: Gap[] = [
    { code: 'sheets_without_cells', items: without },
    { code: 'formulas_without_results', items: withoutResults(book) },
  ]
  return withTables({ title: '', ...inSections(parts), gaps }, sheets)
}

/** Addresses of formulas whose results a program did not save. */
const withoutResults = ({ SheetNames: names, Sheets: sheets }: WorkBook): string[] =>
  names.flatMap((name) =>
    (sheets[name]?.['!data'] ?? []).flatMap((cells, r) =>
      cells.flatMap((cell, c) =>
        cell.t === 'z' && cell.f !== undefined ? [`${name}!${utils.encode_cell({ r, c })}`] : [],
      ),
    ),
  )

/** Cells as calculations take them. A row without cells is a hole in the array. */
const cellsOf = (rows: readonly (readonly CellObject[])[]) =>
  Array.from(rows, (cells) => Array.from(cells ?? [], cellOf))

function cellOf(cell: CellObject | undefined): Cell {
  if (cell === undefined) return null
  const { t: type, v: value, w: shown = '', z: format } = cell
  const asText = () => {
    const text = tidy(cellText({ ...cell, c: [] })).replaceAll('\n', ' ')
    return text === '' ? null : text
  }
  if (value instanceof Date) {
    const text = dateText(value, shown, String(format))
    return /^\d{4}-/.test(text) ? { date: text } : asText()
  }
  if (type !== 'n' || typeof value !== 'number') return asText()
  if (isCode(String(format))) return shown
  const unit = unitIn(String(format))
  return unit === '' ? value : { value, unit }
}

/** True for the format of a number that is no amount, such as `00000` or `(000) 000-0000`. */
const isCode = (format: string) => {
  const [first = ''] = format.split(';', 1)
  return first.split('0').length > 2 && !/[#?.,%]/.test(first)
}

/** Currency or percent sign of a format, such as `#,##0.00 [$€-407]`. */
function unitIn(format: string): string {
  if (format.includes('%')) return '%'
  const sign = /\[\$([^\]-]{1,5})(?:-[^\]]{0,12})?\]/.exec(format)?.[1]
  return sign ?? /\p{Sc}|(?<=")[A-Z]{3}(?=")/u.exec(format)?.[0] ?? ''
}

const mergesOf = (ranges: readonly Range[] = []): Merge[] =>
  ranges.map(({ s, e }) => ({
    from: { row: s.r, column: s.c },
    to: { row: e.r, column: e.c },
  }))

/** Parts that the library finds only by their content types. */
const typedParts = ['styles', 'sharedStrings']

/** Adds missing content types of the parts to a workbook. */
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

/** Opens a workbook, or returns `null` if the library cannot. */
function openBook(bytes: Uint8Array): WorkBook | null {
  try {
    return read(bytes, options)
  } catch {
    return null
  }
}

/**
 * Renders rows until the text exceeds `most` characters. A row without cells is a hole in the
 * array, which `forEach` skips.
 */
function linesOf(rows: readonly (readonly CellObject[])[], most: number): string {
  let text = ''
  rows.forEach((cells, row) => {
    if (text.length > most) return
    const line = lineOf(cells, row)
    if (line !== '') text += `${line}\n`
  })
  return text
}

/**
 * Longest gap of empty cells that is kept. After a longer gap, the cell's address is given instead.
 */
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

/**
 * Renders a cell's value for people: errors by name, numbers with all digits and their currency,
 * dates in ISO 8601, a formula without a result as it is.
 */
function cellText(cell: CellObject) {
  const { t: type, v: value, w: shown = '', z: format, f: formula, c: comments = [] } = cell
  const notes = comments.map(({ t: note }) => ` [${note}]`).join('')
  if (value instanceof Date) return `${dateText(value, shown, String(format))}${notes}`
  if (type === 'z') return formula === undefined ? notes.trim() : `=${formula}${notes}`
  if (type === 'n') return `${numberText(Number(value), shown, String(format))}${notes}`
  return `${type === 'e' || type === 'b' ? shown : String(value ?? '')}${notes}`
}

function numberText(value: number, shown: string, format: string): string {
  if (format.includes('%')) return percent(value)
  if (isCode(format)) return shown
  const unit = unitIn(format)
  // Excel computes with 15 digits; more of them are dust.
  const digits = String(Number(value.toPrecision(15)))
  return unit === '' ? digits : `${digits} ${unit}`
}

const percent = (value: number) => `${Number((value * 100).toPrecision(12))}%`

/**
 * First day of Excel's calendar, which has no time zones. A date before it is only a time of day.
 */
const firstDay = Date.UTC(1900, 0, 1)

function dateText(date: Date, shown: string, format: string): string {
  if (/\[[hms]+\]/i.test(format)) return shown
  const [day = '', clock = ''] = date.toISOString().split('T')
  const time = clock.slice(0, 8).replace(/:00$/, '')
  if (date.getTime() < firstDay) return time
  return time === '00:00' ? day : `${day} ${time}`
}
