import { fileKindOf, isImageType, textMost } from '../agent/domain/document.ts'
import type { InboundEvent } from '../agent/domain/event.ts'
import type { FileRef } from '../agent/domain/file-ref.ts'
import { outlineOf, partAt } from '../agent/domain/kept-document.ts'
import { certainText } from '../agent/domain/text-bytes.ts'
import type { Channel, Hear, Keep, Look } from '../agent/ports/channel.ts'
import type { DocumentRead, Documents } from '../agent/ports/documents.ts'
import { type Texts, texts } from '../locales/texts.ts'

/*
 * Converts attachments into words for a task. Text is included as it is (C405) and documents by
 * their text (C61). Images become the words of a model that sees, audio those of one that hears.
 * Everything else is only named, so that nobody believes it was read.
 */

/** Longest excerpt of one file, in characters. */
const mostCharacters = 20_000

interface Reading {
  signal: AbortSignal
  look: Look | undefined
  keep: Keep | undefined
  hear: Hear | undefined
}

type FileWords = Texts['files']

/**
 * Reads the attachments of a message one by one. `download` returns `null` for a file that is not
 * available.
 */
export function createAttachments(deps: {
  /** Platform's name for people. */
  platform: string
  /** Most files of a message that are read, and the largest size of each in bytes. */
  limits: { files: number; bytes: number }
  documents: Documents
  /** Looks up a file whose address is missing. Returns `null` if the platform does not tell it. */
  find?(event: InboundEvent, file: FileRef): Promise<FileRef | null>
  download(event: InboundEvent, file: FileRef, signal: AbortSignal): Promise<Buffer | null>
}): NonNullable<Channel['attachments']> {
  async function read(
    event: InboundEvent,
    given: FileRef,
    words: FileWords,
    { signal, look: eye, keep, hear }: Reading,
  ) {
    if (given.gone !== undefined) return words.gone[given.gone](given.name, deps.platform)
    const file = given.url === '' ? await deps.find?.(event, given) : given
    if (file == null) return words.failed(given.name, deps.platform)
    const { name, mimetype: type, size } = file
    const isAudio = file.seconds !== undefined || /^audio\//.test(type)
    if (isAudio && hear === undefined) return words.notHeard(spoken(file, words))
    const look = isImageType(type) ? eye : undefined
    if (look === undefined && /^image\/(?!svg)/.test(type)) return words.unreadable(name, type)
    if (size > deps.limits.bytes) return words.tooLarge(name, deps.limits.bytes / 1024 / 1024)
    const bytes = await deps.download(event, file, signal)
    if (bytes === null) return words.failed(name, deps.platform)
    if (isAudio && hear !== undefined)
      return heardInWords(file, await hear({ name, type, bytes }, signal), words)
    if (look === undefined) return await fileInWords({ name, type, bytes }, { signal, keep }, words)
    const seen = await look({ name, type, bytes }, signal)
    if (seen.kind === 'used_up') return words.usedUp(name)
    return seen.kind === 'unknown'
      ? words.unreadable(name, type)
      : textInWords(seen.words, words.image(name), words)
  }

  /** Renders a file as a part of the message that a task reads. */
  async function fileInWords(
    { name, type, bytes }: { name: string; type: string; bytes: Buffer },
    { signal, keep }: Pick<Reading, 'signal' | 'keep'>,
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
    const { text, encoding, gaps = [], sections = [], tables } = read.readable
    const heading = encoding === undefined ? words.heading(name) : words.guessed(name, encoding)
    const shown = text.trim() === '' ? words.noText(name) : textInWords(text, heading, words)
    const kept = { name, text: text.slice(0, textMost), sections, cells: tables?.cells }
    const isLong = text.length > mostCharacters
    const isKept = (isLong || tables !== undefined) && ((await keep?.(kept)) ?? false)
    const rest = isKept && isLong ? [words.kept(name, partAt(kept, 0), outlineOf(kept))] : []
    if (isKept && tables !== undefined) rest.push(words.tables(name, tables.outline))
    if (!isKept && tables !== undefined && keep !== undefined) rest.push(words.tablesNotKept(name))
    const missing = gaps.map(({ code, items }) => words.gaps[code](items.join(', ')))
    return [shown, ...rest, ...missing].join('\n')
  }

  return async (event, locale, signal, look, keep, hear) => {
    const files = event.content.kind === 'message' ? (event.content.files ?? []) : []
    const words = texts(locale).files
    const read_ = files
      .slice(0, deps.limits.files)
      .map((file) => read(event, file, words, { signal, look, keep, hear }))
    return (await Promise.all(read_)).join('\n\n')
  }
}

/** Beginning of a sentence about audio. */
const spoken = ({ name, seconds }: FileRef, words: FileWords): string =>
  seconds === undefined ? words.attached(name) : words.voice(seconds)

function heardInWords(file: FileRef, heard: Awaited<ReturnType<Hear>>, words: FileWords): string {
  const what = spoken(file, words)
  if (heard.kind === 'used_up') return words.hearingUsedUp(what)
  if (heard.kind === 'unknown') return words.hearingFailed(what)
  return heard.words === ''
    ? words.nothingSaid(what)
    : textInWords(heard.words, words.heard(what), words)
}

/** Renders a file's text in a code fence under its heading, cut to what a task can read. */
function textInWords(text: string, heading: string, words: Pick<FileWords, 'cut'>): string {
  const lines = text.slice(0, mostCharacters * 3).replace(/\r\n?/g, '\n')
  const letters = Array.from(lines.slice(0, mostCharacters * 2 + 1))
  const shown = letters.slice(0, mostCharacters).join('')
  const fence = '`'.repeat(
    Math.max(3, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length + 1)),
  )
  const rest =
    letters.length > mostCharacters
      ? `\n${words.cut(mostCharacters, text.length, text.length >= textMost)}`
      : ''
  return `${heading}\n${fence}\n${shown.trimEnd()}\n${fence}${rest}`
}
