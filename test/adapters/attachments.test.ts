import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createAttachments } from '../../src/adapters/attachments.ts'
import type { InboundEvent } from '../../src/agent/domain/event.ts'
import type { Model } from '../../src/agent/ports/model.ts'

/** How one attached file stands before a model; nobody looks at images here unless `see` does. */
async function read(name: string, type: string, content: Buffer | string, see?: Model['see']): Promise<string> {
  const bytes = Buffer.from(content)
  const read_ = createAttachments({
    platform: 'Chat',
    limits: { files: 2, bytes: 100_000 },
    see,
    download: async (_event, { url }) => (url === 'gone' ? null : bytes),
  })
  const files = [{ name, mimetype: type, size: bytes.length, url: name }]
  const event = { content: { kind: 'message', text: '', addressed: true, forSomeoneElse: false, files } }
  return await read_(event as InboundEvent, 'en', AbortSignal.timeout(5_000))
}

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
  ])('is read as it is: %s', async (name, type, text, shown) => {
    expect(await read(name, type, text)).toBe(shown)
  })

  it('gives the words of a PDF', async () => {
    const bytes = pdf(
      'BT /F1 12 Tf 72 720 Td (Quarterly \\(Q3\\) report) Tj 0 -14 Td [(Sign-) -20 (ups) -400 (dropped)] TJ ET',
    )
    expect(await read('q3.pdf', 'application/pdf', bytes)).toBe(
      'File q3.pdf:\n```\nQuarterly (Q3) report\nSign-ups dropped\n```',
    )
  })

  it('says of what it cannot read that it was not read', async () => {
    expect(await read('photo.png', 'image/png', 'x')).toMatch(/not read, image\/png/)
    expect(await read('gone', 'text/plain', 'x')).toBe('File gone: it could not be fetched from Chat.')
    expect(await read('huge.txt', 'text/plain', 'x'.repeat(100_001))).toMatch(/not read, it is larger/)
    expect(await read('strange.txt', 'text/plain', Buffer.from([0xff, 0xfe, 0x00]))).toMatch(/not read/)
    expect(await read('drawn.pdf', 'application/pdf', pdf('0 0 m 1 1 l S'))).toMatch(/not read/)
    expect(await read('broken.pdf', 'application/pdf', 'stream\nxx')).toMatch(/not read/)
  })

  it('tells an image in the words of a model that sees, and names one that it cannot tell', async () => {
    const see: Model['see'] = async ({ bytes }) => (bytes.length === 3 ? 'A chart' : null)
    expect(await read('a.png', 'image/png', 'abc', see)).toBe('Image a.png, as the model sees it:\n```\nA chart\n```')
    expect(await read('a.png', 'image/png', 'abcd', see)).toMatch(/not read/)
  })

  it('takes the beginning of a very long one and says so', async () => {
    const shown = await read('long.txt', 'text/plain', 'é'.repeat(30_000))
    expect(shown.length).toBeLessThan(20_100)
    expect(shown.endsWith('The rest is left out.')).toBe(true)
  })
})
