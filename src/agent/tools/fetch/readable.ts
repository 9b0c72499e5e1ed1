import { type DocumentProblem, documentKindOf, type Readable } from '../../domain/document.ts'
import type { Document, Documents } from '../../ports/documents.ts'
import type { Page } from './request.ts'
import { tidy } from './tidy.ts'

type Read =
  | { ok: true; readable: Readable }
  | { ok: false; problem: { code: 'no_text' } }
  | {
      ok: false
      problem: { code: 'document'; problem: DocumentProblem; encoding?: string | undefined }
    }

/** The readable text of what came from an address: documents through the port, other text as it is, with single blanks. */
export async function readableOf(
  { type, body }: Pick<Page, 'type' | 'body'>,
  { url, documents, signal }: { url: URL; documents: Documents; signal: AbortSignal },
): Promise<Read> {
  const kind = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const document = documentIn(kind, { type, body, url })
  if (document !== null) {
    const read = await documents.read(document, signal)
    if (!read.ok) {
      const { problem, encoding } = read
      return { ok: false, problem: { code: 'document', problem, encoding } }
    }
    return read.readable.text === '' ? noText : read
  }
  const isText =
    kind === '' ||
    kind.startsWith('text/') ||
    /^application\/(?:json|xml|[\w.+-]*\+(?:json|xml))$/.test(kind)
  const text = isText ? tidy(textIn(type, body).slice(0, longestText)) : ''
  return text === '' ? noText : { ok: true, readable: { title: '', text } }
}

/** More of a text is never shown, in characters; putting blanks in order takes time. */
const longestText = 100_000

const noText: Read = { ok: false, problem: { code: 'no_text' } }

/** Null for what is no document. */
function documentIn(
  kind: string,
  { type, body, url }: { type: string; body: Buffer; url: URL },
): Document | null {
  const isHtml =
    kind === 'text/html' ||
    kind === 'application/xhtml+xml' ||
    (kind === '' && /^\s*<(?:!doctype|html)/i.test(body.toString('latin1', 0, 1_024)))
  if (isHtml) return { kind: 'html', bytes: Buffer.from(textIn(type, body)) }
  const isUnnamed = kind === '' || kind === 'application/octet-stream'
  const file = documentKindOf(isUnnamed ? url.pathname : '', kind)
  return file === null ? null : { kind: file, bytes: body }
}

function textIn(type: string, body: Buffer): string {
  const named = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? charsetOf(body)
  try {
    return new TextDecoder(named ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder('utf-8').decode(body)
  }
}

/** What the document says of itself, in its first bytes. */
const charsetOf = (body: Buffer): string | undefined =>
  /<meta[^<>]+charset\s*=\s*["']?([\w-]+)/i.exec(body.subarray(0, 2_048).toString('latin1'))?.[1]
