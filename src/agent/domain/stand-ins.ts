import type { Author } from './message.ts'

const letter = /[\p{L}\p{N}]/u
/** Written without blanks between words, so that a name may stand anywhere. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const mail = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}/g

/** Shortest part of a name that is replaced by itself, in characters. */
const partLeast = 2

/** Names that are words as well: all small they are left as they are. */
const words = new Set(
  (
    'will may mark bill hope grace art rob sue drew jack rich max april june august rose dawn joy ' +
    'faith pat chase grant dean an do so han'
  ).split(' '),
)

/**
 * Returns a value with a stand-in for each person in all of its texts, the same everywhere: their
 * id, their name and its parts, as they are written and all small. Addresses of mail go too (C732).
 */
export function withStandIns<T>(value: T, people: readonly Author[]): T {
  const pairs = pairsOf(people)
  const masked = (text: string) =>
    pairs.reduce(
      (known, [word, standIn]) => replaced(known, word, standIn),
      text.replace(mail, 'someone@example.com'),
    )
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' ? masked(one) : one,
  )
}

/** What is replaced by what, the longest first: a name holds its parts. */
function pairsOf(people: readonly Author[]): [string, string][] {
  const all = new Map<string, string>()
  const ids = [...new Set(people.map(({ id }) => id))]
  for (const { id, name } of people) {
    const n = ids.indexOf(id) + 1
    const parts = name.split(/[\s·]+/).filter((part) => part.length >= partLeast)
    for (const word of [name, ...parts]) {
      all.set(word, `Person ${n}`)
      const small = word.toLowerCase()
      if (small !== word && !words.has(small)) all.set(small, `person ${n}`)
    }
    all.set(id, `person-${n}`)
  }
  return [...all]
    .filter(([word]) => word.trim() !== '')
    .toSorted(([one], [other]) => other.length - one.length)
}

/** Replaces a word where no letter stands beside it. */
function replaced(text: string, word: string, standIn: string): string {
  const parts = text.split(word)
  const isJoined = (before: string, after: string) =>
    !unspaced.test(word) && (letter.test(before.at(-1) ?? '') || letter.test(after[0] ?? ''))
  return parts.reduce((known, part) => known + (isJoined(known, part) ? word : standIn) + part)
}
