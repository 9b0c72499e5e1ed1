import { expect, it } from 'vitest'
import { asks, closes, decides, ends, plans } from '../../fakes/model.ts'
import { ben, type TestClew, useClew, workspace } from '../../support/agent.ts'
import { unattended } from '../drive/story.ts'

const start = useClew()
const hour = 3_600_000

/** Each delivery that calls somebody, and each that would if it were not quiet. */
const calls = (clew: TestClew) =>
  clew.channel.shown.flatMap(({ delivery: { body, to, notify, hushed } }) =>
    notify || hushed ? [`${hushed ? 'quiet ' : ''}${body.kind} ${to?.id}`] : [],
  )

async function asking(...before: string[]): Promise<TestClew> {
  const clew = await start()
  for (const line of before) {
    await clew.say(line)
    await clew.idle()
  }
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

// Clocks of these stories begin on Wednesday, 2026-03-04, at 10:00.
it.each([
  ['a person', '/quiet 9:00-20:00'],
  ['a channel', '/quiet 9:00-20:00 --channel'],
])('in the quiet hours of %s everything is posted and nobody is called (C490)', async (_, line) => {
  const clew = await asking(line)
  expect(calls(clew)).toEqual(['quiet question ana'])
  expect(clew.texts()).toContain('Which city?')
  clew.model.on('replan', ends('Booked.'))
  await clew.advance(11 * hour)
  await clew.say('Lisbon')
  await clew.idle()
  expect(calls(clew).at(-1)).toBe('final ana')
})

it('the reminder of a question waits until quiet hours end (C490)', async () => {
  const clew = await asking('/quiet 13:00-15:30')
  await clew.advance(5 * hour)
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana'])
  await clew.advance(hour)
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana', 'message ana'])
})

it('the hours of somebody else change nothing (C490)', async () => {
  const clew = await start()
  await clew.say('/quiet every day', { by: ben })
  await clew.idle()
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana'])
})

it('a reminder calls who set it at the time that they said, quiet or not (C491)', async () => {
  const clew = await start()
  await clew.say('/quiet every day', { by: ben })
  await clew.say('/todo add Call Bob --due 2026-03-05 10:00 --remind 2026-03-05 03:00', { by: ben })
  await clew.idle()
  await clew.advance(Date.UTC(2026, 2, 5, 3) - clew.clock.now())
  await clew.idle()
  expect(calls(clew)).toEqual(['message ben'])
})

const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }

async function reported(more: { ping?: boolean; isTimed?: boolean }) {
  const clew = await start()
  await clew.say('/quiet every day', { by: ben })
  await clew.idle()
  clew.model.on('plan', plans('Count'))
  clew.model.on('thought', closes('42 orders'))
  clew.model.on('replan', ends('42 orders.'))
  const { isTimed = false, ...asked } = more
  const slot = clew.clock.now()
  const schedule = { scope: 'channel:general', id: 1, slot, allow: [], place, createdBy: ben }
  const timed = isTimed ? { askedFor: slot } : {}
  await unattended(clew, { schedule: { ...schedule, ...asked, ...timed } })
  await clew.idle()
  return calls(clew)
}

it('a schedule’s report calls nobody, unless who made it asked for that (C492)', async () => {
  expect(await reported({})).toEqual([])
  expect(await reported({ ping: true })).toEqual(['quiet final ben'])
  expect(await reported({ ping: true, isTimed: true })).toEqual(['final ben'])
})

it('hours of a newer version hold no message up (C490)', async () => {
  const clew = await start()
  await clew.store.notes.put(workspace, 'quiet:person:ana', '{"version":2}', null)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues'))
  clew.model.on('thought', asks('Which city?'))
  await clew.say('Book the offsite')
  await clew.idle()
  expect(calls(clew)).toEqual(['question ana'])
})
