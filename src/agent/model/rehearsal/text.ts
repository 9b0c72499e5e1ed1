import { type Language, languageOf } from '../../../locales/texts.ts'

/** Longer requests are planned from their beginning; nobody's plan needs more, and reading is not free. */
const readMost = 4_000

/** Private-use characters serve as marks while a text is taken apart; control characters are nobody's words. */
export function readable(text: string): string {
  return text
    .slice(0, readMost)
    .toWellFormed()
    .replace(/[\p{Co}\p{Cf}]/gu, '')
    .replace(/[^\S\n]+|[^\P{Cc}\n]/gu, ' ')
    .trim()
}

/** Chinese or English, by the words outside quotes; texts without any letters are in the language of `locale`. */
export function languageIn(text: string, locale: string): Language {
  const plain = readable(text)
  const unquoted = plain.replace(/"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|https?:\S+/g, ' ')
  return byLetters(unquoted) ?? byLetters(plain) ?? languageOf(locale)
}

/** A Chinese character says about as much as half a word. */
function byLetters(text: string): Language | null {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.match(/[\p{Script=Latin}\p{M}'’-]+/gu)?.length ?? 0
  if (han + words === 0) return null
  return han > words * 2 || words === 0 ? 'zh' : 'en'
}

/** At most `most` characters, cut at a blank where there is one near, with `…`. */
export function shorten(text: string, most: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const letters = Array.from(flat)
  if (letters.length <= most) return flat
  const cut = letters.slice(0, most - 1).join('')
  const blank = cut.lastIndexOf(' ')
  return `${(blank > most * 0.6 ? cut.slice(0, blank) : cut).replace(/[\s,，、;；:：.。-]+$/u, '')}…`
}

/** A capital at the beginning. Names that begin small on purpose (`iPhone`) stay. */
export function capitalised(text: string): string {
  const [first = ''] = text
  const word = text.split(/\s/, 1)[0] ?? ''
  return /\p{Lu}/u.test(word.slice(1)) ? text : first.toUpperCase() + text.slice(first.length)
}

/** Punctuation that a title or an item does not end with. */
export function trimEnd(text: string): string {
  return text.replace(/[\s.。,，;；:：!！、~～]+$/u, '').trim()
}

/**
 * Hides quotes, links and brackets behind one private-use character each, so that no rule reads into them, and gives a
 * function that puts them back.
 */
export function shield(text: string): { text: string; unshield: (part: string) => string } {
  const kept: string[] = []
  const hide = (match: string) => {
    if (kept.length >= 500) return match
    kept.push(match)
    return String.fromCharCode(0xe000 + kept.length - 1)
  }
  const shielded = text.replace(
    /https?:\/\/[^\s，。；、）)]+|"[^"\n]{1,400}"|“[^”\n]{1,400}”|「[^」\n]{1,400}」|『[^』\n]{1,400}』|《[^》\n]{1,400}》|`[^`\n]{1,400}`|(?<![\p{L}\p{N}])['‘][^'’\n]{1,400}['’](?![\p{L}\p{N}])|\([^()\n]{1,400}\)|（[^（）\n]{1,400}）/gu,
    hide,
  )
  const unshield = (part: string) => part.replace(/[\ue000-\ue1f3]/g, (mark) => kept[mark.charCodeAt(0) - 0xe000] ?? '')
  return { text: shielded, unshield }
}

/** Chinese and Latin letters with a blank between them, as printed texts have it. */
export const spaced = (text: string): string =>
  text.replace(/(\p{Script=Han})(?=[A-Za-z])/gu, '$1 ').replace(/([A-Za-z])(?=\p{Script=Han})/gu, '$1 ')

/** A quote or a link: what the work is about comes with the request. */
export const bringsAlong = (text: string): boolean =>
  /https?:\/\/\S|"[^"]+"|“[^”]+”|「[^」]+」|『[^』]+』|《[^》]+》|`[^`]+`|(?<![\p{L}\p{N}])['‘][^'’]+['’](?![\p{L}\p{N}])/u.test(
    text,
  )

/** `"renew passport"` → `renew passport`. */
export const unquoted = (text: string): string =>
  /^["“「『`'‘]([^"”」』`’]+)["”」』`'’]$/u.exec(text.trim())?.[1]?.trim() ?? text.trim()

/** Whether a shielded text holds something hidden. */
export const hides = (text: string): boolean => /[\ue000-\ue1f3]/.test(text)
