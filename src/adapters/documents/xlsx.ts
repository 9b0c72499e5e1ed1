import readSheets, { type CellValue } from 'read-excel-file/node'
import type { Readable } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'
import { textMost } from './protocol.ts'

/** The cells of a workbook, a line for each row that is not empty, each sheet under its name. */
export async function readXlsx(bytes: Uint8Array): Promise<Readable> {
  const sheets = await readSheets(Buffer.from(bytes))
  let text = ''
  for (const { sheet, data } of sheets) {
    text += `# ${sheet}\n`
    for (const row of data) {
      if (text.length > textMost) break
      const cells = row.map(cellText)
      if (cells.some((cell) => cell !== '')) text += `${cells.join(' | ')}\n`
    }
  }
  return { title: '', text: tidy(text) }
}

function cellText(cell: CellValue | null): string {
  // Excel knows no time zones: a date is a day, or a day and a time of day.
  if (cell instanceof Date)
    return cell.toISOString().slice(0, 16).replace('T00:00', '').replace('T', ' ')
  return cell === null ? '' : tidy(String(cell)).replaceAll('\n', ' ')
}
