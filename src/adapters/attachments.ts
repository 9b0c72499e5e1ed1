import { inflateSync } from 'node:zlib'
import type { FileRef, InboundEvent } from '../agent/domain/event.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Model } from '../agent/ports/model.ts'
import { type Texts, texts } from '../locales/texts.ts'

/*
 * What people attach, as words for a task: text as it is, PDF as far as its text can be taken out without a renderer.
 * Images are told in the words of a model that sees. Everything else is named, so that nobody believes it was read.
 */

/** The most that is taken of one file, in characters. */
const mostCharacters = 20_000

type FileWords = Texts['files']

/** Kinds of images that models take. */
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads what is attached to a message, each file by itself; `download` answers null for one that cannot be had. */
export function createAttachments(deps: {
  /** The platform's name, for people. */
  platform: string
  /** Files of a message that are read, and how large each may be. */
  limits: { files: number; bytes: number }
  see: Model['see']
  download(event: InboundEvent, file: FileRef, signal: AbortSignal): Promise<Buffer | null>
}): NonNullable<Channel['attachments']> {
  async function read(event: InboundEvent, file: FileRef, words: FileWords, signal: AbortSignal): Promise<string> {
    const { name, mimetype: type, size } = file
    const see = images.includes(type) ? deps.see : undefined
    if (see === undefined && !isReadable(name, type)) return words.unreadable(name, type)
    if (size > deps.limits.bytes) return words.tooLarge(name, deps.limits.bytes / 1024 / 1024)
    const bytes = await deps.download(event, file, signal)
    if (bytes === null) return words.failed(name, deps.platform)
    if (see === undefined) return fileInWords({ name, type, bytes }, words)
    const seen = await see({ type, bytes }, signal)
    return seen === null ? words.unreadable(name, type) : textInWords(seen, words.image(name), words)
  }

  return async (event, locale, signal) => {
    const files = event.content.kind === 'message' ? (event.content.files ?? []) : []
    const words = texts(locale).files
    const read_ = files.slice(0, deps.limits.files).map((file) => read(event, file, words, signal))
    return (await Promise.all(read_)).join('\n\n')
  }
}

/** The body of an answer; null as soon as it is larger than `most` bytes. */
export async function bytesOf({ body }: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const textTypes = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|csv|sql|javascript|typescript|x-sh|x-ndjson))/
const textNames =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ndjson|xml|ya?ml|toml|ini|log|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql)$/i

/** Whether a file of this kind can be read at all; asked before it is fetched. */
function isReadable(name: string, type: string): boolean {
  return isPdf(name, type) || textTypes.test(type) || textNames.test(name)
}

const isPdf = (name: string, type: string): boolean => type.startsWith('application/pdf') || /\.pdf$/i.test(name)

/** A file as a part of a message, for a person's task to read. */
function fileInWords(
  file: { name: string; type: string; bytes: Buffer },
  words: Pick<FileWords, 'heading' | 'unreadable' | 'cut'>,
): string {
  const { name, type, bytes } = file
  const text = isPdf(name, type) ? textOfPdf(bytes) : textOfBytes(bytes)
  if (text === null || text.trim() === '') return words.unreadable(name, type)
  return textInWords(text, words.heading(name), words)
}

/** The text of a file under its heading, fenced, and not more than a task can read. */
function textInWords(text: string, heading: string, words: Pick<FileWords, 'cut'>): string {
  const letters = Array.from(text)
  const shown = letters.slice(0, mostCharacters).join('')
  const fence = '`'.repeat(Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  const rest = letters.length > mostCharacters ? `\n${words.cut}` : ''
  return `${heading}\n${fence}\n${shown.trimEnd()}\n${fence}${rest}`
}

/** Null for bytes that are no text. */
function textOfBytes(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? null : text.replace(/\r\n?/g, '\n')
  } catch {
    return null
  }
}

/** The words that a PDF's pages show, line by line; null when they are drawn with fonts of its own encoding. */
function textOfPdf(bytes: Buffer): string | null {
  const raw = bytes.toString('latin1')
  const lines: string[] = []
  for (const match of raw.matchAll(/stream\r?\n/g)) {
    const start = match.index + match[0].length
    const end = raw.indexOf('endstream', start)
    if (end === -1) break
    const header = raw.slice(Math.max(0, match.index - 400), match.index)
    const body = bytes.subarray(start, end)
    const content =
      header.lastIndexOf('/FlateDecode') > header.lastIndexOf('endobj') ? inflated(body) : body.toString('latin1')
    if (content !== null && /\bT[jJ]\b/.test(content)) lines.push(...linesOf(content))
  }
  const text = lines.join('\n').trim()
  const readable = Array.from(text).filter((letter) => /[\p{L}\p{N}\p{P}\s]/u.test(letter)).length
  return text === '' || readable < text.length * 0.8 ? null : text
}

function inflated(body: Buffer): string | null {
  try {
    return inflateSync(body, { maxOutputLength: 8 * 1024 * 1024 }).toString('latin1')
  } catch {
    return null
  }
}

/** Strings that are shown (`Tj`, `TJ`), a new line where the text moves down. */
function linesOf(content: string): string[] {
  const lines: string[] = ['']
  const tokens = /\((?:\\[\s\S]|[^\\()])*\)|\bT[dDm*]\b|-?\d+(?:\.\d+)?(?=[^\]()]*\()|'/g
  for (const [token] of content.matchAll(tokens)) {
    if (token.startsWith('(')) lines[lines.length - 1] += unescaped(token.slice(1, -1))
    else if (token.startsWith('T') || token === "'") lines.push('')
    // In an array, a wide gap between two strings is a blank.
    else if (Number(token) < -200) lines[lines.length - 1] += ' '
  }
  return lines.filter((line) => line.trim() !== '')
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|([\s\S]))/g, (_, octal: string | undefined, letter: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return { n: '\n', r: '', t: ' ', '\n': '' }[letter ?? ''] ?? letter ?? ''
  })
