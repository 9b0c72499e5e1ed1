import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  daysIn,
  formatInstant,
  formatWall,
  instantOf,
  isReal,
  isTimeZone,
  wallClockIn,
  weekdayOf,
  zonedTime,
} from '../../../src/agent/domain/zone.ts'
import { runs } from '../../support/runs.ts'

const zones = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]
const wall = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number)
  return { year, month, day, hour, minute }
}
const iso = (at: number) => new Date(at).toISOString()

describe('instants and clocks', () => {
  it.each([
    ['Asia/Shanghai', '2026-03-04 10:00', '2026-03-04T02:00:00.000Z'],
    ['America/New_York', '2026-01-15 09:30', '2026-01-15T14:30:00.000Z'],
    ['America/New_York', '2026-07-15 09:30', '2026-07-15T13:30:00.000Z'],
    ['Asia/Kolkata', '2026-03-04 00:00', '2026-03-03T18:30:00.000Z'],
    ['Pacific/Apia', '2011-12-31 12:00', '2011-12-30T22:00:00.000Z'],
  ])('reads the clock of %s at %s (C46)', (zone, text, expected) => {
    expect(iso(instantOf(zone, wall(text)))).toBe(expected)
  })

  it.each([
    // Skipped: counted on from before the gap.
    ['America/New_York', '2026-03-08 01:59', '2026-03-08T06:59:00.000Z'],
    ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
    ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00.000Z'],
    // Repeated: the first of the two.
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00.000Z'],
  ])('keeps the rule where the clock of %s is turned, at %s (C46)', (zone, text, expected) => {
    expect(iso(instantOf(zone, wall(text)))).toBe(expected)
  })

  it('shows the second pass of a repeated hour with its offset', () => {
    expect(formatInstant('America/New_York', Date.UTC(2026, 10, 1, 5, 30))).toBe('2026-11-01 01:30')
    expect(formatInstant('America/New_York', Date.UTC(2026, 10, 1, 6, 30))).toBe(
      '2026-11-01 01:30-05:00',
    )
  })

  it('names the time with its offset for models', () => {
    expect(zonedTime(Date.UTC(2026, 2, 4, 2, 0, 37), 'Asia/Shanghai')).toBe(
      '2026-03-04T10:00:37+08:00',
    )
    expect(zonedTime(Date.UTC(2026, 6, 1, 12), 'America/St_Johns')).toBe(
      '2026-07-01T09:30:00-02:30',
    )
    expect(zonedTime(0, 'UTC')).toBe('1970-01-01T00:00:00+00:00')
  })

  it('goes from an instant to the clock and back in every zone (C46)', () => {
    const minutes = fc.integer({ min: 946_684_800 / 60, max: 4_102_444_800 / 60 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
        const at = minute * 60_000
        const back = instantOf(zone, wallClockIn(zone, at))
        // Only the second pass of a repeated hour comes back as its first.
        expect(at - back === 0 || at - back === 3_600_000 || at - back === 1_800_000).toBe(true)
        expect(formatWall(wallClockIn(zone, back))).toBe(formatWall(wallClockIn(zone, at)))
      }),
      { numRuns: runs() },
    )
  })
})

describe('the calendar', () => {
  it('counts days over months, years and changes of the clock', () => {
    expect(formatWall(addDays(wall('2026-12-31 23:30'), 1))).toBe('2027-01-01 23:30')
    expect(formatWall(addDays(wall('2028-03-01 00:00'), -1))).toBe('2028-02-29 00:00')
    expect([daysIn(2026, 2), daysIn(2028, 2), daysIn(2026, 12), daysIn(2026, 13)]).toEqual([
      28, 29, 31, 31,
    ])
    expect([weekdayOf(wall('2026-03-02 00:00')), weekdayOf(wall('2026-03-08 23:59'))]).toEqual([
      1, 7,
    ])
  })

  it.each([
    ['2026-02-29 10:00', false],
    ['2028-02-29 10:00', true],
    ['2026-04-31 10:00', false],
    ['2026-13-01 10:00', false],
    ['2026-03-04 24:00', false],
    ['2026-03-04 23:60', false],
    ['0001-01-01 00:00', false],
  ])('knows whether there is a %s', (text, real) => {
    expect(isReal(wall(text))).toBe(real)
  })

  it('knows the names of zones', () => {
    expect(isTimeZone('Asia/Shanghai')).toBe(true)
    expect(isTimeZone('Mars/Olympus')).toBe(false)
    expect(() => wallClockIn('Mars/Olympus', 0)).toThrow(RangeError)
  })
})
