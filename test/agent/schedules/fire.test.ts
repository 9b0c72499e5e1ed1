import { expect, it } from 'vitest'
import type { Schedule } from '../../../src/agent/domain/schedule.ts'
import { useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const hour = 3_600_000

const hourlyNote = (now: number): Omit<Schedule, 'id' | 'version'> => ({
  title: 'Stretch',
  work: 'note',
  when: { kind: 'every', start: now + hour, minutes: 60, times: -1 },
  durationMinutes: 60,
  remind: { base: hour, repeat: hour },
  place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
  askedIn: null,
  createdBy: null,
  createdAt: now,
  allow: [],
  paused: false,
  repeats: true,
  nextAt: now + hour,
  remindAt: now + hour,
  lastAt: null,
  lastRunId: null,
  fired: 0,
  asked: null,
})

it.each([0, 1, 2, 3])(
  'says a note and a reminder that are due together, killed after commit %i (F12, P10)',
  async (n) => {
    const clew = await start()
    await clew.store.schedules.add(workspace, 'channel:general', 'e1', hourlyNote(clew.clock.now()))
    await clew.idle()
    await clew.advance(hour - 8_000)
    await clew.idle()
    if (n > 0) clew.crashAt('after commits.commit', n)
    for (let waits = 0; waits < 6; waits += 1) {
      await clew.advance(10_000)
      await clew.idle()
    }
    const said = clew.channel.shown.map(({ delivery: { body } }) =>
      'text' in body ? body.text : '',
    )
    expect(said.filter((text) => text.startsWith('⏰ Reminder'))).toHaveLength(1)
    expect(said).toHaveLength(2)
  },
)
