import { describe, expect, it } from 'vitest'
import { decides, ends, hangs, held, plans } from '../../fakes/model.ts'
import { ben, useClew } from '../../support/agent.ts'

const start = useClew()

it('an edit of a task that has not begun changes its words and keeps its files (R149)', async () => {
  const clew = await start({ runsAtOnce: 1 })
  clew.model.on('decision', decides.run('One'), decides.run('Sum this up'))
  clew.model.on('plan', hangs())
  await clew.say('One', { thread: 'other' })
  await clew.model.received(2)
  await clew.say('Sum this up', { keys: ['said'], files: ['sales.csv'] })
  await clew.idle(2)
  expect((await clew.run()).input).toMatchObject({ goal: 'Sum this up\n\nsales.csv' })
  await clew.edit('said', 'Sum this up in three lines')
  await clew.idle(2)
  await clew.edit('said', 'Sum this up in two lines')
  await clew.idle(2)
  expect(await clew.run()).toMatchObject({
    title: 'Sum this up in two lines',
    input: { goal: 'Sum this up in two lines\n\nsales.csv' },
  })
})

it('an edit is what the history says from then on, and what was taken back is not in it (C249)', async () => {
  const clew = await start()
  clew.model.on('decision', decides.reply('Hi'))
  await clew.say('Hello', { keys: ['said'] })
  await clew.idle()
  const history = async () => (await clew.state()).messages.map(({ text }) => text)
  for (const text of ['Hello you', 'Hello all', ' ']) {
    await clew.edit('said', text)
    await clew.idle()
  }
  expect(await history()).toEqual(['Hello all', 'Hi'])
  const title = async () => (await clew.state()).conversation.title
  expect(await title(), 'the thread is called by it').toBe('Hello all')
  await clew.remove('said')
  await clew.idle()
  expect(await history()).toEqual(['Hi'])
  expect(await title()).toBe('')
  clew.model.on('decision', decides.reply('Hi'))
  await clew.say('Good morning', { keys: ['next'] })
  await clew.idle()
  await clew.say('stop', { keys: ['last'] })
  await clew.idle()
  await clew.remove('last')
  await clew.idle()
  expect(await title(), 'by another one').toBe('Good morning')
})

it('an edit of what started work that hears nothing says nothing (R149)', async () => {
  const clew = await start()
  const run = { type: 'sleep', title: 'Wait', conversation_id: null, input: '{"seconds": 600}' }
  clew.model.on('decision', decides.runs(run))
  await clew.say('Wait ten minutes', { keys: ['said'] })
  await clew.idle()
  const before = clew.texts()
  await clew.edit('said', 'Wait eleven minutes')
  await clew.idle()
  expect(clew.texts()).toEqual(before)
})

it('an edit of what a task works on names it anew, on its card and in its report (C114, R149)', async () => {
  const clew = await start()
  clew.model.on('decision', decides.run('Book the offsite'))
  const planning = held(plans('Book'))
  clew.model.on('plan', planning)
  clew.model.on('replan', ends('Booked.'))
  await clew.say('Book the offsite', { keys: ['said'] })
  await clew.model.received(2)
  await clew.edit('said', 'Book the offsite in Porto')
  await clew.idle(1)
  planning.release()
  await clew.idle()
  expect(clew.texts().at(-1)).toMatch(/^Book the offsite in Porto: done\.\n/)
  expect(clew.channel.current.get((await clew.run()).id)?.title).toBe('Book the offsite in Porto')
})

describe('an edit that adds a mention', () => {
  const talk = { addressed: false, keys: ['talk'] }
  const named = { addressed: true }

  it('of a message that was nothing to Clew is that message, once (C78)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Lisbon'))
    expect(await clew.say('which city?', { ...talk, keys: ['other'] })).toMatchObject({
      reason: 'not_addressed',
    })
    const edits = { ...named, keys: ['e1'] }
    for (const said of [edits, edits, { ...named, keys: ['e2'] }])
      await clew.edit('other', 'which city?', said)
    await clew.idle()
    expect(clew.texts()).toEqual(['Lisbon'])
    expect(await clew.outcomes()).toEqual(['answered'])
    clew.model.assertDone()
  })

  it.each(['waiting', 'taken'])(
    'of talk in its thread that is %s makes it a message to Clew (C78)',
    async (state) => {
      const clew = await start()
      clew.model.on('decision', decides.reply('Hi'), decides.reply('Lisbon'))
      await clew.say('Hello')
      await clew.idle()
      await clew.say('@cem which city?', { ...talk, by: ben, forSomeoneElse: true })
      if (state === 'taken') await clew.idle()
      await clew.edit('talk', 'which city?', { ...named, by: ben })
      await clew.idle()
      expect(clew.texts()).toEqual(['Hi', 'Lisbon'])
      expect(await clew.outcomes()).toEqual(['answered', 'answered'])
      expect(clew.model.calls.at(-1)?.input).toMatchObject({ message: 'which city?', author: ben })
      clew.model.assertDone()
    },
  )

  it('of a message that was for Clew already is an edit like any other (C78, R149)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Hello', { keys: ['talk'] })
    await clew.idle()
    await clew.edit('talk', 'Hello!', named)
    await clew.idle()
    expect(clew.texts()).toEqual(['Hi'])
    clew.model.assertDone()
  })
})
