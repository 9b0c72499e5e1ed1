import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { DocumentKind } from '../../../src/agent/domain/document.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { docx, line, paragraph, pdf, pdfOf, word, xlsx, zipOf } from '../../support/office.ts'
import { silent } from '../../support/silent.ts'

const documents = createDocuments({ clock: createSystemClock(), log: silent })
afterAll(() => documents.stop())

async function read(kind: DocumentKind, content: Buffer | string) {
  const answer = await documents.read(
    { kind, bytes: Buffer.from(content) },
    AbortSignal.timeout(60_000),
  )
  return answer.ok ? answer.readable : { problem: answer.problem }
}
const textOf = async (kind: DocumentKind, content: Buffer | string) => {
  const answer = await read(kind, content)
  return 'text' in answer ? answer.text : answer.problem
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
const pageOf = (contents: number, more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${contents} 0 R /Resources << /Font << /F1 5 0 R >> >> ${more} >>`

/** A page with these annotations; its own words are "Form". */
const annotated = (...annotations: string[]) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /DA (/Helv 12 Tf 0 g) >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    pageOf(4, `/Annots [${annotations.map((_, at) => `${at + 6} 0 R`).join(' ')}]`),
    stream(line('Form', 700)),
    helvetica,
    ...annotations.map((one) => `<< /Type /Annot /Rect [10 10 200 30] /F 4 ${one} >>`),
  ])

/** A page in an encoding that names a table and brings no font along, as Chinese and Japanese invoices do. */
const eastern = (encoding: string, ordering: string, hex: string) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    pageOf(4),
    stream(`BT /F1 16 Tf 20 130 Td <${hex}> Tj ET`),
    `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ])

/** Pages by their content; null for one that is missing. */
const pages = (...contents: (string | null)[]) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, at) => `${at * 2 + 6} 0 R`).join(' ')}] /Count ${contents.length} >>`,
    'null',
    'null',
    helvetica,
    ...contents.flatMap((content, at) =>
      content === null ? ['null', 'null'] : [pageOf(at * 2 + 7), stream(content)],
    ),
  ])

describe('the words of a PDF (C406)', () => {
  it.each([
    ['GBK-EUC-H', 'GB1', 'bacfcdacd7dcbcdb', '合同总价'],
    ['UniGB-UCS2-H', 'GB1', '5408540c603b4ef7', '合同总价'],
    ['90ms-RKSJ-H', 'Japan1', '8c5f96f18be08a7a', '契約金額'],
    ['ETen-B5-H', 'CNS1', 'a658acf9c160bbf9', '合約總價'],
    ['KSCms-UHC-H', 'Korea1', 'b0e8bee0b1ddbed7', '계약금액'],
  ])('are read in %s', async (encoding, ordering, hex, text) => {
    expect(await textOf('pdf', eastern(encoding, ordering, hex))).toBe(text)
  })

  it.each([
    ['a filled field', '/Subtype /Widget /FT /Tx /T (name) /V (Ana Lopez)', 'name: Ana Lopez'],
    ['a choice', '/Subtype /Widget /FT /Ch /T (size) /TU (Size) /V (L) /Opt [(S) (L)]', 'Size: L'],
    [
      'a checked box',
      '/Subtype /Widget /FT /Btn /T (paid) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>',
      'paid: ☒',
    ],
    [
      'an open box',
      '/Subtype /Widget /FT /Btn /T (paid) /V /Off /AS /Off /AP << /N << /Yes 5 0 R /Off 5 0 R >> >>',
      'paid: ☐',
    ],
    ['an empty field', '/Subtype /Widget /FT /Tx /T (name)', ''],
    [
      'a text on the page',
      '/Subtype /FreeText /DA (/Helv 12 Tf) /Contents (Change it to 3 May)',
      'Change it to 3 May',
    ],
    ['a note', '/Subtype /Text /Contents (Who pays?)', 'Who pays?'],
    [
      'a mark with words',
      '/Subtype /Highlight /QuadPoints [0 0 1 0 0 1 1 1] /Contents (Too much)',
      'Too much',
    ],
  ])('come with what is filled in and noted: %s', async (_, annotation, text) => {
    expect(await textOf('pdf', annotated(annotation))).toBe(`Form\n${text}`.trim())
  })

  it('come without the pages that are pictures or damaged, which are named', async () => {
    const drawn = '0 0 m 1 1 l S'
    expect(
      await read('pdf', pages(line('Cover', 700), drawn, drawn, line('End', 700), drawn)),
    ).toMatchObject({
      text: 'Cover\nEnd',
      gaps: [{ code: 'pages_without_text', items: ['2–3', '5'] }],
    })
    expect(await read('pdf', pages(line('Cover', 700), null, line('End', 700)))).toMatchObject({
      text: expect.stringContaining('Cover'),
      gaps: [{ code: 'damaged_pages', items: expect.anything() }],
    })
    expect(await read('pdf', pages(null))).toEqual({ problem: 'unreadable' })
  })
})

const box = (checked: 0 | 1, sign: string) =>
  `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>${sign}</w:t></w:r></w:sdtContent></w:sdt>`

describe('the words of a Word document (C407)', () => {
  it.each([
    [
      'an equation',
      docx(
        '<w:p><w:r><w:t xml:space="preserve">The limit is </w:t></w:r><m:oMath><m:r><m:t>x=42</m:t></m:r></m:oMath></w:p>',
      ),
      'The limit is x=42',
    ],
    [
      'check boxes',
      docx(
        `<w:p>${box(1, '☒')}<w:r><w:t> paid </w:t></w:r>${box(0, '☐')}<w:r><w:t> sent</w:t></w:r></w:p>`,
      ),
      '☒ paid ☐ sent',
    ],
    [
      'a text box',
      docx(
        `${paragraph('Before')}<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('In a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
      ),
      'Before\nIn a box',
    ],
    [
      'a part of another kind',
      docx(`${paragraph('Cover')}<w:altChunk r:id="p0"/>`, [
        {
          type: 'aFChunk',
          file: 'chunk.html',
          text: '<html><body><p>The sum is 4250.</p></body></html>',
        },
      ]),
      'Cover\nThe sum is 4250.',
    ],
    [
      'a comment',
      docx(
        '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Deadline May</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>',
        [
          {
            type: 'comments',
            file: 'comments.xml',
            text: `<w:comments ${word}><w:comment w:id="0" w:author="Ana">${paragraph('Make it June')}</w:comment></w:comments>`,
          },
        ],
      ),
      'Deadline May\nMake it June',
    ],
    [
      'a header',
      docx(
        `${paragraph('Body')}<w:sectPr><w:headerReference w:type="default" r:id="p0"/></w:sectPr>`,
        [
          {
            type: 'header',
            file: 'header1.xml',
            text: `<w:hdr ${word}>${paragraph('Ref 77')}</w:hdr>`,
          },
        ],
      ),
      'Ref 77\nBody',
    ],
  ])('include %s', async (_, bytes, text) => {
    expect(await textOf('docx', bytes)).toBe(text)
  })

  it('come with the number of pictures that are left out', async () => {
    const bytes = docx(paragraph('See the chart'), [
      { type: 'image', file: 'media/image1.png', text: 'x' },
    ])
    expect(await read('docx', bytes)).toMatchObject({
      text: 'See the chart',
      gaps: [{ code: 'pictures', items: ['1'] }],
    })
  })
})

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

