import { describe, expect, it } from 'vitest'
import { overlapsOf, renderAgenda } from '../../../src/agent/commands/agenda.ts'
import type { Schedule } from '../../../src/agent/domain/schedule.ts'
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

async function* oneByOne(schedules: readonly Schedule[], read: (id: number) => void = () => {}) {
  for (const schedule of schedules) {
    read(schedule.id)
    yield schedule
  }
}

describe('what a schedule overlaps', () => {
  const day = 86_400_000
  const once = (id: number, at: number) =>
    scheduleOf({ id, when: { kind: 'once', at }, durationMinutes: 30 })

  it('reads no more of the others than it names, and none where nothing can overlap within 31 days (C214)', async () => {
    const others = Array.from({ length: 100 }, (_, n) =>
      once(n + 1, now + (n % 2 === 0 ? day : 2 * day)),
    )
    const readFor = async (one: Schedule) => {
      let read = 0
      const found = await overlapsOf(
        one,
        oneByOne(others, (id) => (read = id)),
        now,
      )
      return { read, found: found.map(({ other }) => other.id) }
    }
    expect(await readFor(once(101, now + day))).toEqual({ read: 9, found: [1, 3, 5, 7, 9] })
    expect(await readFor(once(101, now + 40 * day))).toEqual({ read: 0, found: [] })
    expect(await readFor(once(101, now - day))).toEqual({ read: 0, found: [] })
    expect(await readFor(once(101, now + 3 * day))).toEqual({ read: 100, found: [] })
    // Each day: what lies beside its first time comes before what lies beside a later one.
    const daily = scheduleOf({
      id: 101,
      when: { kind: 'every', start: now + day, minutes: 1440, times: -1 },
    })
    expect(await readFor(daily)).toEqual({ read: 9, found: [1, 3, 5, 7, 9] })
    const found = await overlapsOf(daily, oneByOne(others.slice(0, 6)), now)
    expect(found.map(({ other }) => other.id)).toEqual([1, 3, 5, 2, 4])
  })
})

describe('an agenda of many schedules', () => {
  it('serves others after each of them (C58, S11)', async () => {
    const reader = { locale: 'en', timeZone: 'Europe/Lisbon', now, times: 'wall' } as const
    expect(
      await turnsWhile(() => renderAgenda('week', now, hourly, reader)),
    ).toBeGreaterThanOrEqual(20)
    const one = scheduleOf({ id: 100, when: cron('59 */2 * * *'), durationMinutes: 1 })
    expect(await turnsWhile(() => overlapsOf(one, oneByOne(hourly), now))).toBeGreaterThanOrEqual(
      20,
    )
  })
})
