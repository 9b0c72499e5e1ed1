import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fileInWords, isReadable } from '../../src/adapters/attachments.ts'

const words = {
  heading: (name: string) => `File ${name}:`,
  unreadable: (name: string, type: string) => `File ${name}: not read (${type})`,
  cut: 'cut',
}
const read = (name: string, type: string, bytes: Buffer | string) =>
  fileInWords({ name, type, bytes: Buffer.from(bytes) }, words)

const pdf = (content: string): Buffer => {
  const packed = deflateSync(Buffer.from(content, 'latin1'))
  const head = `%PDF-1.4\n4 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n%%EOF')])
}

describe('what people attach', () => {
  it.each([
    ['notes.md', 'text/markdown', '# Notes\r\n\r\nLisbon', 'File notes.md:\n```\n# Notes\n\nLisbon\n```'],
    ['rows.csv', 'application/octet-stream', 'city,price\nLisbon,4', 'File rows.csv:\n```\ncity,price\nLisbon,4\n```'],
    ['code.md', 'text/markdown', '```ts\nx\n```', 'File code.md:\n````\n```ts\nx\n```\n````'],
  ])('is read as it is: %s', (name, type, text, shown) => {
    expect(read(name, type, text)).toBe(shown)
  })

  it('gives the words of a PDF', () => {
    const bytes = pdf(
      'BT /F1 12 Tf 72 720 Td (Quarterly \\(Q3\\) report) Tj 0 -14 Td [(Sign-) -20 (ups) -400 (dropped)] TJ ET',
    )
    expect(read('q3.pdf', 'application/pdf', bytes)).toBe(
      'File q3.pdf:\n```\nQuarterly (Q3) report\nSign-ups dropped\n```',
    )
  })

  it('says of what it cannot read that it was not read', () => {
    expect(isReadable('photo.png', 'image/png')).toBe(false)
    expect(read('strange.txt', 'text/plain', Buffer.from([0xff, 0xfe, 0x00]))).toMatch(/not read/)
    expect(read('drawn.pdf', 'application/pdf', pdf('0 0 m 1 1 l S'))).toMatch(/not read/)
    expect(read('broken.pdf', 'application/pdf', 'stream\nxx')).toMatch(/not read/)
  })

  it('takes the beginning of a very long one and says so', () => {
    const shown = read('long.txt', 'text/plain', 'é'.repeat(30_000))
    expect(shown.length).toBeLessThan(20_100)
    expect(shown.endsWith('cut')).toBe(true)
  })
})
