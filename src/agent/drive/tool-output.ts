import { texts } from '../../locales/texts.ts'
import { cleanText } from '../domain/clean-text.ts'
import type { Delivery } from '../domain/delivery.ts'
import { beginningOf, type MadeFile, madeFileLimits, sizeOf } from '../domain/made-file.ts'
import { say, withOffers } from '../kernel/messages.ts'
import { quoted } from '../literal-block.ts'
import type { Change } from '../ports/store.ts'
import type { ToolResult } from '../ports/tool.ts'
import type { AnyEvent } from '../strategies/strategy.ts'
import type { Session } from './session.ts'

/** Of a file's beginning in the thread, for who cannot or need not open it. In characters. */
const shownMost = 600

/** The files of a result that can be handed over; of the others the text says that they were left out. */
export function filesOf({ files = [], text }: ToolResult): { text: string; files: readonly MadeFile[] } {
  const named = files.map((file) => ({ ...file, name: cleanText(file.name) }))
  const kept = named.filter((file) => sizeOf(file) <= madeFileLimits.bytes).slice(0, madeFileLimits.files)
  const left = named.filter((file) => !kept.includes(file)).map((file) => `${file.name} (${sizeOf(file)} bytes)`)
  const note = left.length === 0 ? '' : `\n[too large or too many to hand over: ${left.join(', ')}]`
  return { text: text + note, files: kept }
}

/**
 * What tools have for the people of the thread, notes and files, in the commit that holds their results: shown once, whatever
 * crashes. Work that has no thread yet has nobody to hand it to.
 */
export async function handedOver(session: Session, events: readonly AnyEvent[]): Promise<Partial<Change>[]> {
  const observed = events.flatMap((event) => (event.kind === 'observed' ? [event, ...(event.along ?? [])] : []))
  const place = observed.some(({ note, made }) => note ?? made) ? await session.place() : null
  if (place === null) return []
  const { id, locale } = place.conversation
  const { run, deps } = session
  const tell = (purpose: string, text: string) =>
    say(id, { kind: 'run', refId: run.id }, purpose, text, deps.clock.now(), run.id)
  return observed.flatMap(({ note, made }) => [
    ...(note === undefined ? [] : [withOffers(tell(`note:${note.step}`, note.text), note.offers)]),
    ...(made?.files ?? []).map((file, index) =>
      withFile(tell(`file:${made?.step}:${index}`, madeInWords(file, texts(locale).core.made)), file),
    ),
  ])
}

function madeInWords(file: MadeFile, words: (name: string, type: string, bytes: number) => string): string {
  const line = words(file.name, file.type, sizeOf(file))
  const begins = beginningOf(file, shownMost)
  return begins === null ? line : `${line}\n\n${quoted(begins, () => '')}`
}

function withFile(said: Partial<Change>, file: MadeFile): Partial<Change> {
  const deliveries = (said.deliveries ?? []).map(
    (one): Delivery => (one.body.kind === 'message' ? { ...one, body: { ...one.body, file } } : one),
  )
  return { ...said, deliveries }
}
