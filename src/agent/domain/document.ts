import { isBinary } from './text-bytes.ts'

/**
 * Documents that others made and that are taken apart by a library: their text is asked for through
 * the port `Documents`.
 */
export type DocumentKind =
  | 'html'
  | 'text'
  /** Text whose columns are divided by commas, semicolons or tabs. */
  | 'csv'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  /**
   * Every zip: Word, Excel, PowerPoint, OpenDocument and EPUB by its entries, else the list of its
   * files.
   */
  | 'zip'
  | 'ole'
  | 'rtf'
  | 'mail'

/** Why a document gave no text; the sentences for people and the model are in the locales. */
export type DocumentProblem =
  /** It took longer than reading may take. */
  | 'too_slow'
  /** It wanted more memory than reading may take. */
  | 'too_big'
  /** It is damaged, locked, or not what it says it is. */
  | 'unreadable'
  /** It is neither text nor a document of a kind that is read. */
  | 'binary'
  /** It is of a program that writes other files today. */
  | 'old_format'
  /** It is text in an encoding that cannot be read; which one comes with the answer. */
  | 'encoding'
  /** Too many others wait. */
  | 'busy'
  /** Document reader that does not run on this machine; the log says why. */
  | 'not_started'
  /** The caller no longer wants it, or Clew stops. */
  | 'stopped'

/** Parts of a document that its text lacks. */
export const gapCodes = [
  'damaged_pages',
  'pages_without_text',
  'sheets_without_cells',
  'formulas_without_results',
  'pictures',
  'files',
  'tables',
] as const

/** Something that a text lacks: which pages, sheets or files by their names, how many pictures. */
export interface Gap {
  code: (typeof gapCodes)[number]
  items: readonly string[]
}

/**
 * Named part of a text (a page, a sheet, a slide, a file of a zip) and the character where it
 * begins.
 */
export interface Section {
  name: string
  at: number
}

/** Tables of a document: cells as calculations take them, and what is in them, in words. */
export interface KeptTables {
  cells: string
  outline: string
}

/** The text of a document. */
export interface Readable {
  /** Empty where the document names none. */
  title: string
  text: string
  /** Absent where it has none. */
  sections?: Section[] | undefined
  /** Encoding of a text that was found by looking at it, and may be another one. */
  encoding?: string | undefined
  gaps?: readonly Gap[] | undefined
  tables?: KeptTables | undefined
}

const office = 'application/vnd.openxmlformats-officedocument'

/** Beginnings of files, as Latin-1. */
const signatures = [
  { kind: 'zip', begins: 'PK\x03\x04' },
  { kind: 'ole', begins: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { kind: 'rtf', begins: '{\\rtf' },
] as const

const fileKinds = [
  { kind: 'pdf', type: 'application/pdf', names: /\.pdf$/i },
  { kind: 'docx', type: `${office}.wordprocessingml.`, names: /\.docx$/i },
  { kind: 'xlsx', type: `${office}.spreadsheetml.`, names: /\.xlsx$/i },
  {
    kind: 'zip',
    type: `${office}.presentationml.`,
    names: /\.(?:pptx|xlsm|docm|od[pst]|epub|zip)$/i,
  },
  { kind: 'zip', type: 'application/vnd.oasis.opendocument.', names: /\.od[pst]$/i },
  { kind: 'zip', type: 'application/zip', names: /\.zip$/i },
  { kind: 'mail', type: 'message/rfc822', names: /\.eml$/i },
  { kind: 'csv', type: 'text/csv', names: /\.(?:csv|tsv|tab)$/i },
  { kind: 'csv', type: 'text/tab-separated-values', names: /\.tsv$/i },
] as const

type FileKind = (typeof fileKinds | typeof signatures)[number]['kind']

/**
 * Kind of document by its media type or else its name; null for those that no reader is there for.
 */
function documentKindOf(name: string, type: string): FileKind | null {
  const is =
    fileKinds.find((one) => type.toLowerCase().startsWith(one.type)) ??
    fileKinds.find((one) => one.names.test(name))
  return is?.kind ?? null
}

/** Kinds of images that models take. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const isImageType = (type: string): boolean => imageTypes.includes(type)

/**
 * Kind of a file by the bytes at its beginning, then by its type and name; null for what is neither
 * text nor a document (C405).
 */
export function fileKindOf(
  { name, type }: { name: string; type: string },
  head: Uint8Array,
): FileKind | 'text' | null {
  const start = new TextDecoder('latin1').decode(head.subarray(0, 1_024))
  if (/^\s*%PDF-/.test(start)) return 'pdf'
  const signed = signatures.find(({ begins }) => start.startsWith(begins))
  if (signed !== undefined) return signed.kind
  return documentKindOf(name, type) ?? (isBinary(head) ? null : 'text')
}

/** Length of a document's text, in characters; the rest is not read. */
export const textMost = 2_000_000
