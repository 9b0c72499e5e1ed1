import { strFromU8, unzipSync } from 'fflate'
import type { Gap, Readable } from '../../agent/domain/document.ts'
import { textMost } from '../../agent/domain/document.ts'
import { readOffice } from './office.ts'
import { readSheets } from './sheets.ts'
import { readText } from './text.ts'

interface Entry {
  name: string
  bytes: number
}

/** Most files that a list names. */
const listedMost = 2_000

/** Reads a zip as the document that its entries form, or else as a list of its files (C408). */
export async function readPackage(bytes: Uint8Array): Promise<Readable> {
  const entries: Entry[] = []
  const small = unzipSync(bytes, {
    filter({ name, originalSize }) {
      entries.push({ name, bytes: originalSize })
      return name === 'mimetype' && originalSize < 200
    },
  })
  const read = readerOf(entries, small)
  if (read === null) return { title: '', text: listOf(entries) }
  const readable = await read(bytes)
  const pictures = entries.filter(isPicture).length
  const gap: Gap = { code: 'pictures', items: pictures === 0 ? [] : [`${pictures}`] }
  return { ...readable, gaps: [...(readable.gaps ?? []), gap] }
}

/** Returns the reader for a zip, or `null` if it is not a document. */
function readerOf(entries: readonly Entry[], small: Record<string, Uint8Array>) {
  const type = strFromU8(small.mimetype ?? new Uint8Array())
  const has = (part: RegExp) => entries.some(({ name }) => part.test(name))
  if (has(/^xl\//) || type.includes('spreadsheet')) return readSheets
  const isOffice = has(/^(?:word|ppt)\//) || has(/^META-INF\/container\.xml$/)
  if (isOffice || type.includes('opendocument')) return readOffice
  return null
}

/** True for a picture. Charts count, since their numbers are also in a table or nowhere. */
const isPicture = ({ name }: Entry): boolean =>
  !/thumbnail/i.test(name) &&
  /\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)$|charts\/chart\d*\.xml$/i.test(name)

function listOf(entries: readonly Entry[]): string {
  const files = entries.filter(({ name }) => !name.endsWith('/')).slice(0, listedMost)
  const names = inOneEncoding(files.map(({ name }) => name))
  const lines = files.map(({ bytes }, at) => `${names[at]} (${bytes} bytes)`)
  return lines.join('\n').slice(0, textMost)
}

/**
 * Decodes file names whose encoding the zip does not state. The encoding is guessed from all names
 * together.
 */
function inOneEncoding(names: readonly string[]): readonly string[] {
  const whole = names.join('\n')
  if (!/[\x80-\xff]/.test(whole) || /[^\0-\xff]/.test(whole)) return names
  const guessed = readText(Buffer.from(whole, 'latin1')).text.split('\n')
  return guessed.length === names.length ? guessed : names
}
