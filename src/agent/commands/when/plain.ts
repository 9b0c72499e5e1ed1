import { phrases } from './phrases.ts'

/** A line as plain English: lower case, numbers as digits, Chinese words of times as English ones. */
export interface PlainLine {
  text: string
  /** Where the sign at each place of `text` begins and ends in the line as it was typed. */
  from: number[]
  to: number[]
}

/** Traditional letters of times, each before its simplified one. */
const letters =
  '點点時时號号兩两個个後后過过週周鐘钟鍾钟頭头禮礼這这間间裡里從从開开內内紐纽約约倫伦東东與与為为連连續续'
const simplified = new Map(
  Array.from(letters.matchAll(/(.)(.)/g), ([, from = '', to = '']) => [from, to]),
)

const han = '零一二三四五六七八九十'
const words =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const weekdays = '日一二三四五六'
const units = '分|刻|小时|钟头|天|日|周|星期|礼拜|月|年|工作日|季度|次|点|时|号'

/** `twenty-five` and `二十五` are 25, `二零二七` is 2027; other words stay. */
function digitsOf(word: string): string {
  const [ten = '', one = 'zero'] = word.split(/[- ]/)
  const place = tens.split(' ').indexOf(ten)
  const ones = words.split(' ')
  if (place >= 0) return String(20 + 10 * place + ones.indexOf(one))
  if (ones.includes(ten)) return String(ones.indexOf(ten))
  const plain = word.replaceAll('两', '二').replaceAll('〇', '零')
  const [, before, after = ''] = /^([^十]?)十([^十]?)$/.exec(plain) ?? []
  if (before !== undefined)
    return String(han.indexOf(before || '一') * 10 + han.indexOf(after || '零'))
  const isNumber = /^(?:[^十]|零.|[^十]{4})$/.test(plain)
  return isNumber ? plain.replace(/./g, (digit) => String(han.indexOf(digit))) : word
}

export const dayNames = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const D = '[一二三四五六日天]'
const W = '(?:周|星期|礼拜)'
const short: Readonly<Record<string, string>> = {
  D,
  W,
  E: '(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?)\\b',
  U: '(?:(?:min(?:ute)?|hour|hr|day|week|month|quarter|year|weekday)s?\\b|[mh]\\b)',
}

type Step = readonly [RegExp, (...found: string[]) => string]
/** A pattern and what stands in its place, in which `·` is a blank. */
function stepOf(line: string): Step {
  const [pattern = '', shown = ''] = line.split(' → ')
  const parts = (
    /\p{Script=Han}/u.test(pattern) && !shown.startsWith('$') ? ` ${shown}` : shown
  ).replaceAll('·', ' ')
  const full = pattern.replace(/[WDEU]/g, (name) => short[name] ?? name)
  return [new RegExp(full, 'g'), (...found) => parts.replace(/\$(\d)/g, (_, n) => found[n] ?? '')]
}

const steps: readonly Step[] = [
  [
    new RegExp(
      `\\b(?:(?:${tens.replaceAll(' ', '|')})(?:[- ](?:${words.slice(5, 44).replaceAll(' ', '|')}))?|${words.replaceAll(' ', '|')})\\b(?!['’])`,
      'g',
    ),
    digitsOf,
  ],
  [
    new RegExp(
      `(?<!${W})[${han}〇两]{1,4}(?= ?个?半?个?(?:${units})|[、,和及与][${han}]{1,3}[号日])`,
      'g',
    ),
    digitsOf,
  ],
  ...phrases
    .split('\n')
    .filter((line) => line !== '')
    .map(stepOf),
  [
    new RegExp(`${W}${D}(?:(?:[、,和及与]| and)? ?${W}?${D}){0,9}`, 'g'),
    (all) =>
      ` ${Array.from(all.matchAll(/[一二三四五六日天]/g), ([day]) => dayNames[weekdays.indexOf(day.replace('天', '日'))]).join(' , ')} `,
  ],
  [/\s+/g, () => ' '],
]

function rewritten(line: PlainLine, [pattern, show]: Step): PlainLine {
  const next: PlainLine = { text: '', from: [], to: [] }
  const add = (shown: string, from: number, to: number) => {
    next.text += shown
    for (let n = 0; n < shown.length; n += 1) {
      next.from.push(line.from[from] ?? 0)
      next.to.push(line.to[to] ?? 0)
    }
  }
  let at = 0
  const copyTo = (end: number) => {
    for (; at < end; at += 1) add(line.text.charAt(at), at, at)
  }
  for (const found of line.text.matchAll(pattern)) {
    copyTo(found.index)
    at += found[0].length
    add(show(...found), found.index, at - 1)
  }
  copyTo(line.text.length)
  return next
}

/** No time reaches further into a line. */
const mostSigns = 200

export function plainLine(typed: string): PlainLine {
  const signs = Array.from(typed.slice(0, mostSigns).replace(/\p{Surrogate}/gu, ' '))
  const text = signs.map((sign) => {
    const plain = sign.normalize('NFKC').toLowerCase()
    return plain.length === 1 ? (simplified.get(plain) ?? plain) : sign
  })
  const from = signs.map((_, place) => place)
  const line = { text: text.join(''), from, to: from.map((place) => place + 1) }
  return steps.reduce(rewritten, line)
}
