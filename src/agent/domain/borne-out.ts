import { memoized } from './memoized.ts'
import { present } from './present.ts'

/** Languages whose names of days and months are known in a report, whatever it is written in. */
const languages = ['en', 'zh', 'de', 'fr', 'es', 'pt', 'it']

/** Times in words; receipts write them in figures. */
const spelled =
  /\b(?:today|tomorrow|tonight|noon|midday|midnight|every|hourly|daily|weekly|fortnightly|monthly|half past|quarter (?:past|to)|o[’']clock|(?:at|by) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b|[一二三四五六七八九十两][点點号號月日时時]|[今明后後]天|中午|每[天日周月年隔]/iu

/**
 * True if receipts hold every number, day and month that a report names. A report that was written
 * before the receipts is shown beside them only then (C580).
 */
export function isBorneOut(report: string, receipts: readonly string[]): boolean {
  if (spelled.test(report)) return false
  const held = receipts.join('\n')
  const numbers = new Set(numbersIn(held))
  const days = new Set([...namesIn(held), ...datesIn(held)])
  return (
    numbersIn(report).every((one) => numbers.has(one)) &&
    namesIn(report).every((one) => days.has(one))
  )
}

const numbersIn = (text: string) =>
  (text.normalize('NFKC').match(/\d+/g) ?? []).map((one) => one.replace(/^0+(?=\d)/, ''))

/** Days and months that a text names, such as `day 1` and `month 11`. */
function namesIn(text: string): string[] {
  const written = text.normalize('NFKC').toLowerCase()
  const words = new Set(written.split(/[^\p{L}]+/u))
  const isNamed = (name: string) =>
    /^\p{Script=Han}/u.test(name)
      ? written.includes(name)
      : words.has(name) || words.has(`${name}s`)
  return languages
    .flatMap((language) => namesOf(language))
    .flatMap(({ name, means }) => (isNamed(name) ? [means] : []))
}

/** The days and months of dates such as 2026-11-30, in the same form. */
const datesIn = (text: string) =>
  [...text.matchAll(/\d{4}-\d\d-\d\d/g)].flatMap(([date]) => {
    const at = new Date(`${date}T00:00:00Z`)
    return [`day ${at.getUTCDay()}`, `month ${at.getUTCMonth()}`]
  })

/**
 * Names of the days and months in a language. Chinese months are numbers; the English "may" is a
 * word like others.
 */
const namesOf = memoized((language: string) => {
  const isChinese = language === 'zh'
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const weekdays = present([format({ weekday: 'long' }), isChinese && format({ weekday: 'short' })])
  const months = isChinese ? [] : [format({ month: 'long' })]
  // The first day of 2023 was a Sunday.
  const days = [...Array(7).keys()].flatMap((at) =>
    weekdays.map((one) => ({ name: one.format(Date.UTC(2023, 0, at + 1)), means: `day ${at}` })),
  )
  const others = [...Array(12).keys()].flatMap((at) =>
    months.map((one) => ({ name: one.format(Date.UTC(2023, at, 1)), means: `month ${at}` })),
  )
  return [...days, ...others]
    .map(({ name, means }) => ({ name: name.toLowerCase(), means }))
    .filter(({ name }) => name !== 'may')
})
