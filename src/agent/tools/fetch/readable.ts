import { type DocumentProblem, fileKindOf, type Readable, textMost } from '../../domain/document.ts'
import { certainText, decodeAs, decodeLoosely, headBytes } from '../../domain/text-bytes.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Page } from './request.ts'
import { inLines } from './tidy.ts'

type Read =
  | { ok: true; readable: Readable }
  | { ok: false; problem: { code: 'no_text' | 'too_large' } }
  | {
      ok: false
      problem: { code: 'document'; problem: DocumentProblem; encoding?: string | undefined }
    }

type Body = Pick<Page, 'type' | 'body'> & Partial<Pick<Page, 'isCut'>>

/**
 * The readable text of what came from an address, by its content rather than its type (C410):
 * documents and texts of unknown encoding through the port, other text line by line, with its
 * indentation (C983).
 */
export async function readableOf(
  { type, body, isCut = false }: Body,
  { url, documents, signal }: { url: URL; documents: Documents; signal: AbortSignal },
): Promise<Read> {
  const mediaType = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (/^(?:image\/(?!svg)|audio\/|font\/)/.test(mediaType)) return noText
  const isUnnamed = mediaType === '' || mediaType === 'application/octet-stream'
  const isHtml = isHtmlPage(mediaType, body)
  const found = isHtml
    ? 'html'
    : fileKindOf({ name: isUnnamed ? url.pathname : '', type: mediaType }, body)
  // The beginning of a table is read as text.
  const kind = found === 'csv' && isCut ? 'text' : found
  if (kind === null) return noText
  const text = isHtml || kind === 'text' || kind === 'csv' ? decoded(type, body, isHtml) : null
  if (text !== null && kind === 'text') return readText(text)
  // Half of a text is a text; half of a document is none.
  if (isCut && kind !== 'html' && kind !== 'text')
    return { ok: false, problem: { code: 'too_large' } }
  const read = await documents.read(
    { kind, bytes: text === null ? body : Buffer.from(text) },
    signal,
  )
  if (!read.ok) {
    const { problem, encoding } = read
    return { ok: false, problem: { code: 'document', problem, encoding } }
  }
  if (kind === 'text') return readText(read.readable.text)
  return read.readable.text === '' ? noText : read
}

const noText: Read = { ok: false, problem: { code: 'no_text' } }

function readText(whole: string): Read {
  const text = inLines(whole.slice(0, textMost))
  return text === '' ? noText : { ok: true, readable: { title: '', text } }
}

/** True for a page of HTML by its type, or by its beginning where it has none. */
export const isHtmlPage = (mediaType: string, body: Buffer): boolean =>
  mediaType === 'text/html' ||
  mediaType === 'application/xhtml+xml' ||
  (mediaType === '' && /^\s*<(?:!doctype|html)/i.test(body.toString('latin1', 0, 1_024)))

const charset = /charset\s*=\s*["']?([\w.:-]+)/i

/**
 * The text of a page: by its byte order mark, else by the first encoding it is named with that fits
 * it (header, `meta`, XML declaration). Null where nothing fits: the reader looks for it.
 */
function decoded(type: string, body: Buffer, isHtml: boolean): string | null {
  const head = body.toString('latin1', 0, headBytes)
  const own = [
    isHtml ? /<meta[^<>]{1,500}charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] : undefined,
    /^\s*<\?xml[^<>]{1,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1],
  ]
  // What says so in letters of one byte is not in UTF-16.
  const labels = [
    charset.exec(type)?.[1],
    ...own.map((label) => label?.replace(/^utf-16.*/is, 'utf-8')),
  ].filter((label) => label !== undefined)
  const marked = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(head) ? certainText(body) : null
  const first = <T>(read: (label: string) => T | null) =>
    labels.map(read).find((it) => it !== null) ?? null
  const found =
    marked ??
    first((label) => decodeAs(label, body)) ??
    certainText(body) ??
    first((label) => decodeLoosely(label, body))
  return found?.text ?? null
}
