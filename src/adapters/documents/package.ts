import { strFromU8, unzipSync } from 'fflate'
import type { Gap, Readable } from '../../agent/domain/document.ts'
import { fileKindOf, textMost } from '../../agent/domain/document.ts'
import { readOffice } from './office.ts'
import { inSections, type Part } from './sections.ts'
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
  if (read === null) return await filesOf(bytes, entries)
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
const isPicture = ({ name }: Entry) =>
  !/thumbnail/i.test(name) &&
  /\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)$|charts\/chart\d*\.xml$/i.test(name)

/** Most files of a zip that are read, and bytes of one and of all of them, unpacked. */
const readMost = { files: 200, bytes: 10 * 1024 * 1024, all: 50 * 1024 * 1024 }

/** Reads the list of a zip's files, and of each that is text or a document its text (C792). */
async function filesOf(bytes: Uint8Array, entries: readonly Entry[]): Promise<Readable> {
  let [count, size] = [0, 0]
  const chosen = new Set<string>()
  unzipSync(bytes, {
    filter({ name, originalSize, size: stored, compression }) {
      const isLocked = compression === 0 && stored !== originalSize
      const isRead =
        !name.endsWith('/') &&
        !isLocked &&
        originalSize <= readMost.bytes &&
        count < readMost.files &&
        size + originalSize <= readMost.all
      if (isRead) {
        ;[count, size] = [count + 1, size + originalSize]
        chosen.add(name)
      }
      return false
    },
  })
  const files = unpackedFrom(bytes, chosen)
  const parts: Part[] = [{ name: 'list of files', text: listOf(entries) }]
  const unread: string[] = []
  for (const { name } of entries.filter((one) => !one.name.endsWith('/'))) {
    const found = await textsIn(name, files[name])
    if (found.length === 0) unread.push(name)
    parts.push(...found)
  }
  return { title: '', ...inSections(parts), gaps: [{ code: 'files', items: unread }] }
}

/** Files of a zip; one by one if one of them is damaged, locked or packed in a way of its own. */
function unpackedFrom(bytes: Uint8Array, names: ReadonlySet<string>): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: ({ name }) => names.has(name) })
  } catch {
    const files: Record<string, Uint8Array> = {}
    for (const name of names) {
      try {
        Object.assign(files, unzipSync(bytes, { filter: (one) => one.name === name }))
      } catch {
        // It stays without bytes, and is named as not read.
      }
    }
    return files
  }
}

/** Texts of a file in a zip, under its path; none where it cannot be read. */
async function textsIn(path: string, bytes: Uint8Array | undefined): Promise<Part[]> {
  if (bytes === undefined) return []
  try {
    const { text, sections = [] } = await readInner(path, bytes)
    if (text.trim() === '') return []
    if (sections.length === 0) return [{ name: path, text: `${path}:\n${text}` }]
    return sections.map(({ name, at }, n) => ({
      name: `${path}, ${name}`,
      text: text.slice(at, sections[n + 1]?.at),
    }))
  } catch (error) {
    if (error instanceof RangeError) throw error
    return []
  }
}

async function readInner(path: string, bytes: Uint8Array): Promise<Readable> {
  const kind = fileKindOf({ name: path, type: '' }, bytes)
  if (kind === 'text' || kind === 'csv') return readText(bytes)
  if (kind === 'pdf') return await (await import('./pdf.ts')).readPdf(bytes)
  if (kind === 'rtf') return await readOffice(bytes)
  const isPackage = kind === 'docx' || kind === 'xlsx' || kind === 'zip'
  const inner: Entry[] = []
  if (isPackage)
    unzipSync(bytes, {
      filter({ name, originalSize }) {
        inner.push({ name, bytes: originalSize })
        return false
      },
    })
  // A zip in a zip stays a name in the list.
  return (await readerOf(inner, {})?.(bytes)) ?? { title: '', text: '' }
}

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
