import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { offsetAt } from '../../../src/agent/domain/zone.ts'
import { cronAfter, isCron } from '../../../src/agent/schedules/cron.ts'

type Vector = [
  id: string,
  pattern: string,
  must: 'reject' | 'accept' | string[],
  mustNot?: string[],
]
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../fixtures/cron-vectors.json', import.meta.url), 'utf8'),
).tests

/** Vectors that Clew does not meet, each with its reason. None at present: what croner is lenient about is refused here. */
const deviations: Readonly<Record<string, string>> = {}

const at = (clock: string) => Date.parse(`${clock.replace(' ', 'T')}:00Z`)

describe('the vectors of open-source-cron/ocps', () => {
  it('are all there', () => {
    expect(vectors).toHaveLength(27)
  })

  it.each(vectors.filter(([id]) => !(id in deviations)))(
    '%s: %s',
    (_, pattern, must, mustNot = []) => {
      if (must === 'reject' || must === 'accept')
        return expect(isCron(pattern)).toBe(must === 'accept')
      const names = (clock: string) => cronAfter(pattern, 'UTC', at(clock) - 1) === at(clock)
      expect(must.filter((clock) => !names(clock))).toEqual([])
      expect(mustNot.filter(names)).toEqual([])
    },
  )
})

describe('what is no pattern', () => {
  it.each([
    '',
    '0 9 * *',
    '0 9 * * * *',
    '* * * * * * *',
    '2026-01-01T00:00:00',
    'Add these to-dos: thing 1',
    '@Daily',
    '@reboot',
    '__proto__',
    'constructor',
    '0 24 * * *',
    '0 9 32 * *',
    '0 9 * 13 *',
    'a b c d e',
  ])('%s', (text) => {
    expect(isCron(text)).toBe(false)
  })
})

/** The next instants of a pattern, as ISO times without seconds. */
function from(pattern: string, zone: string, start: string, count: number): string[] {
  const found: string[] = []
  let last = Date.parse(start)
  for (let n = 0; n < count; n += 1) {
    const next = cronAfter(pattern, zone, last)
    if (next === null) break
    found.push(new Date(next).toISOString().slice(0, 16))
    last = next
  }
  return found
}

describe('where clocks are turned (C46, P10)', () => {
  it('counts a skipped time on: 02:30 becomes 03:30', () => {
    expect(from('30 2 * * *', 'America/New_York', '2026-03-07T00:00Z', 3)).toEqual([
      '2026-03-07T07:30',
      '2026-03-08T07:30',
      '2026-03-09T06:30',
    ])
  })

  it('meets a repeated time once, the first time', () => {
    expect(from('30 1 * * *', 'America/New_York', '2026-10-31T00:00Z', 3)).toEqual([
      '2026-10-31T05:30',
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ])
  })

  it('goes on through the repeated hour when every hour is named', () => {
    expect(from('*/30 * * * *', 'Europe/Lisbon', '2026-10-25T00:00Z', 5)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
      '2026-10-25T02:30',
    ])
  })

  it('starts two clocks that fall on one instant once', () => {
    expect(from('30 2,3 * * *', 'America/New_York', '2026-03-08T00:00Z', 3)).toEqual([
      '2026-03-08T07:30',
      '2026-03-09T06:30',
      '2026-03-09T07:30',
    ])
  })

  it('knows zones that turn by half an hour, and at midnight', () => {
    expect(from('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00Z', 3)).toEqual([
      '2026-10-02T15:45',
      '2026-10-03T15:45',
      '2026-10-04T15:15',
    ])
    // 6 September 2026 has no midnight in Santiago: the day begins at one.
    expect(from('0 0 * * *', 'America/Santiago', '2026-09-04T12:00Z', 3)).toEqual([
      '2026-09-05T04:00',
      '2026-09-06T04:00',
      '2026-09-07T03:00',
    ])
  })

  it('never answers an instant twice or goes back, whatever the pattern and the zone', () => {
    for (const zone of [
      'Europe/Lisbon',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Santiago',
      'Asia/Kolkata',
    ])
      for (const pattern of [
        '*/20 * * * *',
        '30 2 * * *',
        '0 0 * * *',
        '15 1,2,3 * * 0',
        '0 */2 * * *',
      ]) {
        let last = Date.UTC(2026, 0, 1)
        for (let n = 0; n < 200; n += 1) {
          const next = cronAfter(pattern, zone, last)
          if (next === null) throw new Error(`${pattern} ends`)
          expect(next).toBeGreaterThan(last)
          expect(next % 60_000).toBe(0)
          last = next
        }
      }
  })

  it('answers nothing for a day that no year has', () => {
    expect(cronAfter('0 0 30 2 *', 'Europe/Lisbon', 0)).toBeNull()
  })

  it('keeps nine at nine through a year', () => {
    let last = Date.UTC(2026, 0, 1)
    for (let n = 0; n < 365; n += 1) {
      const next = cronAfter('0 9 * * *', 'Europe/Lisbon', last) ?? 0
      expect((next + offsetAt('Europe/Lisbon', next)) % 86_400_000).toBe(9 * 3_600_000)
      last = next
    }
  })
})
