import { expect, it } from 'vitest'
import type { Overheard } from '../../../src/agent/domain/overheard.ts'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, useClew, workspace } from '../../support/agent.ts'

const start = useClew()
const said = (key: string, text: string, at: number, more: Partial<Overheard> = {}): Overheard => ({
  ...{ version: 1, key, author: ben, text, at },
  ...more,
})
const kept = async (clew: TestClew) =>
  (await clew.store.conversations.overheard(workspace, clew.conversationId)).map(({ text }) => text)
const decisionOf = (clew: TestClew) => {
  const last = clew.model.calls.findLast(({ contract }) => contract === 'decision')
  return last?.contract === 'decision' ? last.input : null
}

it('called into a thread it reads it first: the Decision and the task see what was said (C69)', async () => {
  const clew = await start()
  const at = clew.clock.now() - 60_000
  clew.channel.thread = {
    kind: 'read',
    said: [said('a', 'The venue is booked', at), said('b', 'I buy the cake', at + 1)],
    gap: false,
  }
  clew.model.on('decision', decides.run('Make to-dos'))
  clew.model.on('plan', plans('Add them'))
  clew.model.on('thought', closes('Added'))
  clew.model.on('replan', ends('Two to-dos.'))
  await clew.say('Make to-dos from this')
  await clew.idle()
  expect(decisionOf(clew)?.recentMessages).toMatchObject([
    { role: 'overheard', author: 'Ben', text: 'The venue is booked', at: '2026-03-04 09:59' },
    { role: 'overheard', author: 'Ben', text: 'I buy the cake' },
  ])
  const plan = clew.model.calls.find(({ contract }) => contract === 'plan')
  expect(plan?.contract === 'plan' && plan.input.thread?.before).toMatchObject([
    { text: 'The venue is booked' },
    { text: 'I buy the cake' },
  ])
  expect(await kept(clew)).toEqual(['The venue is booked', 'I buy the cake'])
})

it('asks for no more than it has missed, and keeps nothing twice, not through a crash either (C69, P3)', async () => {
  const clew = await start()
  const first = clew.clock.now()
  clew.channel.thread = {
    kind: 'read',
    said: [said('a', 'The venue is booked', first - 1)],
    gap: false,
  }
  clew.model.on('decision', decides.reply('Yes'), decides.reply('Yes'))
  clew.crashAt('before commits.commit')
  await clew.say('Is it booked?', { keys: ['mine'] })
  await clew.idle()
  await clew.advance(20_000)
  await clew.idle()
  expect(clew.lives()).toBe(2)
  clew.channel.thread = {
    kind: 'read',
    // What Clew heard or said itself is told by the platform too.
    said: [
      said('mine', 'Is it booked?', first, { author: ana }),
      said('own', 'Yes', first + 1, { author: null }),
      said('c', 'And the cake', first + 2),
    ],
    gap: false,
  }
  clew.model.on('decision', decides.reply('No'))
  await clew.say('And the cake?')
  await clew.idle()
  expect(await kept(clew)).toEqual(['The venue is booked', 'And the cake'])
  expect(new Set(clew.channel.readings)).toEqual(new Set([0, first]))
})

it('asks no model about what was said before it was called, when that comes once more (C77)', async () => {
  const clew = await start()
  const before = clew.clock.now() - 60_000
  clew.channel.thread = { kind: 'read', said: [said('a', 'Stop, or Lisbon?', before)], gap: false }
  clew.model.on('decision', decides.reply('It is booked'))
  await clew.say('Is it booked?')
  await clew.idle()
  const asked = clew.model.calls.length
  for (const text of ['Who can look at this?', 'stop'])
    await clew.say(text, { by: ben, addressed: false, at: before, keys: [text] })
  await clew.idle()
  expect(clew.model.calls).toHaveLength(asked)
  expect(clew.texts()).toEqual(['It is booked'])
  expect(await kept(clew)).toContain('Who can look at this?')
})

it('shows what was said after a message as said later, not as said before (C92)', async () => {
  const clew = await start()
  const at = clew.clock.now()
  clew.model.answer(({ contract }) => (contract === 'decision' ? decides.reply('Hi') : null))
  await clew.say('Book Porto', { at: at - 2 })
  await clew.say('no wait, Lisbon', { at: at - 1 })
  await clew.idle()
  const asked = clew.model.calls.flatMap((one) => (one.contract === 'decision' ? [one.input] : []))
  expect(asked[0]).toMatchObject({ message: 'Book Porto', recentMessages: [] })
  expect(asked[0]?.later).toMatchObject([{ text: 'no wait, Lisbon' }])
  expect(asked[1]?.later).toBeUndefined()
  expect(asked[1]?.recentMessages).toMatchObject([{ text: 'Book Porto' }, { text: 'Hi' }])
})

it('reads nothing for what does not name it, and nothing at all where the setting says so (C69)', async () => {
  const clew = await start({ threadTokens: 0 })
  clew.model.on('decision', decides.reply('Hi'), decides.reply('Hi'))
  await clew.say('Hello')
  await clew.say('and hello again', { addressed: false })
  await clew.idle()
  expect(clew.channel.readings).toEqual([])
})

it.each(['forbidden', 'away'] as const)(
  'answers without what it could not read, %s, and tells the model (C70)',
  async (reason) => {
    const clew = await start()
    clew.channel.thread = { kind: 'unreadable', reason }
    clew.model.on(
      'decision',
      decides.reply('I cannot read this thread'),
      decides.reply('Now I can'),
    )
    await clew.say('Sum this thread up')
    await clew.idle()
    expect(clew.texts()).toEqual(['I cannot read this thread'])
    expect(decisionOf(clew)?.missing).toMatchObject({ problem: reason })
    clew.channel.thread = {
      kind: 'read',
      said: [said('a', 'The venue is booked', clew.clock.now() - 1)],
      gap: true,
    }
    await clew.say('And now?')
    await clew.idle()
    expect(clew.channel.readings).toEqual([0, 0])
    expect(decisionOf(clew)?.missing).toEqual({
      shortened: 0,
      leftOut: 0,
      gap: true,
      problem: null,
    })
  },
)
