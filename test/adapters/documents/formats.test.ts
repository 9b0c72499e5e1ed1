import { chromium as browser } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { DocumentKind } from '../../../src/agent/domain/document.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { docx, line, paragraph, pdf, xlsx, zipOf } from '../../support/office.ts'
import { describeWith } from '../../support/programs.ts'
import { silent } from '../../support/silent.ts'

const documents = createDocuments({ clock: createSystemClock(), log: silent })
afterAll(() => documents.stop())

async function read(kind: DocumentKind, content: Buffer | string) {
  return await documents.read({ kind, bytes: Buffer.from(content) }, new AbortController().signal)
}
const textOf = async (kind: DocumentKind, content: Buffer | string) => {
  const result = await read(kind, content)
  return result.ok ? result.readable.text : result.problem
}

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

describe('the text of a document (C61)', () => {
  it('is that of a PDF, line by line', async () => {
    expect(
      await textOf(
        'pdf',
        pdf(line('Quarterly \\(Q3\\) report', 720) + line('Sign-ups dropped', 700)),
      ),
    ).toBe('Quarterly (Q3) report\nSign-ups dropped')
  })

  it('is that of a Word document: paragraphs, and rows of tables', async () => {
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`
    const body = `${paragraph('Venues for the offsite')}<w:tbl>${row('Lisbon', '1900')}${row('Porto', '1500')}</w:tbl>`
    const text = await textOf('docx', docx(`${body}${paragraph('第三季度')}`))
    expect(text.split('\n')).toEqual([
      'Venues for the offsite',
      'Lisbon | 1900',
      'Porto | 1500',
      '第三季度',
    ])
  })

  it('is that of a workbook: each sheet under its name, a line for each row', async () => {
    const rows = [
      `<row r="1">${cell('A1', 'City')}${cell('B1', 'Price')}${cell('C1', 'Seen on')}</row>`,
      `<row r="3">${cell('A3', 'Lisbon &amp; Porto')}<c r="B3"><v>1900.5</v></c><c r="C3" s="1"><v>45000</v></c></row>`,
    ]
    expect(await textOf('xlsx', xlsx('Venues', rows.join('')))).toBe(
      '# Venues\nCity | Price | Seen on\nLisbon & Porto | 1900.5 | 2023-03-15',
    )
  })

  it.each([
    ['docx', docx(paragraph('A sentence of a long report. ').repeat(4_000))],
    [
      'xlsx',
      xlsx(
        'Sales',
        Array.from(
          { length: 20_000 },
          (_, at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`,
        ).join(''),
      ),
    ],
    [
      'pdf',
      pdf(
        Array.from({ length: 20_000 }, (_, at) =>
          line(`Sentence ${at} of a long report.`, 700),
        ).join(''),
      ),
    ],
  ] as const)('is that of a large %s too', async (kind, bytes) => {
    expect((await textOf(kind, bytes)).length).toBeGreaterThan(100_000)
  })

  it('says how many more files were not read than are named (C982)', async () => {
    const files = Array.from({ length: 45 }, (_, at) => [`f${at}.bin`, `\0\u0001${at}`])
    const found = await read('zip', zipOf(Object.fromEntries(files)))
    expect(found.ok && found.readable.gaps?.map(({ items }) => items.slice(-2))).toEqual([
      ['f39.bin', '… +5'],
    ])
  })

  it('is empty where a PDF only draws', async () => {
    expect(await textOf('pdf', pdf('0 0 m 1 1 l S'))).toBe('')
  })

  it('is cut where nobody would read on', async () => {
    expect(await textOf('docx', docx(paragraph('word '.repeat(500_000))))).toHaveLength(2_000_000)
  })
})

describeWith('chromium', 'a PDF that a browser printed (C61)', (executablePath) => {
  it('is read as it stands on paper', async () => {
    const opened = await browser.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const page = await opened.newPage()
      await page.setContent(
        '<h1>Quarterly (Q3) report</h1><p>The office first saw sign-ups drop by 4&nbsp;% — “flat”.</p><ul><li>Lisbon</li><li>Porto</li></ul>',
      )
      expect(await textOf('pdf', await page.pdf())).toBe(
        'Quarterly (Q3) report\nThe office first saw sign-ups drop by 4 % — “flat”.\nLisbon\nPorto',
      )
    } finally {
      await opened.close()
    }
  })
})
