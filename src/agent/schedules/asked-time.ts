import { assertNever } from '../domain/assert.ts'
import type { When } from '../domain/schedule.ts'
import { cronFields, cronPatterns } from './cron.ts'

const dayMinutes = 1440

/**
 * The time of a slot, if who made the schedule named it: a date, or the hours of a rule. Undefined
 * where it only comes round, as every two hours do (C491).
 */
export function askedTime(when: When, slot: number): number | undefined {
  switch (when.kind) {
    case 'once':
      return slot
    case 'event':
      return undefined
    case 'every':
      return when.minutes % dayMinutes === 0 ? slot : undefined
    case 'cron': {
      const hours = cronPatterns(when.expression).map((one) => cronFields(one).split(' ')[1] ?? '')
      return hours.every((hour) => /^[\d,]+$/.test(hour)) ? slot : undefined
    }
    default:
      return assertNever(when)
  }
}
