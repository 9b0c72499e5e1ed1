import { expect, it } from 'vitest'
import { decides } from '../fakes/model.ts'
import { ben, useClew } from '../support/agent.ts'

const start = useClew()

it('one person’s flood is refused before anything is stored, and another one is heard (S8)', async () => {
  const clew = await start({ messagesPerMinute: 5 })
  clew.model.answer(() => decides.reply('Hello'))
  const results = await Promise.all(Array.from({ length: 100 }, (_, n) => clew.say(`Hello ${n}`)))
  expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(5)
  expect(
    results.filter((one) => one.kind === 'ignored').every((one) => one.reason === 'too_many'),
  ).toBe(true)
  expect((await clew.say('Hello', { by: ben })).kind).toBe('accepted')
  await clew.idle()
  expect((await clew.state()).messages.filter(({ role }) => role === 'user')).toHaveLength(6)
  // Buttons and answers are not held back.
  await clew.say('/todo list')
  expect((await clew.choose('q_none', 'Lisbon')).kind).toBe('accepted')
})
