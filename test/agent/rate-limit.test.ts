import { expect, it } from 'vitest'
import { createRate } from '../../src/agent/rate-limit.ts'
import { decides } from '../fakes/model.ts'
import { ben, useClew } from '../support/agent.ts'

const start = useClew()

it('lets so many messages a minute through, of each person by themselves, and forgives with time (S8)', () => {
  let now = 0
  let messages = 0
  const rate = createRate({ perMinute: 3 })
  const tries = (person: string, count: number) =>
    Array.from({ length: count }, () => rate.take(person, { key: `m${++messages}`, at: now })).filter((ok) => ok).length
  expect(tries('ana', 1_000)).toBe(3)
  expect(tries('ben', 2)).toBe(2)
  now += 20_000
  expect(tries('ana', 1_000)).toBe(1)
  now += 600_000
  expect(tries('ana', 1_000)).toBe(3)
  expect(
    Array.from({ length: 1_000 }, (_, n) => createRate({ perMinute: 0 }).take('x', { key: `m${n}`, at: 0 })),
  ).not.toContain(false)
})

it('counts a message once, however often it comes in, and at the time when it was said (S8, P3)', () => {
  const rate = createRate({ perMinute: 3 })
  const twice = (key: string) => [rate.take('ana', { key, at: 0 }), rate.take('ana', { key, at: 0 })]
  expect(['a', 'b', 'c', 'd'].flatMap(twice)).toEqual([true, true, true, true, true, true, false, false])
  // After an outage the messages of an hour are read at once.
  const hour = Array.from({ length: 60 }, (_, minute) => rate.take('ben', { key: `b${minute}`, at: minute * 60_000 }))
  expect(hour).not.toContain(false)
})

it('one person’s flood is refused before anything is stored, and another one is heard (S8)', async () => {
  const clew = await start({ messagesPerMinute: 5 })
  clew.model.answer(() => decides.reply('Hello'))
  const results = await Promise.all(Array.from({ length: 100 }, (_, n) => clew.say(`Hello ${n}`)))
  expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(5)
  expect(results.filter((one) => one.kind === 'ignored').every((one) => one.reason === 'too_many')).toBe(true)
  expect((await clew.say('Hello', { by: ben })).kind).toBe('accepted')
  await clew.idle()
  expect((await clew.state()).messages.filter(({ role }) => role === 'user')).toHaveLength(6)
  // Buttons and answers are not held back.
  await clew.say('/todo list')
  expect((await clew.choose('q_none', 'Lisbon')).kind).toBe('accepted')
})
