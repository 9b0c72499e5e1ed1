import { texts } from '../../locales/texts.ts'
import { codeBlock } from '../code-block.ts'
import { cleanText } from '../domain/clean-text.ts'
import { beginningOf, type MadeFile, madeFileLimits, sizeOf } from '../domain/made-file.ts'
import type { Author } from '../domain/message.ts'
import { mergeChanges } from '../kernel/change.ts'
import {
  calling,
  type Posted,
  postMessage,
  runOrigin,
  withBody,
  withOffers,
} from '../kernel/messages.ts'
import type { ToolResult } from '../ports/tool.ts'
import { resultsIn } from '../strategies/calls.ts'
import type { AnyEvent, Observed } from '../strategies/strategy.ts'
import type { Line, Scene } from './scene.ts'

/** Length of a file's preview in the thread, in characters. */
const shownMost = 600

/**
 * The files of a result that can be handed over; of the others the text says that they were left
 * out.
 */
export function filesOf({ files = [], text }: ToolResult): {
  text: string
  files: readonly MadeFile[]
} {
  const named = files.map((file) => ({ ...file, ...cleaned(file) }))
  const kept = named
    .filter((file) => sizeOf(file) <= madeFileLimits.bytes)
    .slice(0, madeFileLimits.files)
  const left = named
    .filter((file) => !kept.includes(file))
    .map((file) => `${file.name} (${sizeOf(file)} bytes)`)
  const note = left.length === 0 ? '' : `\n[too large or too many to hand over: ${left.join(', ')}]`
  return { text: text + note, files: kept }
}

/** Its words, which may be anybody's. */
const cleaned = ({ name, alt }: MadeFile): Pick<MadeFile, 'name' | 'alt'> =>
  alt === undefined ? { name: cleanText(name) } : { name: cleanText(name), alt: cleanText(alt) }

/**
 * Posts the notes and files of tools in the commit that holds their results, so that a crash shows
 * nothing twice. Work without a thread has nobody to show them to.
 */
export function toolOutput(events: readonly AnyEvent[]): Line[] {
  const observed = events.flatMap((event) =>
    event.kind === 'observed' ? resultsIn(event) : reported(event),
  )
  return observed.some(({ note, made }) => note ?? made)
    ? [(scene) => mergeChanges(...observed.flatMap((one) => outputOf(scene, one)))]
    : []
}

type Output = Pick<Observed, 'note' | 'made'>

const reported = (event: AnyEvent): Output[] =>
  event.kind === 'reported' && event.made !== undefined ? [{ made: event.made }] : []

function outputOf({ run, thread, now }: Scene, { note, made }: Output): Posted[] {
  if (thread === null) return []
  const { id, locale } = thread.conversation
  const origin = runOrigin(run.id, id, now)
  const calledBy = ({ to }: { to?: Author }) => (to === undefined ? origin : calling(origin, to))
  const notes =
    note === undefined
      ? []
      : [
          withLinks(
            withOffers(postMessage(calledBy(note), `note:${note.step}`, note.text), note.offers),
            note.links,
          ),
        ]
  const files = (made?.files ?? []).map((file, index) => {
    const words = madeInWords(file, locale)
    return withBody(postMessage(origin, `file:${made?.step}:${index}`, words), { file })
  })
  return [...notes, ...files]
}

function withLinks(
  { messages: [message], deliveries }: Posted,
  links: readonly string[] = [],
): Posted {
  return {
    messages: [links.length === 0 ? message : { ...message, links: [...links] }],
    deliveries,
  }
}

function madeInWords(file: MadeFile, locale: string): string {
  const line = texts(locale).core.made(file.name, sizeInWords(sizeOf(file), locale))
  if (file.alt !== undefined) return `${line}\n\n${file.alt}`
  const begins = beginningOf(file, shownMost)
  return begins === null ? line : `${line}\n\n${codeBlock(begins, () => '')}`
}

function sizeInWords(bytes: number, locale: string): string {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1_000] : ['megabyte', 1_000_000]
  return new Intl.NumberFormat(locale, { style: 'unit', unit }).format(Math.ceil(bytes / size))
}
