import { nearest } from './nearest.ts'
import type { Frame } from './table.ts'
import { splitWhen } from './when.ts'

/** Words of rules that are mistyped more often than not. */
const vocabulary =
  'every daily weekday weekdays weekend monday tuesday wednesday thursday friday saturday sunday tomorrow morning evening hours minutes weeks months month week hourly monthly weekly'.split(
    ' ',
  )

/** The line with the words of its rule spelled right; null when that does not make it one. */
export function corrected(text: string, frame: Frame): string | null {
  const words = text.split(' ').map((word) => {
    const [, letters = '', rest = ''] = /^([a-z]+)([,:;]?)$/i.exec(word) ?? []
    const meant = letters.length < 4 || vocabulary.includes(letters.toLowerCase()) ? null : nearest(letters, vocabulary)
    return meant === null ? word : meant + rest
  })
  // Only the words up to the rule are looked at: what is to be done stays as it was written.
  for (let count = Math.min(words.length, 8); count > 0; count -= 1) {
    const line = [...words.slice(0, count), ...text.split(' ').slice(count)].join(' ')
    if (line !== text && splitWhen(line, frame) !== null) return line
  }
  return null
}
