import type { said } from '../../locales/en/said.ts'
import { languages, texts } from '../../locales/texts.ts'

/** Longer lines say more than one of the short things that are known here, in UTF-16 units. */
const longest = 200

type Phrases = typeof said
type List = { [K in keyof Phrases]: Phrases[K] extends string[] ? K : never }[keyof Phrases]

/**
 * Words of all languages, each with the list that it is in; longer ones before those that they
 * begin with.
 */
export type Vocabulary<K extends string> = readonly (readonly [word: string, kind: K])[]

/** Words of a list in every language. */
export const wordsIn = (list: List): string[] => languages.flatMap((one) => texts(one).said[list])

export const vocabularyOf = <K extends List>(...lists: readonly K[]): Vocabulary<K> =>
  lists
    .flatMap((list) => wordsIn(list).map((word) => [word, list] as const))
    .toSorted(([one], [other]) => other.length - one.length)

/** Slack's names of the signs that say something. */
const signs: Readonly<Record<string, string>> = {
  '+1': '👍',
  thumbsup: '👍',
  '-1': '👎',
  thumbsdown: '👎',
  ok_hand: '👌',
  white_check_mark: '✅',
  heavy_check_mark: '✔',
  x: '❌',
  octagonal_sign: '🛑',
  hand: '✋',
  raised_hand: '✋',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  pray: '🙏',
  tada: '🎉',
  rocket: '🚀',
  heart: '❤',
  fire: '🔥',
  muscle: '💪',
  clap: '👏',
  raised_hands: '🙌',
  slightly_smiling_face: '🙂',
  blush: '😊',
  grinning: '😀',
  smiley: '😃',
  smile: '😄',
  ...Object.fromEntries(
    ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(
      (name, digit) => [name, `${digit}`],
    ),
  ),
}

/** Writes signs alike, however they were typed: Slack's names, skin tones, `2️⃣`. */
export const plainSigns = (text: string): string =>
  text
    .replace(/:skin-tone-\d:/g, '')
    .replace(/:([\w+-]{1,40}):/g, (whole, name: string) => ` ${signs[name] ?? whole} `)
    .replace(/[\u{1f3fb}-\u{1f3ff}\u{fe0f}\u{200d}]|\u{20e3}/gu, '')

/** Clauses of a short line as they were written, without marks; null for a line that is longer. */
export function clausesOf(text: string): string[] | null {
  if (text.length > longest) return null
  return (
    plainSigns(text.normalize('NFKC'))
      .replace(/[’‘`´]/g, "'")
      .replace(/(\p{L})\1{2,20}/giu, '$1')
      .replace(/\bu\b/gi, 'you')
      .replace(/\p{Extended_Pictographic}/gu, ' $& ')
      // `:)` stays together.
      .split(
        /[,.;!?…，。；：！？、\n"“”«»]|:(?![)-])|\s[-–—]+\s|[—–]|\s(?=because\s|cause\s|since\s)/u,
      )
      .map((clause) => clause.trim().replace(/^[/*_~]{1,9}|[*_~]{1,9}$/g, ''))
      .filter((clause) => clause !== '')
  )
}

export const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text)

/** True if a word may end here: Chinese has no blanks, others have. */
const endsAt = (text: string, at: number) =>
  at >= text.length ||
  !/[\p{L}\p{N}']/u.test(text.charAt(at)) ||
  isHan(text.charAt(at)) ||
  isHan(text.charAt(at - 1)) ||
  !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))

/** Words that the clause is made of, and what is left of it behind the last one that is known. */
export function readClause<K extends string>(clause: string, words: Vocabulary<K>) {
  const found: { word: string; kind: K }[] = []
  let rest = clause.toLowerCase().trim()
  while (rest !== '') {
    const left = rest
    const next = words.find(([word]) => left.startsWith(word) && endsAt(left, word.length))
    if (next === undefined) break
    const [word, kind] = next
    found.push({ word, kind })
    rest = rest.slice(word.length).trim()
  }
  return { found, kinds: found.map(({ kind }) => kind), rest }
}

/** True if the text begins with one of the words. */
export const beginsWith = (text: string, words: readonly string[]): boolean => {
  const bare = text.toLowerCase()
  return words.some((word) => bare.startsWith(word) && endsAt(bare, word.length))
}

/** True if one of the words stands anywhere in the text. */
export function hasAny(text: string, words: readonly string[]): boolean {
  const bare = text.toLowerCase()
  return words.some((word) => {
    const at = bare.indexOf(word)
    if (at === -1) return false
    if (isHan(word)) return true
    return ` ${bare.replace(/[^\p{L}\p{N}']+/gu, ' ')} `.includes(` ${word} `)
  })
}

/** True if a line asks something. */
export const isQuestion = (text: string): boolean =>
  /[?？]/u.test(text) || /[吗呢么]\s{0,9}[。.!！~]{0,9}\s{0,9}$/u.test(text)
