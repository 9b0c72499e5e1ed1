import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, expect, it } from 'vitest'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { Document } from '../../../src/agent/ports/documents.ts'
import { createSystemClock } from '../../../src/clock.ts'
import {
  bomb,
  docx,
  docxHead,
  docxTail,
  pdf,
  sheetHead,
  sheetTail,
  xlsx,
} from '../../support/office.ts'
import { timeOf, waitedFor } from '../../support/processor-time.ts'
import { silent } from '../../support/silent.ts'

const noAbort = new AbortController().signal
const patient = createDocuments({
  clock: createSystemClock(),
  log: silent,
  limits: { timeMs: 600 },
})
afterAll(() => patient.stop())

const html = (text: string): Document => ({ kind: 'html', bytes: Buffer.from(text) })
const quiet = html('<title>Venues</title><p>A quiet page.')
const quietRead = { ok: true, readable: { title: 'Venues', text: 'A quiet page.' } }

const hostile: readonly [string, Document][] = [
  ['a page of 7 kB that is nested', html('<div><p>x'.repeat(800))],
  ['a page of half-open doctypes', html('<!doctype'.repeat(18_000))],
  ['a page nested half a million times', html('<b>'.repeat(500_000))],
  ['a page of a million elements', html('<p>'.repeat(1_000_000))],
  [
    'a Word document of 1 GB',
    { kind: 'docx', bytes: docx(bomb('word/document.xml', 1_000, [docxHead, '<w:p/>', docxTail])) },
  ],
  [
    'a Word document nested deeply',
    { kind: 'docx', bytes: docx('<w:tbl><w:tr><w:tc>'.repeat(20_000)) },
  ],
  [
    'a workbook of 1 GB',
    {
      kind: 'xlsx',
      bytes: xlsx('A', bomb('xl/worksheets/sheet1.xml', 1_000, [sheetHead, ' ', sheetTail])),
    },
  ],
  [
    'a workbook with a cell far away',
    { kind: 'xlsx', bytes: xlsx('A', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>') },
  ],
  ['a PDF whose arrays are nested', { kind: 'pdf', bytes: pdf(`${'['.repeat(500_000)} TJ`) }],
  [
    'a PDF that says one letter 300,000 times',
    { kind: 'pdf', bytes: pdf('BT /F1 9 Tf (x) Tj ET\n'.repeat(300_000)) },
  ],
  [
    'a PDF whose pages are their own parents',
    {
      kind: 'pdf',
      bytes: Buffer.from(pdf('').toString('latin1').replace('/Kids [3 0 R]', '/Kids [2 0 R]')),
    },
  ],
  [
    'a PDF of a billion pages',
    {
      kind: 'pdf',
      bytes: Buffer.from(pdf('').toString('latin1').replace('/Count 1', '/Count 999999999')),
    },
  ],
]

it.each(hostile)(
  '%s neither delays what else happens nor keeps the next document from being read (S13)',
  async (_, document) => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const waited = waitedFor()
    delay.enable()
    expect(await timeOf(() => patient.read(document, noAbort), 300)).toBeLessThan(300)
    delay.disable()
    // Other work on this machine delays the loop too: this thread then waits for a processor.
    expect(delay.max / 1e6 - waited()).toBeLessThan(2_000)
    expect(await patient.read(quiet, noAbort)).toEqual(quietRead)
  },
)
