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
  expect(opened).toMatchObject({ unread: true, title: 'Task completed: post what is due today' })
  expect(lab.clock.now()).toBeLessThan(start + 130_000)
  const view = await lab.thread(opened.id)
  expect(view.messages[0]?.text).toContain('Call Ana')
})
