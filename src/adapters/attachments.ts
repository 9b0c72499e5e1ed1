import { fileKindOf, isImageType } from '../agent/domain/document.ts'
import type { InboundEvent } from '../agent/domain/event.ts'
import type { FileRef } from '../agent/domain/file-ref.ts'
import { certainText } from '../agent/domain/text-bytes.ts'
import type { Channel, Look } from '../agent/ports/channel.ts'
import type { DocumentRead, Documents } from '../agent/ports/documents.ts'
import { type Texts, texts } from '../locales/texts.ts'

/*
 * What people attach, as words for a task: text as it is (C405), the text of documents through their port (C61). Images are told in the words of a model that sees. Everything else is named, so that nobody believes it was read.
 */

/** The most that is taken of one file, in characters. */
const mostCharacters = 20_000

type FileWords = Texts['files']

/** Reads what is attached to a message, each file by itself; `download` answers null for one that cannot be had. */
export function createAttachments(deps: {
  /** The platform's name, for people. */
  platform: string
  /** Files of a message that are read, and how large each may be. */
  limits: { files: number; bytes: number }
  documents: Documents
  /** A file whose address has to be asked for; null where the platform does not tell it. */
  find?(event: InboundEvent, file: FileRef): Promise<FileRef | null>
  download(event: InboundEvent, file: FileRef, signal: AbortSignal): Promise<Buffer | null>
}): NonNullable<Channel['attachments']> {
  async function read(
    event: InboundEvent,
    given: FileRef,
    words: FileWords,
    signal: AbortSignal,
    eye?: Look,
  ) {
    if (given.seconds !== undefined) return words.voice(given.seconds)
    if (given.gone !== undefined) return words.gone[given.gone](given.name, deps.platform)
    const file = given.url === '' ? await deps.find?.(event, given) : given
    if (file == null) return words.failed(given.name, deps.platform)
    const { name, mimetype: type, size } = file
    const look = isImageType(type) ? eye : undefined
    if (look === undefined && /^(?:image\/(?!svg)|audio\/)/.test(type))
      return words.unreadable(name, type)
    if (size > deps.limits.bytes) return words.tooLarge(name, deps.limits.bytes / 1024 / 1024)
    const bytes = await deps.download(event, file, signal)
    if (bytes === null) return words.failed(name, deps.platform)
    if (look === undefined) return await fileInWords({ name, type, bytes }, signal, words)
    const seen = await look({ name, type, bytes }, signal)
    if (seen.kind === 'used_up') return words.usedUp(name)
    return seen.kind === 'unknown'
      ? words.unreadable(name, type)
      : textInWords(seen.words, words.image(name), words)
  }

  /** A file as a part of a message, for a person's task to read. */
  async function fileInWords(
    { name, type, bytes }: { name: string; type: string; bytes: Buffer },
    signal: AbortSignal,
    words: FileWords,
  ): Promise<string> {
    const kind = fileKindOf({ name, type }, bytes)
    if (kind === null) return words.problems.binary(words.attached(name))
    const certain = kind === 'text' ? certainText(bytes) : null
    const read: DocumentRead =
      certain === null
        ? await deps.documents.read({ kind, bytes }, signal)
        : { ok: true, readable: { title: '', text: certain.text } }
    if (!read.ok) return words.problems[read.problem](words.attached(name), read.encoding ?? '')
    const { text, encoding, gaps = [] } = read.readable
    const heading = encoding === undefined ? words.heading(name) : words.guessed(name, encoding)
    const shown = text.trim() === '' ? words.noText(name) : textInWords(text, heading, words)
    return [shown, ...gaps.map(({ code, items }) => words.gaps[code](items.join(', ')))].join('\n')
  }

  return async (event, locale, signal, look) => {
    const files = event.content.kind === 'message' ? (event.content.files ?? []) : []
    const words = texts(locale).files
    const read_ = files
      .slice(0, deps.limits.files)
      .map((file) => read(event, file, words, signal, look))
    return (await Promise.all(read_)).join('\n\n')
  }
}

/** The text of a file under its heading, fenced, and not more than a task can read. */
function textInWords(text: string, heading: string, words: Pick<FileWords, 'cut'>): string {
  const lines = text.slice(0, mostCharacters * 3).replace(/\r\n?/g, '\n')
  const letters = Array.from(lines.slice(0, mostCharacters * 2 + 1))
  const shown = letters.slice(0, mostCharacters).join('')
  const fence = '`'.repeat(
    Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  )
  const rest = letters.length > mostCharacters ? `\n${words.cut}` : ''
  return `${heading}\n${fence}\n${shown.trimEnd()}\n${fence}${rest}`
}
