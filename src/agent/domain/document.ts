/** Documents that others made and that are taken apart by a library: their text is asked for through the port `Documents`. */
export type DocumentKind = 'html' | 'pdf' | 'docx' | 'xlsx'

/** Why a document gave no text; the sentences for people and the model are in the locales. */
export type DocumentProblem =
  /** It took longer than reading may take. */
  | 'too_slow'
  /** It wanted more memory than reading may take. */
  | 'too_big'
  /** It is damaged, locked, or not what it says it is. */
  | 'unreadable'
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
}

const office = 'application/vnd.openxmlformats-officedocument'

const fileKinds = [
  { kind: 'pdf', type: 'application/pdf', extension: '.pdf' },
  { kind: 'docx', type: `${office}.wordprocessingml.document`, extension: '.docx' },
  { kind: 'xlsx', type: `${office}.spreadsheetml.sheet`, extension: '.xlsx' },
] as const

/** What kind of document a file is, by its media type or else its name; null for those that no reader is there for. */
export function documentKindOf(name: string, type: string): Exclude<DocumentKind, 'html'> | null {
  const named = name.toLowerCase()
  const is =
    fileKinds.find((one) => type.toLowerCase().startsWith(one.type)) ??
    fileKinds.find((one) => named.endsWith(one.extension))
  return is?.kind ?? null
}

/** Kinds of images that models take. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const isImageType = (type: string): boolean => imageTypes.includes(type)

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|csv|sql|javascript|typescript|x-sh|x-ndjson))/
const textNames =
  /\.(?:txt|md|markdown|csv|tsv|json|jsonl|ndjson|xml|ya?ml|toml|ini|log|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql)$/i

/** Whether a file of this kind has text that can be read. */
export const hasReadableText = (name: string, type: string): boolean =>
  documentKindOf(name, type) !== null || textTypes.test(type) || textNames.test(name)
