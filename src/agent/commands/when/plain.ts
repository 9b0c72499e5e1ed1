import { distance } from '../nearest.ts'
import { linesOf, listed, patternOf, readRun } from './grammar.ts'
import { phrases } from './phrases.ts'
import { isZone } from './zones.ts'

/** A sign and where the one that it stands for begins and ends in the line as it was typed. */
interface Sign {
  sign: string
  from: number
  to: number
}

/** Traditional letters of times, numerals, and the letters of weekdays. */
const letters = listed(
  '點=点 時=时 號=号 兩=两 個=个 後=后 過=过 週=周 鐘=钟 鍾=钟 頭=头 禮=礼 這=这 間=间 裡=里 從=从 開=开 內=内 紐=纽 約=约 倫=伦 東=东 與=与 為=为 連=连 續=续',
)
const numbers = listed(
  '$zero=0 $one=1 $two=2 $three=3 $four=4 $five=5 $six=6 $seven=7 $eight=8 $nine=9 $ten=10 $eleven=11 $twelve=12 $thirteen=13 $fourteen=14 $fifteen=15 $sixteen=16 $seventeen=17 $eighteen=18 $nineteen=19 $twenty=2 $thirty=3 $forty=4 $fifty=5 $sixty=6 $seventy=7 $eighty=8 $ninety=9 $first=1 $second=2 $third=3 $fourth=4 $fifth=5 $sixth=6 $seventh=7 $eighth=8 $ninth=9 $tenth=10 $fifteenth=15 $twentieth=20 $thirtieth=30 $零=0 $〇=0 $一=1 $二=2 $两=2 $三=3 $四=4 $五=5 $六=6 $七=7 $八=8 $九=9 #一=mon #二=tue #三=wed #四=thu #五=fri #六=sat #日=sun #天=sun',
)

/** A pattern, and what shows in its place. */
function stepOf(line: string) {
  const [pattern = '', shown = ''] = line.split(' → ')
  const words = shown.replaceAll('·', ' ')
  return [
    patternOf(pattern, 'g'),
    (...found: string[]) =>
      words.replace(/([$#])(\d)/g, (_, kind, n) => {
        const said = found[n] ?? ''
        return numbers.get(kind + said) ?? said
      }),
  ] as const
}

const steps = linesOf(phrases).map(stepOf)
const textOf = (signs: readonly Sign[]) => signs.map(({ sign }) => sign).join('')

interface Line {
  signs: readonly Sign[]
  text: string
}

type Step = readonly [RegExp, (...found: string[]) => string]

function rewritten(line: Line, [pattern, show]: Step): Line {
  if (line.text.search(pattern) < 0) return line
  const { signs } = line
  let at = 0
  const parts = Array.from(line.text.matchAll(pattern), (found) => {
    const kept = signs.slice(at, found.index)
    at = found.index + found[0].length
    const place = { from: signs[found.index]?.from ?? 0, to: signs[at - 1]?.to ?? 0 }
    return [...kept, ...Array.from(show(...found), (sign) => ({ ...place, sign }))]
  })
  const shown = [...parts.flat(), ...signs.slice(at)]
  return { signs: shown, text: textOf(shown) }
}

const timeWords = (
  'every everyday daily today tonight tomorrow weekly monthly monday tuesday wednesday thursday friday saturday sunday weekday weekend ' +
  'mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays weekends january february september october november december minute minutes'
).split(' ')
const lettersOf = (word: string) => Array.from(word).toSorted().join('')

/** The word of a time that was mistyped by one letter; short words only by two swapped ones. */
function respelled(word: string): string {
  if (timeWords.includes(word)) return word
  const near = timeWords.find((one) => {
    if (one[0] !== word[0] || Math.abs(one.length - word.length) > 1) return false
    if (distance(word, one) !== 1) return false
    if (lettersOf(one) === lettersOf(word)) return true
    return (
      one.length > 7 || (one.length > 5 && one.length !== word.length && one.at(-1) === word.at(-1))
    )
  })
  return near ?? word
}

const word = /(?<![\w'’])[a-z]{5,10}(?![\w'’])/g
const isMistyped = (text: string) => text.match(word)?.some((one) => respelled(one) !== one)
const corrected = (line: Line): Line =>
  isMistyped(line.text) ? rewritten(line, [word, respelled]) : line

/**
 * A line as plain English, as far as a time reaches: small letters, numbers as digits, Chinese
 * words of times as English ones.
 */
export function plainLine(line: string) {
  const plain = Array.from(line.slice(0, 200).replace(/[\ud800-\udfff]/g, ' '), (sign, from) => {
    const small = sign.normalize('NFKC').toLowerCase()
    return { sign: small.length === 1 ? (letters.get(small) ?? small) : sign, from, to: from + 1 }
  })
  const { signs, text } = steps.reduce(rewritten, corrected({ signs: plain, text: textOf(plain) }))
  const typed = (from: number, to = text.length) =>
    line.slice(signs[from]?.from, signs[to - 1]?.to).trim()
  return {
    text,
    /** Returns a part of it as it was typed. */
    typed,
    /** Returns the rest behind it, as it was typed. */
    after: (end: number) => line.slice(signs[end - 1]?.to).trim(),
    /** Reads what says when, from a place on. */
    run: (from = 0) => readRun(text.slice(from), (name, at) => isZone(name, typed(from + at))),
  }
}
