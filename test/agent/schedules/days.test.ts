import { expect, it } from 'vitest'
import type { Schedule, When } from '../../../src/agent/domain/schedule.ts'
import { midnightsIn, timesAhead, turnsIn } from '../../../src/agent/schedules/days.ts'
import { slotAfter } from '../../../src/agent/schedules/recurrence.ts'
import { cron, scheduleOf } from './rows.ts'

const lisbon = 'Europe/Lisbon'
/** The clocks go forward in Lisbon on 29 March 2026 and back on 25 October. */
const [march, october] = [Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 23, 23)]
const dayMs = 86_400_000

const ahead = (
  when: When,
  from: number,
  days: number,
  more: Partial<Schedule> = {},
  timeZone = lisbon,
) => {
  const rule = { when, repeats: true, place: { timeZone: lisbon } }
  const schedule = { ...scheduleOf({ when }, from - 1), nextAt: slotAfter(rule, from - 1), ...more }
  const midnights = midnightsIn(timeZone, from, from + days * dayMs)
  return timesAhead(schedule, midnights, { now: from - 1, timeZone })
}

it('shows up to three times a day by themselves and more as one entry that counts them (C235)', () => {
  const thrice = ahead(cron('0 9,12,15 * * *'), march, 1)
  expect(thrice.slots).toEqual([9, 12, 15].map((hour) => ({ at: march + hour * 3_600_000 })))
  const hourly = ahead(cron('0 * * * *'), october, 3)
  // 24 October, the day of 25 hours, and 26 October until the hour that the third day lacks.
  expect(hourly.slots.map(({ count }) => count)).toEqual([24, 25, 23])
  expect(hourly.slots[0]).toEqual({ at: october, until: october + 23 * 3_600_000, count: 24 })
  expect(ahead(cron('* * * * *'), march, 1).slots).toMatchObject([{ at: march, count: null }])
})

it('works a day out anew only where it differs from the one before (C235)', () => {
  const month = ahead(cron('0 * * * *'), Date.UTC(2026, 5, 1) - 3_600_000, 30)
  expect(month.slots).toHaveLength(30)
  expect(month.work).toBeLessThan(70)
  // Elsewhere a day has the ends of two of theirs.
  const tokyo = ahead(cron('0 9-17 * * 1-5'), Date.UTC(2026, 5, 1, 15), 7, {}, 'Asia/Tokyo').slots
  expect(tokyo.map(({ count = 1 }) => count)).toEqual([9, 9, 9, 9, 1, 1, 7])
})

it('shows no more than the rule has left, and nothing of what is over (C235)', () => {
  expect(ahead(cron('0 9 * * *', 5), march, 10, { fired: 3 }).slots).toHaveLength(2)
  expect(ahead(cron('0 9 * * *', 5), march, 10, { nextAt: null }).slots).toEqual([])
})

it('names the days on which clocks are turned, and by how much (C235)', () => {
  expect(turnsIn(lisbon, march, march + 5 * dayMs)).toEqual([
    { timeZone: lisbon, day: '2026-03-29', minutes: 60 },
  ])
  expect(turnsIn(lisbon, october, october + 5 * dayMs)).toEqual([
    { timeZone: lisbon, day: '2026-10-25', minutes: -60 },
  ])
  expect(turnsIn('UTC', march, march + 30 * dayMs)).toEqual([])
})
