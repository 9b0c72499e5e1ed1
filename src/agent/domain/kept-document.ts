import { z } from 'zod'
import { wordsIn } from './search-words.ts'

export const Section = z.object({ name: z.string(), at: z.int() })

/**
 * Text of a file that somebody handed in, or of a page that was fetched, kept whole with its
 * conversation (C790).
 */
export const KeptDocument = z.object({
  version: z.literal(1),
  /** Of a page its address. */
  name: z.string(),
  text: z.string(),
  sections: z.array(Section),
  /** Cells of its tables, for calculations (C880); absent where it has none. */
  cells: z.string().optional(),
  /** Id of the person who handed it in, or for whom it was fetched; blank: nobody asked. */
  by: z.string(),
  /** The only person whose tasks read it (S95); absent: everybody's of the thread. */
  only: z.string().optional(),
  at: z.number(),
})
export type KeptDocument = z.infer<typeof KeptDocument>

/** Files, and pages, that a conversation keeps. */
export const documentsMost = 20

/** True for the name of a page or resource, which no file takes the place of. */
export const isPage = (name: string): boolean => /^(?:https?|mcp):\/\//.test(name)

/** Key of a document in its thread: what only one person's tasks read has one for each of them. */
export const keyOf = ({ name, only }: Pick<KeptDocument, 'name' | 'only'>): string =>
  only === undefined ? name : `${name}\0${only}`

/** Names behind keys, without those that are another person's alone (S95). */
export const namesFor = (keys: readonly string[], reader: string | undefined): string[] => {
  const parts = keys.map((key) => key.split('\0'))
  const own = parts.filter(([, only]) => only === undefined || only === reader)
  return [...new Set(own.map(([name = '']) => name))]
}

/** Length of a part of a document that names none, and of what is shown at once, in characters. */
const partLength = 3_000
const shownMost = 9_000

interface Span {
  name: string
  from: number
  to: number
}

type Text = Pick<KeptDocument, 'text' | 'sections'>

/** Parts of a document with where they stand: its own, or else parts of one length. */
function partsOf({ text, sections }: Text): Span[] {
  const count = Math.max(1, Math.ceil(text.length / partLength))
  const named =
    sections.length > 0
      ? sections
      : Array.from({ length: count }, (_, n) => ({ name: `part ${n + 1}`, at: n * partLength }))
  return named.map(({ name, at }, n) => ({ name, from: at, to: named[n + 1]?.at ?? text.length }))
}

/** Names of parts that an outline lists. */
const listedMost = 40

/** Names of a document's parts, on one line. */
export function outlineOf(document: Text): string {
  const names = partsOf(document).map(({ name }) => name)
  if (names.length <= listedMost) return names.join(', ')
  return `${names.slice(0, 3).join(', ')} … ${names.at(-1)} (${names.length} in all)`
}

/** Name of the part in which a character stands. */
export const partAt = (document: Text, at: number): string =>
  partsOf(document).findLast(({ from }) => from <= at)?.name ?? ''

/** Text of a part by its name, or of several (`page 3-5`); null: there is none of that name. */
export function partNamed(document: Text, wanted: string): string | null {
  const parts = partsOf(document)
  const find = (name: string) =>
    parts.findIndex((part) => part.name.toLowerCase() === name.trim().toLowerCase())
  const [, kind = '', first = '', last = first] =
    /^(.*?\D)(\d{1,9})(?: ?[-–] ?(\d{1,9}))?$/u.exec(wanted.trim()) ?? []
  const whole = find(wanted)
  const begin = parts[whole === -1 ? find(kind + first) : whole]
  const end = parts[whole === -1 ? find(kind + last) : whole] ?? begin
  if (begin === undefined || end === undefined) return null
  return shownFrom(document, begin.from, Math.max(begin.to, end.to))
}

/** Text from a character on, as much as is shown at once, with the way to the rest. */
export function shownFrom(document: Text, start: number, to = document.text.length): string {
  const end = Math.min(to, start + shownMost)
  const left = to - end
  const whole = document.text.length
  const head = `[${partAt(document, start)}; characters ${start}–${end} of ${whole}]`
  const rest = left === 0 ? '' : `\n[${left} characters follow; read on: from ${end}]`
  return `${head}\n${document.text.slice(start, end).trim()}${rest}`
}

/** Length of a place that is looked at, how far the next one reaches into it, and places shown. */
const placeLength = 1_200
const overlap = 200
const placesShown = 6
/** Words of a search that count. */
const soughtMost = 24
/** Places that are looked at before others have a turn. */
const atOnce = 100

const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFKC')

interface Place extends Span {
  found: string[]
  isWhole: boolean
}

/**
 * Finds the places of a document that hold most of these words, the rarest first; blank if none
 * does. It yields now and then, so that others have a turn.
 */
export function* placesWith(document: Text, words: string): Generator<undefined, string> {
  const sought = wordsIn(words).slice(0, soughtMost)
  const phrase = plain(words.trim())
  const places: Place[] = []
  let looked = 0
  for (const span of placesIn(document)) {
    const text = plain(document.text.slice(span.from, span.to))
    const found = sought.filter((word) => text.includes(word))
    if (found.length > 0) places.push({ ...span, found, isWhole: text.includes(phrase) })
    looked += 1
    if (looked % atOnce === 0) yield
  }
  return bestOf(places, looked)
    .map(({ name, from, to }) => `[${name}]\n${document.text.slice(from, to).trim()}`)
    .join('\n\n')
}

function* placesIn(document: Text): Generator<Span> {
  for (const { name, from: begin, to: end } of partsOf(document))
    for (let from = begin; from < end; from += placeLength - overlap) {
      const to = Math.min(end, from + placeLength)
      yield { name, from, to }
      if (to === end) break
    }
}

/** A word counts the more the fewer places hold it; the whole phrase counts most. */
function bestOf(places: readonly Place[], looked: number): Place[] {
  const counts = new Map<string, number>()
  for (const { found } of places)
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
  const score = ({ found, isWhole }: Place) =>
    found.reduce(
      (sum, word) => sum + Math.log(1 + looked / (counts.get(word) ?? 1)),
      isWhole ? 10 : 0,
    )
  return places
    .map((place) => [place, score(place)] as const)
    .sort(([, one], [, other]) => other - one)
    .slice(0, placesShown)
    .map(([place]) => place)
}
