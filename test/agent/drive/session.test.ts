import { expect, it } from 'vitest'
import { conversationIdOf } from '../../../src/agent/domain/conversation.ts'
import { closes, decides, ends, fails, held, plans } from '../../fakes/model.ts'
import { ana, ben, useClew, workspace } from '../../support/agent.ts'
import { unattended, working } from './story.ts'

const start = useClew()

it('stores every commit, also when the work goes on under the same lease (C50, R6)', async () => {
  const clew = await working(start, {}, 'Find venues', 'Book')
  clew.model.on('thought', fails('unavailable'))
  await clew.say('Book the offsite')
  await clew.idle()
  // The next try is one commit, and a message that comes while it lasts makes the work go on at once.
  const away = held(fails('unavailable', 20_000))
  clew.model.on('thought', away)
  await clew.advance(1_500)
  await clew.model.received(4)
  await clew.say('We are twelve people now', { by: ben })
  await clew.idle(1)
  away.release()
  await clew.idle()
  expect(await clew.task()).toMatchObject({
    needsReplan: true,
    clarifications: [{ text: 'We are twelve people now' }],
  })
})

it('begins once, also when the work goes on under the lease that the run was made with (C50, C173)', async () => {
  const clew = await start()
  const away = held(fails('unavailable', 20_000))
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', away)
  clew.model.on('replan', ends('Booked for twelve.'))
  await clew.say('Book the offsite')
  await clew.model.received(3)
  await clew.say('We are twelve people now', { by: ben })
  await clew.idle(1)
  away.release()
  await clew.idle()
  expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'replan'])
  expect(await clew.task()).toMatchObject({
    clarifications: [{ text: 'We are twelve people now' }],
  })
  expect(await clew.run()).toMatchObject({ status: 'succeeded' })
})

it('opens a thread for a report whose own was removed meanwhile', async () => {
  const clew = await start({ retentionMs: 60_000 })
  await clew.say('/help', { thread: 'old' })
  await clew.idle()
  await clew.away(61_000)
  const conversationId = conversationIdOf(workspace, 'general', 'old')
  await expect.poll(() => clew.store.conversations.state(workspace, conversationId, 0)).toBe(null)
  clew.model.on('plan', plans('Write'))
  clew.model.on('thought', closes())
  clew.model.on('replan', ends('The weekly report.'))
  const place = { channel: 'general', conversationId, locale: 'en', timeZone: 'UTC' }
  const schedule = { scope: 'channel:general', id: 1, slot: 1, allow: [], place, createdBy: ana }
  await unattended(clew, { conversationId, schedule })
  await clew.idle()
  const finals = clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'final')
  expect(finals).toMatchObject([
    { delivery: { body: { text: expect.stringContaining('The weekly report.') } } },
  ])
  expect(finals[0]?.delivery.conversationId).not.toBe(conversationId)
})
