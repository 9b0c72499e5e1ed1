import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Readable } from '../../agent/domain/document.ts'
import { certainText } from '../../agent/domain/text-bytes.ts'
import { tidy as tidied } from '../../agent/tools/fetch/tidy.ts'
import type { Cell, Merge, Sheet } from './tables/cells.ts'
import { withTables } from './tables/outline.ts'

const blocks =
  'p, br, li, dt, dd, tr, pre, blockquote, div, section, article, header, h1, h2, h3, h4, h5, h6'

/** Private characters that stand for blanks of `pre`, which are kept (C983). */
const kept = { ' ': '\ue000', '\t': '\ue001' }

/** Text with single blanks outside of `pre`. */
const tidy = (text: string): string =>
  tidied(text).replaceAll(kept[' '], ' ').replaceAll(kept['\t'], '\t')

/** Longest page, in characters; the rest of a longer one is dropped. */
const longest = 1_500_000

/**
 * Reads a web page: its main part by Mozilla's Readability, or all of its text if no part stands
 * out. Scripts never run.
 */
export async function readHtml(bytes: Uint8Array): Promise<Readable> {
  const { text } = certainText(bytes) ?? (await import('./text.ts')).readText(bytes)
  const document = documentOf(text)
  const title = tidy(document.querySelector('title')?.textContent ?? '')
  const sheets = sheetsIn(document)
  const whole = textOf(document)
  // linkedom's document has all that Readability uses, but not every member of a browser's.
  const article = new Readability(document as unknown as Document, { charThreshold: 200 }).parse()
  const main = tidy(article?.textContent ?? '')
  const readable = { title: tidy(article?.title ?? '') || title, text: main === '' ? whole : main }
  return sheets.length === 0 ? readable : withTables(readable, sheets)
}

/** Tables of a page that are read; cells that one cell takes, in each direction. */
const most = { tables: 50, span: 100 }

/** Tables that hold data: they have headers or several rows, and no table in them. */
function sheetsIn(document: Document): Sheet[] {
  return [...document.querySelectorAll('table')]
    .filter((table) => table.querySelector('table') === null)
    .filter(
      (table) => table.querySelector('th') !== null || table.querySelectorAll('tr').length > 2,
    )
    .slice(0, most.tables)
    .map((table, at) => sheetOf(table, at + 1))
}

function sheetOf(table: Element, number: number): Sheet {
  const rows: (Cell | undefined)[][] = []
  const merges: Merge[] = []
  const lines = [...table.querySelectorAll('tr')]
  lines.forEach((line, row) => {
    let column = 0
    for (const cell of line.querySelectorAll('td, th')) {
      while (rows[row]?.[column] !== undefined) column += 1
      const text = tidy(cell.textContent ?? '').replaceAll('\n', ' ')
      const to = {
        row: Math.min(row + spanOf(cell, 'rowspan'), lines.length) - 1,
        column: column + spanOf(cell, 'colspan') - 1,
      }
      for (let r = row; r <= to.row; r += 1) {
        rows[r] ??= []
        for (let c = column; c <= to.column; c += 1) rows[r]?.splice(c, 1, null)
      }
      rows[row]?.splice(column, 1, text === '' ? null : text)
      if (to.row > row || to.column > column) merges.push({ from: { row, column }, to })
      column = to.column + 1
    }
  })
  const caption = tidy(table.querySelector('caption')?.textContent ?? '').slice(0, 80)
  const cells = Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell ?? null))
  return { name: caption || `table ${number}`, rows: cells, merges }
}

const spanOf = (cell: Element, name: 'rowspan' | 'colspan') =>
  Math.min(Math.max(1, Number(cell.getAttribute(name)) || 1), most.span)

/** Returns the text of HTML that one of our libraries wrote. */
export const textOfHtml = (html: string): string => textOf(documentOf(html))

/**
 * Parses a page. Adds `html`, `head` and `body` if they are missing, since `linkedom` reads nothing
 * without them.
 */
function documentOf(html: string): Document {
  const body = html
    .slice(0, longest)
    .replace(/<[!/?]?(?:doctype|xml|html|head|body|frameset|noframes)(?:[\s/][^<>]*)?>/gi, ' ')
  const page = `<!doctype html><html><head></head><body>${body}</body></html>`
  const { document } = parseHTML(page)
  for (const code of document.querySelectorAll('pre')) keepBlanks(code)
  return document
}

/** Nodes that are text, in the DOM's numbers. */
const textNode = 3

function keepBlanks(node: Node): void {
  if (node.nodeType === textNode)
    node.textContent = (node.textContent ?? '')
      .replaceAll(' ', kept[' '])
      .replaceAll('\t', kept['\t'])
  for (const child of [...node.childNodes]) keepBlanks(child)
}

/** Returns a document's text. Inserts line breaks around blocks, since minified pages have none. */
function textOf(document: Document): string {
  for (const element of document.querySelectorAll('title, script, style, noscript, template, svg'))
    element.remove()
  for (const block of document.querySelectorAll(blocks)) {
    block.before('\n')
    block.after('\n')
  }
  for (const cell of document.querySelectorAll('td, th')) cell.after(' ')
  return tidy(document.body?.textContent ?? '')
}
