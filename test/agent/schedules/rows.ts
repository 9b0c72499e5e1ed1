import type { Schedule, When } from '../../../src/agent/domain/schedule.ts'
import { planned } from '../../../src/agent/schedules/judge-slot.ts'

export const now = Date.UTC(2026, 2, 4, 2)

/** A plain schedule with what a test is about laid over it, its next times worked out. */
export function scheduleOf(patch: Partial<Schedule> & { when: When }, at = now): Schedule {
  return planned(
    {
      version: 1,
      id: 1,
      title: 'post the report',
      work: 'run',
      durationMinutes: 60,
      remind: { base: null, repeat: null },
      place: { channel: 'web', conversationId: null, locale: 'en', timeZone: 'Europe/Lisbon' },
      askedIn: null,
      createdBy: { id: 'ana', name: 'Ana' },
      createdAt: at,
      allow: [],
      paused: false,
      repeats: true,
      nextAt: null,
      remindAt: null,
      lastAt: null,
      lastRunId: null,
      fired: 0,
      asked: null,
      ...patch,
    },
    at,
  )
}
export const cron = (expression: string, times = -1): When => ({ kind: 'cron', expression, times })
