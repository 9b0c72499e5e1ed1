import { expect, it } from 'vitest'
import { proposedDays } from '../../../src/agent/model/rehearsal/days.ts'

it.each([21, 22, 23, 24, 25, 26, 27])('proposes three working days, on the %dth of November too', (day) => {
  const days = proposedDays({ now: `2026-11-${day}T09:00:00Z`, timeZone: 'UTC' })
  expect(days).toHaveLength(3)
  for (const { weekday } of days) expect([1, 2, 3, 4, 5]).toContain(weekday)
})
