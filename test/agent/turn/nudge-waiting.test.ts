import { describe, expect, it } from 'vitest'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { askingWith } from './asking.ts'

const start = useClew()
const asking = askingWith(start)
const hour = 3_600_000

describe('a reminder', () => {
  const reminders = (clew: TestClew) =>
    clew.texts().filter((text) => /^Still waiting|is still paused/.test(text))

  it('comes once, after its hours (R11)', async () => {
    const clew = await asking()
    await clew.advance(4 * hour - 60_000)
    await clew.idle()
    expect(reminders(clew)).toEqual([])
    await clew.advance(2 * 60_000)
    await clew.idle()
    expect(reminders(clew)).toEqual(['Still waiting for an answer: Which city?'])
    await clew.advance(72 * hour)
    await clew.idle()
    expect(reminders(clew)).toHaveLength(1)
    expect((await clew.run()).status).toBe('awaiting_clarification')
  })

  it('waits for the next working hour of the thread’s time zone (C46)', async () => {
    // 10:00 UTC is 18:00 in Shanghai; four hours later is night there, and Thursday begins at 01:00 UTC.
    const clew = await asking({}, { timeZone: 'Asia/Shanghai' })
    expect((await clew.state()).conversation.remindAt).toBe(Date.UTC(2026, 2, 5, 1))
    await clew.advance(15 * hour - 60_000)
    await clew.idle()
    expect(reminders(clew)).toEqual([])
    await clew.advance(2 * 60_000)
    await clew.idle()
    expect(reminders(clew)).toHaveLength(1)
  })

  it('that was missed while nobody worked waits for working hours too (C46)', async () => {
    const clew = await asking()
    await clew.away(12 * hour)
    await clew.idle()
    expect(reminders(clew)).toEqual([])
    expect((await clew.state()).conversation.remindAt).toBe(Date.UTC(2026, 2, 5, 9))
  })

  it('that was missed lets what was said meanwhile be read first (C279, C155, R11)', async () => {
    const answered = await asking()
    answered.model.on('replan', ends('Booked.'))
    await answered.away(5 * hour)
    await answered.idle()
    expect(reminders(answered)).toEqual([])
    await answered.say('Lisbon')
    await answered.advance(hour)
    await answered.idle()
    expect(reminders(answered)).toEqual([])
    const silent = await asking()
    await silent.away(5 * hour)
    // From when the next process has looked at it.
    await silent.idle()
    await silent.advance(15 * 60_000)
    await silent.idle()
    expect(reminders(silent)).toHaveLength(1)
  })

  it('does not come for a question that was answered (R11)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Lisbon')
    await clew.advance(24 * hour)
    await clew.idle()
    expect(reminders(clew)).toEqual([])
  })

  it('comes once for a task that is paused, and not after it went on (C191)', async () => {
    const clew = await start({ limits: { maxSteps: 1 } })
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    clew.model.on('thought', closes())
    await clew.say('Book the offsite')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    await clew.advance(4 * hour + 60_000)
    await clew.idle()
    expect(reminders(clew)).toEqual([
      '“Book the offsite” is still paused. Say “continue” to go on, or “stop” to end it.',
    ])
    await clew.advance(72 * hour)
    await clew.idle()
    expect(reminders(clew)).toHaveLength(1)
  })

  it('can be turned off', async () => {
    const clew = await asking({
      reminder: { afterMs: 0, hours: { fromHour: 9, toHour: 18, days: [1] } },
    })
    await clew.advance(100 * hour)
    await clew.idle()
    expect(reminders(clew)).toEqual([])
  })
})
