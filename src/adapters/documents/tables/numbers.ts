import type { Amount } from './cells.ts'

export type DecimalMark = ',' | '.'

/**
 * Number that people wrote. `mark`: the decimal mark that this spelling proves; `either`: what it
 * is by each mark, where the spelling alone does not say (`1,234`).
 */
export type WrittenNumber =
  | { is: Amount; mark: DecimalMark | null }
  | { either: Record<DecimalMark, Amount> }

const currencies = new Set(Intl.supportedValuesOf('currency'))
const words = ['kr', 'kr.', 'zł', 'Kč', 'Ft', 'Fr.', 'lei', 'лв', 'руб.', 'руб', '元', '円', '원']
const unit = /^(?:[A-Z]{0,3}\p{Sc}|\p{L}{1,3}\.?|%)$/u

const isUnit = (text: string) =>
  text === '' ||
  (unit.test(text) &&
    (/[\p{Sc}%]$/u.test(text) || currencies.has(text.toUpperCase()) || words.includes(text)))

const shape =
  /^([+-]?)([^\d\s.,+-]{0,5}\.?)([+-]?)(\d[\d.,]{0,40}(?:e[+-]?\d{1,3})?)([^\d\s.,+-]{0,5}\.?)(-?)$/iu

/** Reads a number with its sign, its groups and a currency or percent sign; null: it is none. */
export function writtenNumber(text: string): WrittenNumber | null {
  if (/^-?[1-9]\d{0,14}$/.test(text)) return { is: { value: Number(text), unit: '' }, mark: null }
  if (text.length > 60 || !/\d/.test(text) || /^\p{L}{5}/u.test(text)) return null
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/(?<=\d)['’\s](?=\d{3}(?!\d))/g, '')
  const inner = /^([^()]{0,5})\(([^()]+)\)([^()]{0,5})$/.exec(bare)?.slice(1).join('')
  const found = shape.exec((inner ?? bare).replace(/\s/g, ''))
  if (found === null) return null
  const [, before = '', prefix = '', between = '', digits = '', suffix = '', after = ''] = found
  if (!isUnit(prefix) || !isUnit(suffix) || (prefix !== '' && suffix !== '')) return null
  // Spaces inside what is left are no groups: "12 34" is two numbers.
  if (/\d\s+\d/.test(bare)) return null
  const isNegative = inner !== undefined || `${before}${between}${after}`.includes('-')
  const amount = (value: number): Amount => {
    const signed = isNegative ? -value : value
    const sign = prefix || suffix
    return sign === '%' ? { value: signed / 100, unit: '%' } : { value: signed, unit: sign }
  }
  return readDigits(digits, amount)
}

function readDigits(digits: string, amount: (value: number) => Amount): WrittenNumber | null {
  // Ids are no numbers: those with leading zeros, and those with more digits than a number keeps.
  if (/^\d+$/.test(digits))
    return /^0\d|^\d{16}/.test(digits) ? null : { is: amount(Number(digits)), mark: null }
  if (/^\d+(?:\.\d+)?e[+-]?\d+$/i.test(digits)) return { is: amount(Number(digits)), mark: null }
  // One mark before three digits may be either.
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) {
    const whole = Number(digits.replace(/[.,]/, ''))
    const part = Number(digits.replace(',', '.'))
    const byComma = digits.includes(',') ? part : whole
    return { either: { ',': amount(byComma), '.': amount(digits.includes(',') ? whole : part) } }
  }
  const by = (mark: DecimalMark) => {
    const value = digitsBy(digits, mark)
    return value === null ? null : ({ is: amount(value), mark } as const)
  }
  return by('.') ?? by(',')
}

/** Value of digits with groups, by a decimal mark; null: they cannot be written so. */
function digitsBy(digits: string, mark: DecimalMark): number | null {
  const group = mark === '.' ? ',' : '.'
  const [whole = '', part = '', ...more] = digits.split(mark)
  if (more.length > 0 || part.includes(group)) return null
  const groups = whole.split(group)
  const [first = '', ...others] = groups
  const isGrouped =
    others.length > 0 &&
    /^[1-9]\d{0,2}$/.test(first) &&
    others.every((one, at) =>
      // Lakhs are groups of two before the last one of three.
      at === others.length - 1 ? /^\d{3}$/.test(one) : /^\d{2,3}$/.test(one),
    )
  if (others.length > 0 && !isGrouped) return null
  return Number(`${groups.join('')}.${part || '0'}`)
}
