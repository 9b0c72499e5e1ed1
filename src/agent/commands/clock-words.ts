import { wallClockIn } from '../domain/zone.ts'
import { readTime } from './times.ts'

export interface ClockTime {
  hour: number
  minute: number
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

/** Hours in words as digits, halves and quarters as minutes: `half past nine` → `9:30`. */
export function plainClock(text: string): string {
  const digits = text.replace(/\b[a-z]+\b/g, (word) => {
    const at = numbers.indexOf(word)
    return at === -1 ? word : String(at + 1)
  })
  return digits
    .replace(/\b(?:on )?the first(?= (?:day )?of)\b/g, 'on the 1st')
    .replace(/\bhalf past (\d{1,2})\b/g, '$1:30')
    .replace(/\b(?:a )?quarter past (\d{1,2})\b/g, '$1:15')
    .replace(
      /\b(?:a )?quarter to (\d{1,2})\b/g,
      (_, hour: string) => `${Number(hour) === 1 ? 12 : Number(hour) - 1}:45`,
    )
    .replace(/\b(\d{1,2}) o['’]?clock\b/g, '$1')
    .replace(/\b(\d{1,2})[.h](\d{2})\b/g, '$1:$2')
}

/** A clock on the wall in words of any language that `readTime` knows; null when it is none. */
export function readClock(text: string): ClockTime | null {
  const plain = plainClock(text.trim())
  const bare = /^(\d{1,2})(?::(\d{2}))?$/.exec(plain)
  if (bare !== null) {
    const [hour, minute] = [Number(bare[1]), Number(bare[2] ?? 0)]
    return hour < 24 && minute < 60 ? { hour, minute } : null
  }
  const day = /\p{Script=Han}/u.test(plain) ? '明天' : 'tomorrow at '
  const at = readTime(`${day}${plain}`, { now: 0, timeZone: 'UTC', clock: { hour: 0, minute: 0 } })
  if (at === null) return null
  const { hour, minute } = wallClockIn('UTC', at)
  return { hour, minute }
}
