/*
 * Values of calls and texts of people in one form, so that a value that somebody said is found in
 * their words however it was written: case, blanks, quotes, schemes of addresses, forms of numbers,
 * times and codes (C895).
 */

/** A text as it is searched. */
export interface PlainText {
  words: string
  /**
   * Letters and digits without blanks, dashes, dots and brackets between them: `DE89 3704` as
   * `de893704`.
   */
  compact: string
}

/** Characters that join the parts of an address or a path, and those that join digits. */
const joint = /[-_./@\\+~%]/
const between = /[-_./@:\\+~%]/
const inner = /[\p{L}\p{N}]/u
/** Letters of scripts that write words without blanks between them. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const digit = /\p{N}/u

const instant = /(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?z?/g
const scheme = /\bhttps?:\/\/|\bmailto:|\btel:|\bwww\./g
const spaced = /(?<![\d.,])[1-9]\d{0,2}(?: \d{3}){1,5}(?!\d)/g
const numeral = /\d[\d.,'_]{0,40}\d|\d/g

/** A text in small letters, single blanks, plain quotes and dashes, and numbers in one form. */
export function plainText(text: string): PlainText {
  const even = text
    .replaceAll(/(?<=\d)[\u00a0\u2009\u202f](?=\d{3})/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\u2018-\u201b]/g, "'")
    .replaceAll(/[\u201c-\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/\s+/g, ' ')
  const words = even
    .replaceAll(scheme, '')
    .replaceAll(instant, '$1 $2')
    .replaceAll(numeral, plainNumber)
    .trim()
  // `12 500` may be one number or two.
  const joined = words.match(spaced)?.map((one) => one.replaceAll(' ', '')) ?? []
  return { words: [words, ...joined].join('\n'), compact: compact(even) }
}

const compact = (text: string) => text.replaceAll(/[\s().-]+/g, '')

/**
 * A number in one form: `1,000`, `1.000`, `1'000` and `1000.00` are `1000`, `12,5` is `12.5`. What
 * may be two numbers (`1.125`) is that with a fraction; what is none (`10.0.0.1`) stays.
 */
function plainNumber(text: string): string {
  const { whole, fraction = '' } = numbers.find((form) => form.test(text))?.exec(text)?.groups ?? {}
  if (whole === undefined) return text
  const cents = fraction.replace(/0{1,20}$/, '')
  const plain = whole.replaceAll(/\D/g, '')
  return cents === '' ? plain : `${plain}.${cents}`
}

/** Forms of a number that can be read in one way only. */
const numbers = [
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3}){1,10})(?:\.(?<fraction>\d{1,20}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:['_]\d{3}){1,10})(?:\.(?<fraction>\d{1,20}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3}){1,10}),(?<fraction>\d{1,20})$/,
  /^(?<whole>[1-9]\d{0,2}(?:(?:\.\d{3}){2,10}|\.000))$/,
  /^(?<whole>\d{1,40})[.,](?<fraction>\d{1,20})$/,
]

/** A value of a call as it is looked for; its parts are words that mean something by themselves. */
interface PlainValue {
  whole: string
  parts: readonly string[]
  /**
   * Set where it is a code, such as an account or a telephone number: compared without blanks and
   * dashes.
   */
  code: string | null
}

/** Words that name nothing. */
const glue = new Set(
  'a an and are as at by for from i in into is it my of on or our please so that the then this to with you your'.split(
    ' ',
  ),
)

export function plainValue(value: string): PlainValue {
  const { words, compact: code } = plainText(value.trim().replace(/^["'“‘](.*)["'”’]$/s, '$1'))
  const [line = ''] = words.split('\n', 1)
  const whole = line.replace(/\/$/, '')
  const parts = whole
    .split(/[\s,;()[\]{}<>"|]+/)
    .map((part) => part.replace(/^[.:!?'*]{1,9}/, '').replace(/[.:!?'*/]{1,9}$/, ''))
    .filter((part) => part !== '' && !glue.has(part))
  const digits = code.length - code.replaceAll(/\d/g, '').length
  return { whole, parts, code: /^\+?[a-z\d]{8,64}$/.test(code) && digits >= 4 ? code : null }
}

/** True if a value stands in a text: as it is, as a code, or each of its words. */
export function standsIn({ words, compact: codes }: PlainText, value: PlainValue): boolean {
  const { whole, parts, code } = value
  if (whole === '') return false
  if (finds(words, whole)) return true
  if (code !== null && codes.includes(code)) return true
  return parts.length > 0 && parts.every((part) => finds(words, part))
}

function finds(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const before = { own: wanted.charAt(0), next: text.charAt(at - 1), over: text.charAt(at - 2) }
    const behind = {
      own: wanted.charAt(wanted.length - 1),
      next: text.charAt(end),
      over: text.charAt(end + 1),
    }
    if (isEdge(before, wanted) && isEdge(behind, wanted)) return true
  }
  return false
}

/**
 * True if a value ends there and is no part of a longer one. A plain word may be a part of an
 * address or path, whose parts it names; what is itself joined of parts, and a digit beside others,
 * may not.
 */
function isEdge({ own, next, over }: Record<'own' | 'next' | 'over', string>, wanted: string) {
  if (next === '') return true
  if (inner.test(next)) return !inner.test(own) || unspaced.test(own) || unspaced.test(next)
  if (digit.test(own) && digit.test(over) && between.test(next)) return false
  return !(joint.test(next) && inner.test(over) && joint.test(wanted))
}
