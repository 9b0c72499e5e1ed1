import type { z } from 'zod'
import { memoized } from '../../agent/domain/memoized.ts'
import { manualNames, readPage, sectionsIn } from './manual.ts'
import { plainLine } from './render.ts'
import { named, text, textOrNull } from './views.ts'

/** Section of the manual in which every word of a search stands. */
export const ManualHit = named('ManualHit', {
  name: text,
  title: text,
  language: text,
  part: textOrNull.describe('Its heading as addresses name it; null: the beginning'),
  heading: text,
  text: text.describe('Plain text around what was found'),
})
export type ManualHit = z.infer<typeof ManualHit>

/** Most sections that a search answers. */
const hitsMost = 30
/** Most settings of one group that are named. */
const namesMost = 3
/** Text before what was found, in characters. */
const before = 60

/** Sections of all pages; the manual does not change while Clew runs. */
const sectionsOf = memoized((wanted: string) =>
  manualNames.flatMap((name) => {
    const { text, language, title, parts } = readPage(name, wanted)
    return sectionsIn(text).map(({ heading, body }, place) => {
      const all = `${title} ${heading} ${body}`.toLowerCase()
      const part = place === 0 ? null : (parts[place - 1] ?? null)
      return { name, title, language, part, heading: heading || title, body, all }
    })
  }),
)

/** Sections by their words, without case: those with whole words in the heading come first. */
export function searchManual(query: string, wanted: string): ManualHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return []
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const rank = ({ heading, title }: { heading: string; title: string }) => {
    const whole = new Set(heading.toLowerCase().split(/[^\p{L}\p{N}_]+/u))
    const ways = [
      // A setting, typed as it is written.
      heading.split(', ').includes(query.trim()),
      words.every((word) => whole.has(word)),
      holds(heading),
      holds(title + heading),
    ]
    return ways.filter((isSo) => !isSo).length
  }
  return sectionsOf(wanted)
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, hitsMost)
    .map(({ body, all: _, heading, ...section }) => ({
      ...section,
      heading: shortened(heading, words),
      text: excerptOf(body, first),
    }))
}

/** Heading of many settings as those that were looked for. */
function shortened(heading: string, words: readonly string[]): string {
  const names = heading.split(', ')
  const sought = names.filter((name) => words.some((word) => name.toLowerCase().includes(word)))
  if (names.length <= namesMost || sought.length === 0) return heading
  return `${sought.slice(0, namesMost).join(', ')}, …`
}

function excerptOf(body: string, word: string): string {
  const at = body.toLowerCase().indexOf(word)
  const from = body.lastIndexOf(' ', at - before)
  return at <= before || from < 0 ? plainLine(body) : `…${plainLine(body.slice(from))}`
}
