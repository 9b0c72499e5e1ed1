import { type Message, whoseIn } from './message.ts'
import { type Overheard, whoseHeard } from './overheard.ts'
import { allowed, type Words } from './words.ts'

/*
 * Which addresses of the web people may follow (S2, S21): those that a person wrote, to the letter,
 * and those that a search or a page brought up by itself. What a model puts together is only read.
 */

/**
 * Anything that a client may turn into a link by itself; it ends where Chinese, Japanese and Korean
 * marks begin.
 */
const address =
  /(?:https?:\/\/|www\.|discord(?:\.gg|(?:app)?\.com\/invite)\/)[^\s<>"'`)\]|\u3000-\u303f\uff00-\uffef]+/gi
/** Beginnings of addresses that clients know without a scheme. */
export const withoutScheme = /^(?:www\.|discord(?:\.gg|(?:app)?\.com\/invite)\/)/i
/** Signs that may follow an address and are not part of it. */
const behind = '.,;:!?*_~…'

/** An address without what stands behind it, in linear time (S11). */
export function bareAddress(text: string): string {
  let end = text.length
  while (end > 0 && behind.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Canonical form of an address; `null` if it leads nowhere on the web. */
export function addressOf(target: string): string | null {
  const url = URL.parse(withoutScheme.test(target) ? `https://${target}` : target)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

/** The addresses that a text holds, by their one name. */
export function addressesIn(text: string): string[] {
  const found = Array.from(text.matchAll(address), ([one], index) => ({ one, index }))
  return found.flatMap(({ one }) => {
    const whole = bareAddress(one)
    // Words may follow without a blank; and a bracket may be a part of the address.
    const [before = ''] = whole.split(
      /(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u,
      1,
    )
    const closed = whole.includes('(') ? [`${whole})`] : []
    return [...new Set([whole, before, ...closed])].flatMap((form) => addressOf(form) ?? [])
  })
}

/** Nobody asks for more, and no search has more to show. */
const longestInput = 2_000
const mostOfOne = 200

/** Input of a search or a fetch, and its result. */
export interface Look {
  input: string
  result: string
}

/**
 * S21: the addresses that searches and fetches returned. One that holds what the model asked for
 * could carry something out, and stays text; what a page links to whose own address was known holds
 * nothing of the model's.
 */
export function foundBy(looks: readonly Look[], known: readonly string[]): ReadonlySet<string> {
  const found = new Set(known)
  for (const { input, result } of looks) {
    if (input.length > longestInput) continue
    const asked = addressOf(input.trim())
    const isKnown = asked !== null && found.has(asked)
    const tells = telling(input.trim())
    for (const one of addressesIn(result).slice(0, mostOfOne))
      if (isKnown || !tells(plain(one))) found.add(one)
  }
  return found
}

/**
 * Returns a test on addresses in plain form. It is true if the address holds the input, or a part
 * of it that tells more than a word does.
 */
function telling(input: string): (shown: string) => boolean {
  const asked = plain(input)
  if (asked === '') return () => false
  const url = URL.parse(input)
  const parts =
    url === null
      ? wordsOf(asked).filter(isTelling)
      : [
          plain(url.hostname),
          ...wordsOf(plain(url.pathname + url.search + url.hash)).filter(
            ({ length }) => length >= 4,
          ),
        ]
  return (shown) =>
    shown.includes(asked) || asked.includes(shown) || parts.some((part) => shown.includes(part))
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u)

/** Names, numbers and keys; the words of a language are in many addresses. */
const isTelling = (word: string) => word.length >= 16 || (word.length >= 6 && /\p{N}/u.test(word))

function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).toLowerCase()
  } catch {
    return text.toLowerCase()
  }
}

/** The addresses that people wrote in a thread, or that Clew may name there. */
export function addressesKnown(
  messages: readonly Pick<Message, 'role' | 'text' | 'chosen' | 'links'>[],
  overheard: readonly Pick<Overheard, 'text' | 'by' | 'where'>[] = [],
): string[] {
  const written = messages.filter(({ role }) => role === 'user')
  return [
    ...written.flatMap((one) => addressesIn(vouched(one.text, whoseIn(one)))),
    ...overheard.flatMap((one) => addressesIn(vouched(one.text, whoseHeard(one)))),
    ...messages.flatMap(({ links = [] }) => links),
  ]
}

/** S33: a text as far as its words make addresses known: all of it or nothing. */
export const vouched = (text: string, whose: Words): string =>
  allowed(whose, 'vouch') === null ? '' : text
