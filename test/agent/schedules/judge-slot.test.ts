import { describe, expect, it } from 'vitest'
import type { Schedule } from '../../../src/agent/domain/schedule.ts'
import { judge, planned } from '../../../src/agent/schedules/judge-slot.ts'
import { nextSlots } from '../../../src/agent/schedules/recurrence.ts'
import { cron, now, scheduleOf } from './rows.ts'

const minute = 60_000
const hour = 60 * minute
const hourly = () => scheduleOf({ when: cron('0 * * * *') })
const outcomes = (schedule: Schedule, at: number) =>
  judge(schedule, at, null).slots.map(({ outcome, reason }) => [outcome, reason])

describe('the misfire rule (P10)', () => {
  it('says of a pause that the place was gone, until it goes on again (C377)', () => {
    const gone = { ...hourly(), paused: true, gone: 'place' as const }
    const held = judge(gone, now + 2 * hour, null)
    expect(held.start).toEqual([])
    expect(held.slots.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'gone'],
      ['skipped', 'gone'],
    ])
    expect(held.after.gone).toBe('place')
    const again = judge({ ...gone, paused: false }, now + hour, null)
    expect([again.start.length, again.after.gone]).toEqual([1, undefined])
  })

  it.each([
    ['place', 'gone'],
    ['owner', 'owner_gone'],
  ] as const)(
    'starts nothing where its %s is gone, not even by hand, and is paused (C378)',
    (missing, reason) => {
      const asked = { key: 'k', at: now + hour }
      const { start, slots, after } = judge({ ...hourly(), asked }, now + hour, null, missing)
      expect(start).toEqual([])
      expect(slots.map((slot) => [slot.outcome, slot.reason])).toEqual([
        ['skipped', reason],
        ['skipped', reason],
      ])
      expect(after).toMatchObject({ paused: true, gone: missing, asked: null })
      expect(after.nextAt).toBe(now + 2 * hour)
    },
  )

  it('never starts a rule again that has fired as often as it may, whatever is changed about it (F13)', () => {
    const used = scheduleOf({
      when: cron('0 9 * * *', 2),
      fired: 2,
      remind: { base: minute, repeat: minute },
    })
    expect(planned(used, now)).toMatchObject({ nextAt: null, remindAt: null })
    expect(planned({ ...used, fired: 1 }, now).nextAt).not.toBe(null)
  })

  it('starts on time, and moves to the next slot', () => {
    const verdict = judge(hourly(), now + hour, null)
    expect(verdict.start).toEqual([{ slot: now + hour, key: String(now + hour) }])
    expect(verdict.slots).toEqual([
      { at: now + hour, outcome: 'fired', reason: null, runId: null, decidedAt: now + hour },
    ])
    expect(verdict.after).toMatchObject({ nextAt: now + 2 * hour, lastAt: now + hour, fired: 1 })
  })

  it('does nothing before the time', () => {
    expect(judge(hourly(), now + hour - 1, null)).toMatchObject({
      slots: [],
      start: [],
      remindOf: null,
    })
  })

  it('calls a start after a minute late, and says why', () => {
    expect(outcomes(hourly(), now + hour + minute)).toEqual([['fired', null]])
    expect(outcomes(hourly(), now + hour + minute + 1)).toEqual([['late', 'away']])
  })

  it('catches up once: of several due slots only the latest starts, the others are missed', () => {
    const verdict = judge(hourly(), now + 3.5 * hour, null)
    expect(verdict.start).toHaveLength(1)
    expect(verdict.slots.map(({ at, outcome, reason }) => [at - now, outcome, reason])).toEqual([
      [hour, 'missed', 'caught_up'],
      [2 * hour, 'missed', 'caught_up'],
      [3 * hour, 'late', 'away'],
    ])
    expect(verdict.after.nextAt).toBe(now + 4 * hour)
  })

  it('counts what is too much to list, and still knows the latest', () => {
    const minutely = scheduleOf({ when: cron('* * * * *') })
    const day = judge(minutely, now + 24 * hour, null)
    expect(day.slots).toHaveLength(2)
    expect(day.slots[0]).toMatchObject({
      at: now + minute,
      until: now + 24 * hour - minute,
      count: 1439,
    })
    const year = judge(minutely, now + 365 * 24 * hour, null)
    expect(year.slots).toHaveLength(2)
    expect(year.slots[0]).toMatchObject({ at: now + minute, count: null, outcome: 'missed' })
    expect(year.slots[1]).toMatchObject({ at: now + 365 * 24 * hour, outcome: 'fired' })
    expect(year.after.nextAt).toBe(now + 365 * 24 * hour + minute)
  })

  it('starts nothing while the last run goes on or asks, and says so (F13)', () => {
    for (const busy of ['still_running', 'still_asking'] as const) {
      const verdict = judge(hourly(), now + hour, busy)
      expect(verdict.start).toEqual([])
      expect(verdict.slots).toMatchObject([{ outcome: 'skipped', reason: busy }])
      expect(verdict.after).toMatchObject({ nextAt: now + 2 * hour, fired: 0 })
    }
  })

  it('skips what falls into a pause', () => {
    const verdict = judge({ ...hourly(), paused: true }, now + 2 * hour, null)
    expect(verdict.slots.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['skipped', 'paused'],
      ['skipped', 'paused'],
    ])
    expect(verdict.start).toEqual([])
    expect(verdict.after.nextAt).toBe(now + 3 * hour)
  })

  it('ends a rule after its number of runs; skipped ones do not count (F13)', () => {
    const twice = scheduleOf({ when: cron('0 * * * *', 2) })
    const first = judge(twice, now + hour, null).after
    const skipped = judge(first, now + 2 * hour, 'still_running').after
    expect(skipped.nextAt).toBe(now + 3 * hour)
    expect(judge(skipped, now + 3 * hour, null).after).toMatchObject({ nextAt: null, fired: 2 })
  })

  it('starts by hand beside the rule, but never two runs at once', () => {
    const asked = { ...hourly(), asked: { key: 'n_1', at: now + 10 } }
    const alone = judge(asked, now + 10, null)
    expect(alone.start).toEqual([{ slot: now + 10, key: 'n_1' }])
    expect(alone.after).toMatchObject({ asked: null, nextAt: now + hour, fired: 0 })
    expect(judge(asked, now + 10, 'still_running').slots).toMatchObject([{ outcome: 'skipped' }])
    const both = judge({ ...asked, asked: { key: 'n_1', at: now + hour } }, now + hour, null)
    expect(both.start).toHaveLength(1)
    expect(both.slots.map(({ outcome }) => outcome)).toEqual(['fired', 'skipped'])
  })

  it('repeats nothing after the clock was put back, nor when the rule is changed then', () => {
    const after = judge(hourly(), now + hour, null).after
    expect(judge(after, now, null).slots).toEqual([])
    expect(planned({ ...after, when: cron('0 * * * *') }, now).nextAt).toBe(now + 2 * hour)
  })

  it('says one reminder, the latest, however many are due (C53)', () => {
    const schedule = scheduleOf({
      when: cron('0 * * * *'),
      remind: { base: null, repeat: 10 * minute },
    })
    expect(schedule.remindAt).toBe(now + 50 * minute)
    const verdict = judge(schedule, now + 50 * minute, null)
    expect(verdict.remindOf).toBe(now + hour)
    expect(verdict.after.remindAt).toBe(now + 110 * minute)
    const late = judge(schedule, now + 3 * hour, null)
    expect(late.remindOf).toBe(now + 3 * hour)
    expect(late.after.remindAt).toBe(now + 3 * hour + 50 * minute)
    expect(judge({ ...schedule, paused: true }, now + hour, null).remindOf).toBeNull()
  })

  it('gives every slot of a month one row, whatever the moments at which it is looked at', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    }
    let schedule = scheduleOf({ when: cron('*/40 * * * *') })
    const expected = nextSlots(schedule, now, 2_000).filter((at) => at <= now + 30 * 24 * hour)
    const seen: number[] = []
    for (let at = now; at < now + 30 * 24 * hour; at += random() * 5 * hour) {
      // A restart forgets everything but the row.
      const verdict = judge(JSON.parse(JSON.stringify(schedule)), at, null)
      schedule = verdict.after
      seen.push(...verdict.slots.map((slot) => slot.at))
      expect(verdict.start.length).toBeLessThanOrEqual(1)
    }
    seen.push(...judge(schedule, now + 30 * 24 * hour, null).slots.map((slot) => slot.at))
    expect(seen).toEqual(expected)
  })
})
