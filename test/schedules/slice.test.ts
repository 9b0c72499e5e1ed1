import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Lab, openLab } from './support.ts'

const start = Date.UTC(2026, 10, 20, 8, 58)
let lab: Lab
beforeEach(async () => {
  lab = await openLab({ start })
})
afterEach(() => lab.stop())

it('starts on time and opens an unread thread with the report; a reply there goes on knowing it (R106, R122, R147, R148)', async () => {
  const asked = await lab.say('/schedule add every weekday at nine, post what is due today')
  expect(await lab.reply(asked)).toContain('every weekday at 09:00')
  await lab.say('/todo add Call Ana --due 2026-11-20 18:00', { thread: asked })
  await lab.reply(asked)
  await lab.pass(110_000)
  expect(await lab.threads()).toHaveLength(1)
  const opened = await lab.until(async () => (await lab.threads()).find(({ id }) => id !== asked))
  expect(opened).toMatchObject({ unread: true, title: 'post what is due today · Nov 20' })
  expect(lab.clock.now()).toBeLessThan(start + 130_000)
  const view = await lab.thread(opened.id)
  expect(view.messages[0]?.text).toContain('Call Ana')
})

it('reads a command’s times on the clock of the person who writes it, and keeps that zone (C46)', async () => {
  const thread = await lab.say('/schedule add every day at nine Report', {
    timeZone: 'Europe/Lisbon',
  })
  expect(await lab.reply(thread)).toContain('Lisbon time.')
  await lab.say('/schedule add every day at nine Report', { thread, timeZone: 'Asia/Tokyo' })
  await lab.until(async () => (await lab.reply(thread)).includes('Tokyo time.'))
  const { schedules } = (await lab.get('/api/schedules')) as {
    schedules: { timeZone: string; next: number[] }[]
  }
  expect(
    schedules.map(({ timeZone, next }) => [timeZone, new Date(next[0] ?? 0).toISOString()]),
  ).toEqual([
    ['Europe/Lisbon', '2026-11-20T09:00:00.000Z'],
    ['Asia/Tokyo', '2026-11-21T00:00:00.000Z'],
  ])
})
