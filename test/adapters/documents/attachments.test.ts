import { afterAll, describe, expect, it } from 'vitest'
import { createAttachments } from '../../../src/adapters/attachments.ts'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { Look } from '../../../src/agent/ports/channel.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { docx, line, paragraph, pdf, xlsx } from '../../support/office.ts'
import { silent } from '../../support/silent.ts'

/** How one attached file stands before a model; nobody looks at images here unless `look` does. */
async function read(
  name: string,
  type: string,
  content: Buffer | string,
  look?: Look,
): Promise<string> {
  const bytes = Buffer.from(content)
  const read_ = createAttachments({
    platform: 'Chat',
    limits: { files: 2, bytes: 100_000 },
    documents,
    download: async (_event, { url }) => (url === 'gone' ? null : bytes),
  })
  const files = [{ name, mimetype: type, size: bytes.length, url: name }]
  const event = {
    content: { kind: 'message', text: '', addressed: true, forSomeoneElse: false, files },
  }
  return await read_(event as InboundEvent, 'en', AbortSignal.timeout(60_000), look)
}

const documents = createDocuments({ clock: createSystemClock(), log: silent })
afterAll(() => documents.stop())

describe('what people attach', () => {
  it.each([
    [
      'notes.md',
      'text/markdown',
      '# Notes\r\n\r\nLisbon',
      'File notes.md:\n```\n# Notes\n\nLisbon\n```',
    ],
    [
      'rows.csv',
      'application/octet-stream',
      'city,price\nLisbon,4',
      'File rows.csv:\n```\ncity,price\nLisbon,4\n```',
    ],
    [
      'Dockerfile',
      'application/octet-stream',
      'FROM node:24',
      'File Dockerfile:\n```\nFROM node:24\n```',
    ],
    ['code.md', 'text/markdown', '```ts\nx\n```', 'File code.md:\n````\n```ts\nx\n```\n````'],
  ])('is read as it is: %s', async (name, type, text, shown) => {
    expect(await read(name, type, text)).toBe(shown)
  })

  it.each([
    ['q3.pdf', 'application/pdf', pdf(line('Sign-ups dropped', 700)), 'Sign-ups dropped'],
    [
      'Q3.DOCX',
      'application/octet-stream',
      docx(paragraph('Sign-ups dropped')),
      'Sign-ups dropped',
    ],
    [
      'q3.xlsx',
      'application/octet-stream',
      xlsx('Q3', '<row r="1"><c r="A1"><v>4</v></c></row>'),
      '# Q3\n4',
    ],
  ])('gives the words of %s (C61)', async (name, type, bytes, text) => {
    expect(await read(name, type, bytes)).toBe(`File ${name}:\n\`\`\`\n${text}\n\`\`\``)
  })

  it('says of what it cannot read that it was not read', async () => {
    expect(await read('photo.png', 'image/png', 'x')).toMatch(/can’t read files of type image\/png/)
    expect(await read('gone', 'text/plain', 'x')).toBe('File gone: I couldn’t fetch it from Chat.')
    expect(await read('huge.txt', 'text/plain', 'x'.repeat(100_001))).toMatch(
      /I didn’t read it because it’s larger/,
    )
    expect(await read('strange.txt', 'text/plain', Buffer.from([0xff, 0xfe, 0x00]))).toMatch(
      /can’t read it/,
    )
  })

  it('says which encoding a text was read in, where that is a guess (C405)', async () => {
    expect(await read('umsatz.csv', 'text/csv', Buffer.from('Müller;4\r\n', 'latin1'))).toBe(
      'File umsatz.csv (read as windows-1252):\n```\nMüller;4\n```',
    )
    expect(await read('song.csv', 'text/csv', Buffer.alloc(9))).toBe(
      'File song.csv: I can’t read it. It’s neither text nor a kind of document I know.',
    )
    const utf32 = Buffer.from('fffe000041000000', 'hex')
    expect(await read('a.txt', 'text/plain', utf32)).toBe(
      'File a.txt: I can’t read its text encoding (UTF-32). Save it as UTF-8 and send it again.',
    )
  })

  it('names what the text of a document lacks (C61)', async () => {
    const bytes = docx(paragraph('See below'), [
      { type: 'image', file: 'media/image1.png', text: 'x' },
    ])
    expect(await read('q3.docx', '', bytes)).toBe(
      'File q3.docx:\n```\nSee below\n```\nI didn’t look at the pictures and charts in it (1 in all).',
    )
  })

  it('says of a document without text, and of one that cannot be read, what is wrong with it (C62)', async () => {
    expect(await read('drawn.pdf', 'application/pdf', pdf('0 0 m 1 1 l S'))).toBe(
      'File drawn.pdf: I found no text in it: it’s blank or only pictures.',
    )
    expect(await read('broken.xlsx', 'application/octet-stream', 'xx')).toBe(
      'File broken.xlsx: I couldn’t read it. It’s damaged, locked with a password, or not the type its name says.',
    )
  })

  it('tells an image in the words of a model that sees, and names one that it cannot tell', async () => {
    const see: Look = async ({ bytes }) =>
      bytes.length === 3 ? { kind: 'seen', words: 'A chart' } : { kind: 'unknown' }
    expect(await read('a.png', 'image/png', 'abc', see)).toBe(
      'Image a.png, as the model sees it:\n```\nA chart\n```',
    )
    expect(await read('a.png', 'image/png', 'abcd', see)).toMatch(/can’t read/)
  })

  it('takes the beginning of a very long one and says so', async () => {
    const shown = await read('long.txt', 'text/plain', 'é'.repeat(30_000))
    expect(shown.length).toBeLessThan(20_100)
    expect(shown).toMatch(/Only the first 20000 of \d{5} characters are shown\.$/)
  })
})
