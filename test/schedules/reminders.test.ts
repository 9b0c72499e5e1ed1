import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 8, 58)
let lab: Lab
beforeEach(async () => {
  lab = await openLab({ start })
})
afterEach(() => lab.stop())

const texts = async (id: string) => (await lab.thread(id)).messages.map(({ text }) => text)
const reminded = (id: string) =>
  lab.until(async () => (await texts(id)).find((text) => text.startsWith('⏰')))

describe('reminders (C53, F12)', () => {
  it('of a to-do arrive in the thread where it was noted, once, and make it unread', async () => {
    const thread = await lab.say(
      '/todo add Call Ana --due 2026-11-20 10:00 --remind 2026-11-20 09:00',
    )
    await lab.reply(thread)
    await lab.pass(60_000)
    expect(await texts(thread)).toHaveLength(2)
    expect(await reminded(thread)).toBe(
      '⏰ Reminder: Call Ana (to-do #1, due 2026-11-20T10:00:00+00:00)',
    )
    expect((await lab.threads())[0]?.unread).toBe(true)
    await lab.restart()
    // A change of something else does not say it again.
    await lab.say('/todo update 1 Call Ana Silva', { thread })
    await lab.reply(thread)
    await lab.pass(120_000)
    expect((await texts(thread)).filter((text) => text.startsWith('⏰'))).toHaveLength(1)
  })

  it('of a to-do that is done stay silent', async () => {
    const thread = await lab.say(
      '/todo add Call Ana --due 2026-11-20 10:00 --remind 2026-11-20 09:00',
    )
    await lab.reply(thread)
    await lab.say('/todo done 1', { thread })
    await lab.reply(thread)
    await lab.pass(10 * 60_000, 10_000)
    expect((await texts(thread)).filter((text) => text.startsWith('⏰'))).toEqual([])
  })

  it('that nobody asked for in a thread open one, in the language of who asked', async () => {
    await lab.post('/api/todos', {
      text: '给安娜打电话 --due 2026-11-20 10:00 --remind 2026-11-20 09:00',
      locale: 'zh',
      timeZone: 'UTC',
    })
    const line = await lab.until(async () => (await lab.threads())[0])
    expect(line).toMatchObject({ title: '提醒：给安娜打电话', unread: true })
    expect(await texts(line.id)).toEqual([
      '⏰ 提醒：给安娜打电话（待办 #1，2026-11-20T10:00:00+00:00 到期）',
    ])
  })

  it('that fell into an outage come late, once (C53)', async () => {
    const thread = await lab.say(
      '/todo add Call Ana --due 2026-11-20 10:00 --remind 2026-11-20 09:00',
    )
    await lab.reply(thread)
    await lab.clew().stop()
    await lab.clock.advance(3 * 3_600_000)
    await lab.restart()
    expect(await reminded(thread)).toContain('Call Ana')
  })

  it('of a schedule come before it starts, in the thread where it was asked for', async () => {
    const thread = await lab.say('/schedule add 2026-11-20 09:30 Team meeting --note --remind 30m')
    await lab.reply(thread)
    expect(await reminded(thread)).toBe(
      '⏰ Reminder: Team meeting (schedule #1, 2026-11-20T09:30:00+00:00)',
    )
  })
})

describe('a note', () => {
  it('says its words when it is due, without a run', async () => {
    await lab.post('/api/schedules', {
      text: '2026-11-20 09:00 Stand up and stretch --note',
      timeZone: 'UTC',
    })
    const line = await lab.until(async () => (await lab.threads())[0])
    expect(line).toMatchObject({ title: 'Stand up and stretch', unread: true })
    expect(await texts(line.id)).toEqual(['⏰ Stand up and stretch (2026-11-20T09:00:00+00:00)'])
    expect(await lab.get('/api/runs')).toEqual({ runs: [] })
    expect(await lab.get('/api/schedules/1/slots')).toMatchObject({
      slots: [{ outcome: 'fired', runId: null }],
    })
  })
})
