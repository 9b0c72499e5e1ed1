import { expect, it } from 'vitest'
import { askedTime } from '../../../src/agent/schedules/asked-time.ts'
import { cron, scheduleOf } from './rows.ts'

it.each([
  ['a time', { kind: 'once', at: 7 } as const, 7],
  ['hours of days', cron('0 9,17 * * 1-5'), 7],
  ['a nickname of one', cron('@daily'), 7],
  ['several of them', cron('0 9 * * * | 30 18 * * *'), 7],
  ['every hour', cron('0 * * * *'), undefined],
  ['hours in a row', cron('0 9-17 * * *'), undefined],
  ['every day', { kind: 'every', start: 0, minutes: 1440, times: -1 } as const, 7],
  ['every two hours', { kind: 'every', start: 0, minutes: 120, times: -1 } as const, undefined],
])('%s is asked for as far as it names its hour (C491)', (_, when, expected) => {
  expect(askedTime(scheduleOf({ when }).when, 7)).toBe(expected)
})
