import { describe, expect, it } from 'vitest'
import { overlapsOf, renderAgenda } from '../../../src/agent/commands/agenda.ts'
import { cron, now, scheduleOf } from '../schedules/rows.ts'

/** Each at a minute of its own, so that none overlaps another and no answer of one serves another. */
const hourly = Array.from({ length: 20 }, (_, n) =>
  scheduleOf({ id: n + 1, when: cron(`${n} * * * *`), durationMinutes: 1 }),
)

/** How often others had their turn while this went on. */
async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  await work()
  clearImmediate(next)
  return turns
}

describe('an agenda of many schedules', () => {
  it('serves others after each of them (C58, S11)', async () => {
    const reader = { locale: 'en', timeZone: 'Europe/Lisbon', now, times: 'wall' } as const
    expect(await turnsWhile(() => renderAgenda('month', now, hourly, reader))).toBeGreaterThanOrEqual(20)
    const one = scheduleOf({ id: 100, when: cron('59 */2 * * *'), durationMinutes: 1 })
    expect(await turnsWhile(() => overlapsOf(one, hourly, now))).toBeGreaterThanOrEqual(20)
  })
})
