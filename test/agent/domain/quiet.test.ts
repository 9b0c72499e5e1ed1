import { describe, expect, it } from 'vitest'
import { isHushed, isQuiet, type QuietHours } from '../../../src/agent/domain/quiet.ts'

const all = [0, 1, 2, 3, 4, 5, 6]
const night = { days: all, from: 18 * 60, to: 9 * 60 }
const weekend = { days: [0, 6], from: 0, to: 1440 }
const hours = (windows: QuietHours['windows'], more: Partial<QuietHours> = {}): QuietHours => ({
  ...{ version: 1, timeZone: 'UTC', outside: false, windows },
  ...more,
})

describe('quiet hours (C490)', () => {
  it.each([
    ['begin at their first minute', hours([night]), '2026-03-04T18:00Z', true],
    ['go on over midnight', hours([night]), '2026-03-05T00:00Z', true],
    ['are over at their last', hours([night]), '2026-03-05T09:00Z', false],
    ['leave the day', hours([night]), '2026-03-04T17:59Z', false],
    ['hold all weekend', hours([weekend]), '2026-03-07T12:00Z', true],
    ['end with it', hours([weekend]), '2026-03-09T00:00Z', false],
    ['hold for each of their windows', hours([night, weekend]), '2026-03-08T12:00Z', true],
    [
      'count a night to the day on which it begins',
      hours([{ ...night, days: [5] }]),
      '2026-03-07T08:59Z',
      true,
    ],
    ['of Friday are not its morning', hours([{ ...night, days: [5] }]), '2026-03-06T08:59Z', false],
    ['of Saturday end on Sunday', hours([{ ...night, days: [6] }]), '2026-03-08T03:00Z', true],
    [
      'may be all but some',
      hours([{ days: [1, 2, 3, 4, 5], from: 540, to: 1080 }], { outside: true }),
      '2026-03-07T12:00Z',
      true,
    ],
    [
      'are not the others then',
      hours([{ days: [1, 2, 3, 4, 5], from: 540, to: 1080 }], { outside: true }),
      '2026-03-06T12:00Z',
      false,
    ],
    [
      'are those of their own zone',
      hours([night], { timeZone: 'America/New_York' }),
      '2026-03-04T22:30Z',
      false,
    ],
    // Berlin turns its clock from 2 to 3 o'clock on 2026-03-29, and from 3 back to 2 on 2026-10-25.
    [
      'follow the clock as it is turned forward',
      hours([{ days: all, from: 22 * 60, to: 7 * 60 }], { timeZone: 'Europe/Berlin' }),
      '2026-03-29T05:00Z',
      false,
    ],
    [
      'follow it back',
      hours([{ days: all, from: 22 * 60, to: 7 * 60 }], { timeZone: 'Europe/Berlin' }),
      '2026-10-25T05:30Z',
      true,
    ],
  ])('%s', (_, quiet, at, expected) => {
    expect(isQuiet(quiet, Date.parse(at.replace('Z', ':00Z')))).toBe(expected)
  })

  it('let through what somebody asked for, for an hour from that time (C491)', () => {
    const quiet = [hours([{ days: all, from: 0, to: 1440 }])]
    const askedFor = Date.parse('2026-03-04T06:00:00Z')
    const hushed = (now: number) => isHushed(quiet, { askedFor, now })
    expect([hushed(askedFor), hushed(askedFor + 3_599_999), hushed(askedFor + 3_600_000)]).toEqual([
      false,
      false,
      true,
    ])
    expect(isHushed(quiet, { askedFor: undefined, now: askedFor })).toBe(true)
    expect(isHushed([], { askedFor: undefined, now: askedFor })).toBe(false)
  })
})
