import { constants, crc32, deflateRawSync } from 'node:zlib'

/*
 * Small office files and PDFs, written by hand: just enough of each format that a library reads it.
 */

interface Entry {
  name: string
  packed: Buffer
  crc: number
  size: number
}

/** A file in a zip. */
function entry(name: string, text: string): Entry {
  const bytes = Buffer.from(text)
  return { name, packed: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length }
}

/** A file of a few kilobytes in a zip that unfolds to so many megabytes of `text` between `head` and `tail`. */
export function bomb(
  name: string,
  megabytes: number,
  [head, text, tail]: readonly [string, string, string],
): Entry {
  const flushed = { finishFlush: constants.Z_FULL_FLUSH }
  const block = Buffer.from(text.repeat(Math.ceil(1024 ** 2 / text.length)))
  const packed = Buffer.concat([
    deflateRawSync(Buffer.from(head), flushed),
    ...new Array<Buffer>(megabytes).fill(deflateRawSync(block, flushed)),
    deflateRawSync(Buffer.from(tail)),
  ])
  return { name, packed, crc: 0, size: head.length + block.length * megabytes + tail.length }
}

/** A zip, by section 4.3 of its specification. */
function zip(entries: readonly Entry[], names: 'utf8' | 'latin1' = 'utf8'): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name: text, packed, crc, size } of entries) {
    const name = Buffer.from(text, names)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, name)
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, listed, Buffer.from('PK\x05\x06'), end])
}

/** A zip of these files, their names in an encoding that it does not say. */
export const zipOf = (
  files: Readonly<Record<string, string>>,
  names: 'utf8' | 'latin1' = 'utf8',
): Buffer =>
  zip(
    Object.entries(files).map(([name, text]) => entry(name, text)),
    names,
  )

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${schemas}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (...all: string[]) =>
  `${head}<Relationships xmlns="${schemas}/package/2006/relationships">${all.join('')}</Relationships>`
const types = (part: string, type: string) =>
  `${head}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

export const word = `xmlns:w="${schemas}/wordprocessingml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships" xmlns:m="${schemas}/officeDocument/2006/math" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" xmlns:v="urn:schemas-microsoft-com:vml"`
const docxParts = [
  entry('[Content_Types].xml', types('word/document.xml', 'wordprocessingml.document')),
  entry('_rels/.rels', relations(relation('r1', 'officeDocument', 'word/document.xml'))),
]
export const docxHead = `${head}<w:document ${word}><w:body>`
export const docxTail = '</w:body></w:document>'

/** A Word document with this body; or with another entry as its document. `parts` come in beside it, by type and file. */
export const docx = (
  body: string | Entry,
  parts: readonly { type: string; file: string; text: string }[] = [],
): Buffer =>
  zip([
    ...docxParts,
    typeof body === 'string' ? entry('word/document.xml', `${docxHead}${body}${docxTail}`) : body,
    ...parts.map(({ file, text }) => entry(`word/${file}`, text)),
    entry(
      'word/_rels/document.xml.rels',
      relations(...parts.map(({ type, file }, at) => relation(`p${at}`, type, file))),
    ),
  ])

/** A paragraph of a Word document. */
export const paragraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

const sheetMain = `xmlns="${schemas}/spreadsheetml/2006/main"`
export const sheetHead = `${head}<worksheet ${sheetMain}><sheetData>`
export const sheetTail = '</sheetData></worksheet>'

/** Formats of cells by the number of their style: none, date, time of day, percent, duration, date with time, amount, id, phone. */
const formats = [0, 14, 20, 9, 164, 22, 165, 166, 167]
const ownFormats = ['[h]:mm', '#,##0.00 [$€-407]', '00000', '(000) 000-0000']
const styles = `${head}<styleSheet ${sheetMain}><numFmts count="${ownFormats.length}">${ownFormats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs>${formats.map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`

/** A workbook of one sheet with these rows, or with another entry as its sheet; `chart` names a sheet that is a chart. */
export const xlsx = (name: string, rows: string | Entry, chart?: string): Buffer =>
  zip([
    entry('[Content_Types].xml', types('xl/workbook.xml', 'spreadsheetml.sheet')),
    entry('_rels/.rels', relations(relation('r1', 'officeDocument', 'xl/workbook.xml'))),
    entry(
      'xl/workbook.xml',
      `${head}<workbook ${sheetMain} xmlns:r="${schemas}/officeDocument/2006/relationships"><sheets><sheet name="${name}" sheetId="1" r:id="r1"/>${chart === undefined ? '' : `<sheet name="${chart}" sheetId="2" r:id="r3"/>`}</sheets></workbook>`,
    ),
    entry(
      'xl/_rels/workbook.xml.rels',
      relations(
        relation('r1', 'worksheet', 'worksheets/sheet1.xml'),
        relation('r2', 'styles', 'styles.xml'),
        relation('r3', 'chartsheet', 'chartsheets/sheet1.xml'),
      ),
    ),
    entry('xl/styles.xml', styles),
    ...(chart === undefined
      ? []
      : [entry('xl/chartsheets/sheet1.xml', `${head}<chartsheet ${sheetMain}/>`)]),
    typeof rows === 'string'
      ? entry('xl/worksheets/sheet1.xml', `${sheetHead}${rows}${sheetTail}`)
      : rows,
  ])

/** A PDF of one page, whose content is drawn by these operators; `objects` come in beside its own. */
export function pdf(
  content: string | Buffer,
  { filter = '', objects = [] as string[] } = {},
): Buffer {
  const stream = Buffer.from(content)
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} ${filter} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
  ]
  return pdfOf(bodies)
}

/** A PDF of these objects, the first of which is its catalogue. */
export function pdfOf(bodies: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = bodies.map((body, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(`${text}${table}${trailer}`, 'latin1')
}

/** The operators that write a line. */
export const line = (text: string, y: number): string => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET\n`