describe('the cells of a workbook (C409)', () => {
  it.each([
    ['a time of day', '<c r="A1" s="2"><v>0.4375</v></c>', '10:30'],
    ['a duration', '<c r="A1" s="4"><v>1.5</v></c>', '36:00'],
    ['a date with a time', '<c r="A1" s="5"><v>46351.75</v></c>', '2026-11-25 18:00'],
    ['a date as text', '<c r="A1" t="d"><v>2026-11-25T00:00:00</v></c>', '2026-11-25'],
    ['a part of a hundred', '<c r="A1" s="3"><v>0.155</v></c>', '15.5%'],
    ['an error', '<c r="A1" t="e"><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['a missing value', '<c r="A1" t="e"><f>VLOOKUP(1,B1,1)</f><v>#N/A</v></c>', '#N/A'],
    ['a yes', '<c r="A1" t="b"><v>1</v></c>', 'TRUE'],
    [
      'cells without addresses',
      '<c t="inlineStr"><is><t>name</t></is></c><c><v>5</v></c>',
      'name | 5',
    ],
    ['a cell far away', `${cell('A1', 'Ana')}${cell('XFD1', 'x')}`, 'Ana | XFD1: x'],
    ['holes', `${cell('A1', 'Ana')}${cell('C1', 'x')}`, 'Ana | | x'],
    ['an amount', '<c r="A1" s="6"><v>1234.5</v></c>', '1234.5 €'],
    ['a sum of binary fractions', '<c r="A1"><v>0.30000000000000004</v></c>', '0.3'],
    ['an id with leading zeros', '<c r="A1" s="7"><v>123</v></c>', '00123'],
    ['a phone number', '<c r="A1" s="8"><v>5551234567</v></c>', '(555) 123-4567'],
    ['a shared string that is missing', '<c r="A1" t="s"><v>0</v></c><c r="B1"><v>7</v></c>', '7'],
  ])('are shown as people mean them: %s', async (_, cells, text) => {
    const shown = await textOf('xlsx', xlsx('Plan', `<row r="1">${cells}</row>`))
    expect(shown.replace('# Plan\n', '')).toBe(text)
  })

  it('name formulas whose results the file lacks (C981)', async () => {
    const cells =
      '<c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f></c><c r="D1"><f>SUM(A1:B1)</f><v/></c>'
    expect(await read('xlsx', xlsx('Plan', `<row r="1">${cells}</row>`))).toMatchObject({
      text: '# Plan\n2 | =A1*2 | | =SUM(A1:B1)',
      gaps: [{ code: 'formulas_without_results', items: ['Plan!B1', 'Plan!D1'] }],
    })
  })

  it('in the last row and column hide no others', async () => {
    const rows = `<row r="1">${cell('A1', 'name')}</row><row r="1048576">${cell('XFD1048576', 'last')}</row>`
    expect(await textOf('xlsx', xlsx('Plan', rows))).toBe('# Plan\nname\nXFD1048576: last')
  })

  it('come without a sheet that is a chart, which is named', async () => {
    expect(
      await read('xlsx', xlsx('Data', `<row r="1">${cell('A1', 'sum')}</row>`, 'Chart')),
    ).toMatchObject({
      text: '# Data\nsum',
      gaps: [{ code: 'sheets_without_cells', items: ['Chart'] }],
    })
  })
})

const slide = (text: string) =>
  `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
const rels = (...targets: [string, string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.map(([type, target], at) => `<Relationship Id="r${at + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`
const pptx = zipOf({
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/></Types>',
  '_rels/.rels': rels(['officeDocument', 'ppt/presentation.xml']),
  'ppt/presentation.xml':
    '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels': rels(['slide', 'slides/slide1.xml']),
  'ppt/slides/slide1.xml': slide('Q3: sign-ups fell'),
})
const odt = zipOf({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml':
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>合同总价</text:p></office:text></office:body></office:document-content>',
})
const mail = [
  'From: =?utf-8?B?w4RubmE=?= <anna@example.org>',
  'To: team@example.org',
  'Subject: =?gb2312?B?us/NrA==?=',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=gbk',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('3c703ebacfcdacd7dcbcdb3c2f703e', 'hex').toString('base64'),
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename="plan.pdf"',
  '',
  'x',
  '--b--',
].join('\r\n')

describe('the words of other documents (C408, C792)', () => {
  it.each([
    ['PowerPoint', 'zip', pptx, 'Q3: sign-ups fell'],
    ['OpenDocument', 'zip', odt, '合同总价'],
    ['RTF', 'rtf', "{\\rtf1\\ansi\\ansicpg1252 Caf\\'e9 \\u8364? 4250\\par}", 'Café € 4250'],
    [
      'RTF in Chinese',
      'rtf',
      "{\\rtf1\\ansi\\ansicpg936{\\fonttbl{\\f0\\fcharset134 SimSun;}}\\f0 \\'ba\\'cf\\'cd\\'ac\\par}",
      '合同',
    ],
    [
      'a zip',
      'zip',
      zipOf({ 'docs/plan.txt': 'hello', '合同.pdf': 'x' }),
      'docs/plan.txt (5 bytes)\n合同.pdf (1 bytes)\ndocs/plan.txt:\nhello',
    ],
    ['a Word document whatever it is called', 'zip', docx(paragraph('Hello')), 'Hello'],
  ] as const)('are read from %s', async (_, kind, bytes, text) => {
    expect(await textOf(kind, bytes)).toBe(text)
  })

  it('of a mail are who wrote to whom, its text, and the names of its files', async () => {
    expect(await read('mail', mail)).toMatchObject({
      text: 'From: Änna <anna@example.org>\nTo: team@example.org\nSubject: 合同\n合同总价',
      gaps: [{ code: 'files', items: ['plan.pdf'] }],
    })
  })

  it('of a zip come without the files in it that are damaged or packed otherwise (C982)', async () => {
    const zip = zipOf({ 'good.txt': 'good words', 'bad.txt': 'bad bad bad bad' })
    const at = zip.indexOf('bad.txt') + 'bad.txt'.length
    zip.fill(0xff, at, at + 5)
    expect(await read('zip', zip)).toMatchObject({
      text: expect.stringContaining('good.txt:\ngood words'),
      gaps: [{ code: 'files', items: ['bad.txt'] }],
    })
  })

  it('are not read from what is no such document, which is said', async () => {
    expect(await read('zip', 'PK\x03\x04 cut')).toEqual({ problem: 'unreadable' })
    expect(await read('mail', '')).toEqual({ problem: 'unreadable' })
    expect(await read('rtf', pdf(''))).toMatchObject({ text: '' })
  })
})
