import { isBinary } from './text-bytes.ts'

/** Documents that others made and that are taken apart by a library: their text is asked for through the port `Documents`. */
export type DocumentKind = 'html' | 'text' | 'pdf' | 'docx' | 'xlsx'

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
  /** It is text in an encoding that cannot be read; which one comes with the answer. */
  | 'encoding'
  /** Too many others wait. */
  | 'busy'
  /** What reads documents does not run on this machine; the log says why. */
  | 'not_started'
  /** The caller no longer wants it, or Clew stops. */
  | 'stopped'

/** The text of a document. */
export interface Readable {
  /** Empty where the document names none. */
  title: string
  text: string
  /** Encoding of a text that was found by looking at it, and may be another one. */
  encoding?: string | undefined
}

const office = 'application/vnd.openxmlformats-officedocument'

const fileKinds = [
  { kind: 'pdf', type: 'application/pdf', extension: '.pdf' },
  { kind: 'docx', type: `${office}.wordprocessingml.document`, extension: '.docx' },
  { kind: 'xlsx', type: `${office}.spreadsheetml.sheet`, extension: '.xlsx' },
] as const

type FileKind = (typeof fileKinds)[number]['kind']

/** Kind of document by its media type or else its name; null for those that no reader is there for. */
export function documentKindOf(name: string, type: string): FileKind | null {
  const named = name.toLowerCase()
  const is =
    fileKinds.find((one) => type.toLowerCase().startsWith(one.type)) ??
    fileKinds.find((one) => named.endsWith(one.extension))
  return is?.kind ?? null
}

/** Kinds of images that models take. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const isImageType = (type: string): boolean => imageTypes.includes(type)

/**
 * Kind of a file by the bytes at its beginning, then by its type and name; null for what is neither text nor a document
 * (C405).
 */
export function fileKindOf(
  { name, type }: { name: string; type: string },
  head: Uint8Array,
): FileKind | 'text' | null {
  const isPdf = new TextDecoder('latin1').decode(head.subarray(0, 1_024)).includes('%PDF-')
  if (isPdf) return 'pdf'
  return documentKindOf(name, type) ?? (isBinary(head) ? null : 'text')
}
