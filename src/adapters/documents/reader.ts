import type { DocumentKind, Gap, Readable } from '../../agent/domain/document.ts'
import { textMost } from '../../agent/domain/document.ts'
import type { Answer, JobKind, Request } from './protocol.ts'
import { Unread } from './unread.ts'

/*
 * Process that reads documents, one at a time. Its input is treated as hostile: `confine.ts` limits
 * what it may do, and `reader-process.ts` ends it when it is too slow. It knows nothing of Clew's
 * settings or people.
 */

type Read = (bytes: Uint8Array) => Readable | Promise<Readable>

/** Loaders by kind, so that each library loads with the first document that needs it. */
const readers: Readonly<Record<DocumentKind, () => Promise<Read>>> = {
  html: async () => (await import('./html.ts')).readHtml,
  text: async () => (await import('./text.ts')).readText,
  csv: async () => (await import('./tables/csv.ts')).readCsv,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => (await import('./package.ts')).readPackage,
  xlsx: async () => (await import('./package.ts')).readPackage,
  zip: async () => (await import('./package.ts')).readPackage,
  ole: async () => (await import('./ole.ts')).readOle,
  rtf: async () => (await import('./office.ts')).readOffice,
  mail: async () => (await import('./mail.ts')).readMail,
}
const titleMost = 300
const itemsMost = 40

/** Names of what is missing, with the number of those that have no room. */
function shortened({ code, items }: Gap): Gap {
  const named = items.slice(0, itemsMost).map((item) => item.slice(0, titleMost).toWellFormed())
  const more = items.length - named.length
  return { code, items: more > 0 ? [...named, `… +${more}`] : named }
}

const say = (answer: Answer) => process.send?.(answer)

let request: Request | null = null
let chunks: Buffer[] = []

/**
 * Reads the document once both its request and all of its bytes are here, since they arrive
 * separately.
 */
function readWhenComplete() {
  if (request === null || chunks.reduce((sum, chunk) => sum + chunk.length, 0) < request.bytes)
    return
  const { kind } = request
  const bytes = new Uint8Array(Buffer.concat(chunks))
  request = null
  chunks = []
  void read(kind, bytes)
}

async function calculate(bytes: Uint8Array) {
  try {
    const { prepared } = await import('./tables/calculated.ts')
    const calculated = await prepared(bytes)
    say({ said: 'begun' })
    say(calculated())
  } catch (error) {
    say(answerTo(error))
  }
}

async function read(kind: JobKind, bytes: Uint8Array): Promise<void> {
  if (kind === 'calculation') return await calculate(bytes)
  try {
    const reader = await readers[kind]()
    say({ said: 'begun' })
    const { title, text, encoding, gaps, sections, tables } = await reader(bytes)
    say({
      said: 'text',
      title: title.slice(0, titleMost).toWellFormed(),
      text: text.slice(0, textMost).toWellFormed(),
      sections: sections?.map(({ name, at }) => ({ name: name.slice(0, titleMost), at })),
      encoding,
      gaps: gaps?.filter(({ items }) => items.length > 0).map(shortened),
      tables,
    })
  } catch (error) {
    say(answerTo(error))
  }
}

function answerTo(error: unknown): Answer {
  if (error instanceof Unread) return { said: error.problem, encoding: error.encoding }
  // A RangeError means that nesting is too deep or memory cannot be allocated.
  return { said: error instanceof RangeError ? 'too_big' : 'unreadable' }
}

process.on('message', (message: Request) => {
  request = message
  readWhenComplete()
})
process.stdin.on('data', (chunk: Buffer) => {
  chunks.push(chunk)
  readWhenComplete()
})
process.on('disconnect', () => process.exit(0))
say({ said: 'ready' })
