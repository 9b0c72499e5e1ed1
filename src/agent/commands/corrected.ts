import { nearest } from './nearest.ts'
import type { TimeFrame } from './when/decide.ts'
import { splitWhen } from './when/read.ts'

/** Words of rules that are mistyped more often than not. */
const vocabulary =
  'every daily weekday weekdays weekend monday tuesday wednesday thursday friday saturday sunday tomorrow morning evening hours minutes weeks months month week hourly monthly weekly'.split(
    ' ',
  )
const spelled = (word: string): string =>
  word.replace(/^[a-z]{4,}(?=[,:;]?$)/i, (letters) => nearest(letters, vocabulary) ?? letters)

/** The line with the words of its rule spelled right; null when that does not make it one. */
export function corrected(text: string, frame: TimeFrame): string | null {
  // Only the words up to the rule are looked at: what is to be done stays as it was written.
  const lines = [8, 7, 6, 5, 4, 3, 2, 1].map((most) =>
    text.replace(/\S+/g, (word) => (--most < 0 ? word : spelled(word))),
  )
  return lines.find((line) => line !== text && splitWhen(line, frame) !== null) ?? null
}
