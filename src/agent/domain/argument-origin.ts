import type { origins } from './audit.ts'
import { jsonIn } from './clean-text.ts'
import { memoized } from './memoized.ts'

export type Origin = (typeof origins)[number]

/** Texts in which an argument may stand, by their origin, the most trusted first. */
export type Sources = readonly (readonly [Origin, readonly string[]])[]

/** Length of each source's newest texts that are looked through, in characters. */
const textMost = 20_000
const namedMost = 20
const nameMost = 60

/**
 * Origin of each argument of a call: the first of the sources in which its value stands, after normalising case, blanks
 * and number forms (S71). An input that is no JSON object is one argument.
 */
export function originsOf(input: string, sources: Sources): Record<string, Origin> {
  const textOf = memoized((texts: readonly string[]) => plain(texts.join('\n').slice(-textMost)))
  const given = input.trimStart().startsWith('{') ? (jsonIn(input) ?? null) : null
  const found = leavesOf(given ?? input, given === null ? 'input' : '').slice(0, namedMost)
  return Object.fromEntries(
    found.map(({ name, value }) => {
      const wanted = plain(value)
      const isIn = ([, texts]: Sources[number]) => wanted !== '' && textOf(texts).includes(wanted)
      return [name.slice(0, nameMost), sources.find(isIn)?.[0] ?? 'model']
    }),
  )
}

function leavesOf(value: unknown, name: string): { name: string; value: string }[] {
  if (typeof value !== 'object' || value === null) return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, name === '' ? key : `${name}.${key}`),
  )
}

/** A text in small letters, single blanks and plain numbers: `1,000` and `1000` are one. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\d)[,'’_\u00a0\u202f](?=\d{3})/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
