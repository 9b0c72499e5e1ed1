/*
 * The words by which threads are found (C200), without case and accents. Chinese, Japanese and
 * Korean have no spaces to go by, so there each two letters in a row are a word. The page marks
 * what was found with the same functions.
 */

/** A word that is looked for: `whole`, or as the beginning of one. */
export interface Term {
  word: string
  whole: boolean
}

const segments =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー])[\p{L}\p{M}\p{N}])+/gu
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー]/u
const accents = /\p{M}/gu

/** So many letters of a word count. */
const lettersMost = 40
/** So many different words of one text are found, the first ones. */
export const wordsMost = 500
/**
 * The beginning of a word has at least so many letters; a shorter one would be that of too much.
 */
const beginningLetters = 3

const plain = (word: string) =>
  word.normalize('NFKD').replace(accents, '').toLowerCase().slice(0, lettersMost)

interface WordSpan {
  word: string
  from: number
  to: number
  /**
   * The last letter of unspaced text, which is a word by itself, so that each letter begins one.
   */
  isLast?: boolean
}

/** The words of a text with where they stand. */
function* placesIn(text: string): Generator<WordSpan> {
  for (const { 0: part, index } of text.matchAll(segments)) {
    if (!unspaced.test(part)) {
      yield { word: plain(part), from: index, to: index + part.length }
      continue
    }
    const letters = Array.from(part)
    let from = index
    for (const [at, letter] of letters.entries()) {
      const pair = letter + (letters[at + 1] ?? '')
      const isLast = at > 0 && pair === letter
      yield { word: pair.normalize('NFKC').toLowerCase(), from, to: from + pair.length, isLast }
      from += letter.length
    }
  }
}

export function wordsIn(text: string): string[] {
  const words = new Set<string>()
  for (const { word } of placesIn(text)) {
    if (word !== '') words.add(word)
    if (words.size === wordsMost) break
  }
  return [...words]
}

/**
 * Terms of a search. Words of three letters or more match by their beginning, shorter ones as a
 * whole.
 */
export function termsIn(text: string): Term[] {
  const words = new Set<string>()
  for (const { word, isLast = false } of placesIn(text)) if (word !== '' && !isLast) words.add(word)
  return [...words].map((word) => {
    const { length } = Array.from(word)
    return { word, whole: unspaced.test(word) ? length > 1 : length < beginningLetters }
  })
}

const matches = (word: string, { word: term, whole }: Term) =>
  whole ? word === term : word.startsWith(term)

/** Number of the terms that the text contains. */
export function countIn(text: string, terms: readonly Term[]): number {
  const words = wordsIn(text)
  return terms.filter((term) => words.some((word) => matches(word, term))).length
}

/** A text in parts, of which some are what was looked for. */
export function marked(text: string, terms: readonly Term[]): { text: string; hit: boolean }[] {
  const parts: { text: string; hit: boolean }[] = []
  let end = 0
  for (const { word, from, to } of placesIn(text)) {
    if (to <= end || !terms.some((term) => matches(word, term))) continue
    const last = parts.at(-1)
    const start = Math.max(from, end)
    if (start > end) parts.push({ text: text.slice(end, start), hit: false })
    if (start === end && last?.hit) last.text += text.slice(start, to)
    else parts.push({ text: text.slice(start, to), hit: true })
    end = to
  }
  return end < text.length ? [...parts, { text: text.slice(end), hit: false }] : parts
}
