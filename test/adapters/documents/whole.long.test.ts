import { utils, write } from '@e965/xlsx'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createAttachments } from '../../../src/adapters/attachments.ts'
import { createDocuments } from '../../../src/adapters/documents/documents.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import type { KeptDocument } from '../../../src/agent/domain/kept-document.ts'
import { createFilesTool } from '../../../src/agent/tools/files.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createRandom } from '../../soak/plan.ts'
import { line, pdfOf, zipOf } from '../../support/office.ts'
import { silent } from '../../support/silent.ts'

const documents = createDocuments({ clock: createSystemClock(), log: silent })
afterAll(() => documents.stop())

const random = createRandom(20_261_126)
const words =
  'project harbour code review budget word plan report supplier number meeting is of the and for with from delivery quality'.split(
    ' ',
  )
const filler = (count: number): string =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ')
const fact = 'The code word of project Harbour is KESTREL 4711'

/** A page of text is 40 lines of ten words. */
const pageOf = (planted: boolean): string[] => {
  const lines = Array.from({ length: 40 }, () => filler(10))
  if (planted) lines[Math.floor(random() * 40)] = fact
  return lines
}

function book(pages: number, at: number): Buffer {
  const bodies = ['<< /Type /Catalog /Pages 2 0 R >>', '']
  const kids: string[] = []
  const font = 3
  bodies.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (let n = 0; n < pages; n += 1) {
    const content = pageOf(n === at)
      .map((text, row) => line(text, 780 - row * 18))
      .join('')
    const number = bodies.length + 1
    kids.push(`${number} 0 R`)
    bodies.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${number + 1} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    )
  }
  bodies[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`
  return pdfOf(bodies)
}

const main = 'http://schemas.openxmlformats.org'
function deck(slides: number, at: number): Buffer {
  const all = Array.from({ length: slides }, (_, n) => n + 1)
  const relations = (...rows: [string, string][]) =>
    `<Relationships xmlns="${main}/package/2006/relationships">${rows.map(([type, target], n) => `<Relationship Id="r${n + 1}" Type="${main}/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`
  const slide = (n: number) =>
    `<p:sld xmlns:p="${main}/presentationml/2006/main" xmlns:a="${main}/drawingml/2006/main"><p:cSld><p:spTree><p:sp><p:txBody>${pageOf(
      n === at,
    )
      .slice(0, 40)
      .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
  const part = (n: number) =>
    `<Override PartName="/ppt/slides/slide${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/>`
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${main}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/>${all.map(part).join('')}</Types>`,
    '_rels/.rels': relations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation xmlns:p="${main}/presentationml/2006/main" xmlns:r="${main}/officeDocument/2006/relationships"><p:sldIdLst>${all.map((n) => `<p:sldId id="${255 + n}" r:id="r${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...all.map((n): [string, string] => ['slide', `slides/slide${n}.xml`]),
    ),
    ...Object.fromEntries(all.map((n) => [`ppt/slides/slide${n}.xml`, slide(n - 1)])),
  })
}

function workbook(sheets: number, at: number): Buffer {
  const made = utils.book_new()
  for (let n = 0; n < sheets; n += 1)
    utils.book_append_sheet(
      made,
      utils.aoa_to_sheet([...pageOf(n === at), ...pageOf(false)].map((text) => [text, filler(3)])),
      `Costs ${n + 1}`,
    )
  return write(made, { type: 'buffer', bookType: 'xlsx' })
}

const archive = (files: number, at: number): Buffer =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: files }, (_, n) => [`notes/${n + 1}.txt`, pageOf(n === at).join('\n')]),
    ),
  )

let kept = new Map<string, KeptDocument>()
afterEach(() => {
  kept = new Map()
})

/** Words that a task gets for the file, and the tool by which it reads on. */
async function handIn(name: string, bytes: Buffer) {
  const read = createAttachments({
    platform: 'Chat',
    limits: { files: 2, bytes: 30_000_000 },
    documents,
    download: async () => bytes,
  })
  const files = [{ name, mimetype: '', size: bytes.length, url: name }]
  const content = { kind: 'message', text: '', addressed: true, forSomeoneElse: false, files }
  const keep = async (document: Pick<KeptDocument, 'name' | 'text' | 'sections'>) => {
    kept.set(document.name, { ...document, version: 1, by: 'ana', at: 1 })
    return true
  }
  const event = { content } as InboundEvent
  const signal = AbortSignal.timeout(60_000)
  const goal = await read(event, 'en', signal, undefined, keep)
  const tool = createFilesTool({
    save: async () => true,
    saved: async () => [],
    keep: async () => true,
    keptNames: async () => [...kept.keys()],
    kept: async (_, __, one) => kept.get(one) ?? null,
  })
  const run = async (input: string) => {
    const { text } = await tool.run(input, context)
    return text
  }
  return { goal, run }
}
const context = { workspace: 'web:local', conversationId: 'c', now: 1 } as Parameters<
  ReturnType<typeof createFilesTool>['run']
>[1]

describe('a document of which a task sees the beginning (C790)', () => {
  it.each([
    ['contract.pdf', book, 300, (n: number) => `page ${n}`],
    ['The deck.pptx', deck, 120, (n: number) => `slide ${n}`],
    ['costs.xlsx', workbook, 40, (n: number) => `sheet Costs ${n}`],
    ['notes.zip', archive, 100, (n: number) => `notes/${n}.txt`],
  ] as const)(
    'is searched by a model that does as the request says, and the place is named: %s',
    async (name, make, count, placeOf) => {
      for (const share of [0.1, 0.3, 0.55, 0.8, 0.999]) {
        const at = Math.floor(count * share)
        const { goal, run } = await handIn(name, make(count, at))
        expect(goal).toContain('Only the first 20000 of ')
        const told = /“search (.*?) WORDS”/.exec(goal)?.[1] ?? ''
        const found = await run(`search ${told} code word of project Harbour`)
        const [first = ''] = found.split('\n\n[')
        expect(first).toContain(fact)
        expect(first).toContain(`[${placeOf(at + 1)}]`)
        expect(await run(`read ${told} ${placeOf(at + 1)}`)).toContain(fact)
      }
    },
    120_000,
  )

  it('is read by its parts and from a character on, and says what follows', async () => {
    const { goal, run } = await handIn('long.txt', Buffer.from(`${filler(12_000)} ${fact}`))
    expect(goal).toContain('part 1')
    expect(await run('list')).toBe('long.txt (handed in)')
    const beginning = await run('read long.txt')
    expect(beginning).toMatch(/^It has part 1, part 2/)
    expect(beginning).toMatch(/characters follow; read on: from 9000\]$/)
    expect(await run('read long.txt from 9000')).toContain('characters 9000–18000')
    expect(await run('read long.txt part 2-3')).toContain('characters 3000–9000')
    expect(await run('read long.txt chapter 7')).toContain('there is no chapter 7 in long.txt')
    expect(await run('search long.txt zebra')).toContain('none of these words')
    expect(await run('search other.txt zebra')).toContain('no file that was handed in')
  })

  it('is not kept where a task sees all of it', async () => {
    const { goal } = await handIn('short.txt', Buffer.from(fact))
    expect(goal).not.toContain('search')
    expect(kept.size).toBe(0)
  })
})
