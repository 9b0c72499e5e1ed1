import { describe, expect, it } from 'vitest'
import type { When } from '../../../src/agent/domain/schedule.ts'
import { nextSlots, reminderAfter, slotAfter } from '../../../src/agent/schedules/recurrence.ts'
import { cron, now, scheduleOf } from './rows.ts'

const hour = 3_600_000
const iso = (at: number | null | undefined) =>
  at == null ? null : new Date(at).toISOString().slice(0, 16)
const rule = (when: When, timeZone = 'Europe/Lisbon', repeats = true) => ({
  when,
  repeats,
  place: { timeZone },
})

describe('slots', () => {
  it('of one time are that time', () => {
    const once = rule({ kind: 'once', at: now })
    expect(slotAfter(once, now - 1)).toBe(now)
    expect(slotAfter(once, now)).toBeNull()
  })

  it('of an interval count elapsed time, as often as it says (F9)', () => {
    const three = rule({ kind: 'every', start: now, minutes: 90, times: 3 })
    expect(nextSlots(three, now - 1, 10)).toEqual([now, now + 1.5 * hour, now + 3 * hour])
    const endless = rule({ kind: 'every', start: now, minutes: 90, times: -1 })
    expect(slotAfter(endless, now + 1_000_000 * hour)).toBe(now + 1_000_000.5 * hour)
  })

  it('of whole days keep the clock when it is turned (C46)', () => {
    const start = Date.parse('2026-03-27T09:00Z')
    const daily = rule({ kind: 'every', start, minutes: 1440, times: -1 })
    expect(nextSlots(daily, start, 3).map(iso)).toEqual([
      '2026-03-28T09:00',
      '2026-03-29T08:00',
      '2026-03-30T08:00',
    ])
    const weekly = rule({
      kind: 'every',
      start: Date.parse('2026-10-23T08:00Z'),
      minutes: 10_080,
      times: 2,
    })
    expect(nextSlots(weekly, 0, 5).map(iso)).toEqual(['2026-10-23T08:00', '2026-10-30T09:00'])
  })

  it('without repeats are the base event alone; a cron rule has none (F10)', () => {
    expect(
      nextSlots(rule({ kind: 'every', start: now, minutes: 60, times: -1 }, 'UTC', false), 0, 5),
    ).toEqual([now])
    expect(nextSlots(rule(cron('0 9 * * *'), 'UTC', false), 0, 5)).toEqual([])
  })
})

describe('reminders (F12)', () => {
  it('come before the base event and, by the same span, before its repeats', () => {
    const when: When = { kind: 'every', start: now + 10 * hour, minutes: 600, times: 3 }
    const schedule = scheduleOf({ when, remind: { base: hour, repeat: hour } })
    const first = reminderAfter(schedule, now)
    expect(first).toEqual({ at: now + 9 * hour, slot: now + 10 * hour })
    expect(reminderAfter(schedule, first?.at ?? 0)).toEqual({
      at: now + 19 * hour,
      slot: now + 20 * hour,
    })
    expect(reminderAfter(schedule, now + 29 * hour)).toBeNull()
  })

  it('of repeats have a start of their own: remind_start + n × interval', () => {
    const when: When = { kind: 'every', start: now + 10 * hour, minutes: 600, times: 3 }
    const schedule = scheduleOf({ when, remind: { base: hour, repeat: 2 * hour } })
    expect(reminderAfter(schedule, now)?.at).toBe(now + 9 * hour)
    expect(reminderAfter(schedule, now + 9 * hour)?.at).toBe(now + 18 * hour)
  })

  it('may be for the base event alone', () => {
    const when: When = { kind: 'every', start: now + 10 * hour, minutes: 600, times: -1 }
    const schedule = scheduleOf({ when, remind: { base: hour, repeat: null } })
    expect(reminderAfter(schedule, now)?.at).toBe(now + 9 * hour)
    expect(reminderAfter(schedule, now + 9 * hour)).toBeNull()
  })

  it('of a rule are so long before each slot', () => {
    const schedule = scheduleOf({ when: cron('0 9 * * *'), remind: { base: null, repeat: hour } })
    expect(iso(reminderAfter(schedule, now)?.at)).toBe('2026-03-04T08:00')
  })
})
