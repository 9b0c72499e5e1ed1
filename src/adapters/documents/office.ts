import { type OfficeContentNode, OfficeErrorType, OfficeParser } from 'officeparser'
import { z } from 'zod'
import type { Readable } from '../../agent/domain/document.ts'
import { tidy } from '../../agent/tools/fetch/tidy.ts'
import { inSections, type Part } from './sections.ts'

/** Limits for an unpacked package; the process has its own limits. */
const decompressionLimits = { maxUncompressedBytes: 100 * 1024 * 1024, maxZipEntries: 10_000 }

/**
 * Reads the text of Word, PowerPoint, OpenDocument, RTF and EPUB files. Paragraphs, list items and
 * table rows get a line each, page headers and footers surround the text, and comments come last
 * (C407).
 */
export async function readOffice(bytes: Uint8Array): Promise<Readable> {
  const file = await OfficeParser.parseOffice(bytes, { ocr: false, decompressionLimits }).catch(
    (error) => {
      throw isTooBig(error) ? new RangeError('too big') : error
    },
  )
  const { headers = [], footers = [] } = file.auxiliary ?? {}
  const isSlides = file.content.length > 0 && file.content.every(({ type }) => type === 'slide')
  if (isSlides) {
    const slides = file.content.map(async (slide, at): Promise<Part> => {
      const words = rows((await { ...file, content: [slide] }.to('text')).value)
      const name = `slide ${at + 1}`
      return { name, text: [words, ...wordsOf(commentsIn([slide]))].join('\n') }
    })
    return { title: '', ...inSections(await Promise.all(slides)) }
  }
  const body = (await file.to('text')).value
  const parts = [
    ...wordsOf(headers),
    rows(body),
    ...wordsOf(footers),
    ...wordsOf(commentsIn(file.content)),
  ]
  return { title: '', text: tidy(parts.join('\n')) }
}

/** Renders table rows like those of a workbook: separators between cells only. */
const rows = (text: string): string => text.split('\n').map(rowOf).join('\n')

function rowOf(line: string): string {
  const row = line.trimEnd()
  return row.startsWith('| ') && row.endsWith('|') ? row.slice(2, -1).trimEnd() : line
}

const wordsOf = (nodes: readonly OfficeContentNode[]): string[] => [
  ...new Set(nodes.map(({ text }) => text ?? '').filter((text) => text !== '')),
]

const commentsIn = (nodes: readonly OfficeContentNode[]): OfficeContentNode[] =>
  nodes.flatMap(({ comments = [], children = [] }) => [...comments, ...commentsIn(children)])

const Issue = z.object({ officeIssue: z.object({ code: z.string() }) })

const limitCodes: readonly string[] = [
  OfficeErrorType.ZIP_ENTRY_COUNT_LIMIT_EXCEEDED,
  OfficeErrorType.ZIP_SIZE_LIMIT_EXCEEDED,
  OfficeErrorType.XML_ELEMENT_LIMIT_EXCEEDED,
]

const isTooBig = (error: unknown): boolean =>
  limitCodes.includes(Issue.safeParse(error).data?.officeIssue.code ?? '')
