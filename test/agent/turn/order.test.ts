import { describe, expect, it } from 'vitest'
import { isUnread } from '../../../src/agent/domain/conversation.ts'
import { acts, asks, closes, decides, ends, held, plans, replans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, type TestOptions, useClew } from '../../support/agent.ts'

const start = useClew()

/** A thread in which a task waits for the city. */
async function asking(options?: TestOptions): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', asks('Which city?', ['Lisbon', 'Porto']))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

/** A thread in which a task is paused at its limit. */
async function pausing(): Promise<TestClew> {
  const clew = await start({ limits: { maxSteps: 1 } })
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', closes('Three venues'))
  await clew.say('Book the offsite')
  await clew.idle()
  expect((await clew.run()).status).toBe('paused')
  return clew
}

describe('an input', () => {
  it('is taken once however often it arrives (P3, R116)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hi Ana'))
    const keys = ['m1', 'client-1']
    const first = await clew.say('Hello', { keys })
    const again = await Promise.all([
      clew.say('Hello', { keys }),
      clew.say('Hello', { keys: ['m2', 'client-1'] }),
    ])
    await clew.idle()
    expect([first, ...again].map(({ kind }) => kind)).toEqual([
      'accepted',
      'duplicate',
      'duplicate',
    ])
    expect(clew.texts()).toEqual(['Hi Ana'])
    clew.model.assertDone()
  })

  it('of somebody who is not allowed, or in a place that is not, starts nothing (C26, F14)', async () => {
    const clew = await start({ access: { users: ['ana'], channels: ['general'], outsiders: [] } })
    expect(await clew.say('Hello', { by: ben })).toEqual({ kind: 'ignored', reason: 'not_allowed' })
    expect(await clew.say('Hello', { channel: 'secret' })).toEqual({
      kind: 'ignored',
      reason: 'not_allowed',
    })
    await clew.idle()
    expect(clew.model.calls).toEqual([])
  })

  it('of a bot starts nothing, not even in a thread that Clew works in (R149, S9)', async () => {
    const clew = await asking()
    expect(await clew.say('Lisbon', { by: { id: 'clew2', name: 'Other bot' }, bot: true })).toEqual(
      {
        kind: 'ignored',
        reason: 'bot',
      },
    )
    await clew.idle()
    expect((await clew.run()).status).toBe('awaiting_clarification')
  })

  it('that is not addressed to Clew counts only in a thread that it works in (R146)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    expect(await clew.say('Lunch?', { thread: 'elsewhere', addressed: false })).toMatchObject({
      reason: 'not_addressed',
    })
    expect(await clew.say('Lisbon', { addressed: false })).toMatchObject({ kind: 'accepted' })
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('without a word is greeted (R1)', async () => {
    const clew = await start()
    await clew.say(' ')
    await clew.idle()
    expect(clew.texts()).toEqual([expect.stringMatching(/^Hello!/)])
  })

  it('with half a character is stored all the same', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Hello \ud83d')
    await clew.idle()
    expect((await clew.state()).messages[0]?.text).toBe('Hello \ufffd')
  })
})

describe('the order in which an input is tried', () => {
  it('has the cancel text before the open question (R151)', async () => {
    const clew = await asking()
    await clew.say('stop')
    await clew.idle()
    expect((await clew.run()).status).toBe('canceled')
    expect(await clew.outcomes()).toEqual(['started', 'answered'])
    clew.model.assertDone()
  })

  it('has a command before the open question, which stays as it is (R18, R1)', async () => {
    const clew = await asking()
    const before = await clew.task()
    await clew.say('/todo add Call Ana')
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/Call Ana/)
    expect(await clew.task()).toEqual(before)
    expect((await clew.state()).questions).toHaveLength(1)
    expect(await clew.outcomes()).toEqual(['started', 'command'])
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Lisbon')
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'Lisbon' }])
  })

  it('has the open question before a resume word and before joining (R146)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    await clew.say('continue')
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([
      { question: 'Which city?', text: 'continue' },
    ])
    expect(await clew.outcomes()).toEqual(['started', 'answer'])
  })

  it('has a paused plan before a Decision (R85)', async () => {
    const clew = await pausing()
    clew.model.on('replan', held(ends('Booked.')))
    await clew.say('continue')
    await clew.model.received(4)
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'replan'])
  })

  it('has the running task before a Decision (C50, R150)', async () => {
    const clew = await start()
    const thinking = held(acts('list'))
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    clew.model.on('thought', thinking)
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('Under 4,000 euros', { by: ben })
    await clew.idle(1)
    expect(await clew.outcomes()).toEqual(['started', 'joined'])
    thinking.release()
    await clew.idle()
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'replan'])
    clew.model.assertDone()
  })

  it('has the Decision last, once for each message (R91)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Hi'), decides.reply('Good'))
    await clew.say('Hello')
    await clew.say('How are you?')
    await clew.idle()
    expect(clew.texts()).toEqual(['Hi', 'Good'])
  })

  it('leaves words for somebody else alone, also while a question is open (R146)', async () => {
    const clew = await asking()
    await clew.say('@ben what do you think?', { forSomeoneElse: true })
    await clew.idle()
    expect((await clew.run()).status).toBe('awaiting_clarification')
    expect(await clew.outcomes()).toEqual(['started'])
  })
})

describe('every message', () => {
  it('that is for Clew has a visible outcome (R150, C71)', async () => {
    const clew = await asking()
    clew.model.on('replan', replans('Book'))
    const thinking = held(closes('Booked'))
    clew.model.on('thought', thinking)
    for (const text of ['/help', 'Lisbon']) await clew.say(text)
    await clew.say('@ben look', { forSomeoneElse: true })
    await clew.idle(1)
    await clew.say('And for 12 people')
    await clew.idle(1)
    clew.model.on('replan', ends('Booked.'))
    thinking.release()
    await clew.idle()
    clew.model.on('decision', decides.reply('Soon'), 'garbage', 'garbage')
    for (const text of ['When?', 'What?', 'stop']) {
      await clew.say(text)
      await clew.idle()
    }
    expect(await clew.outcomes()).toEqual([
      'started',
      'command',
      'answer',
      'joined',
      'answered',
      'failed',
      'answered',
    ])
    const receipts = clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'receipt')
    expect(receipts).toHaveLength(7)
  })

  it('is handled in the order of its arrival within a thread, while other threads go on (R150)', async () => {
    const clew = await start()
    const slow = held(decides.reply('one'))
    clew.model.on('decision', slow, decides.reply('other'), decides.reply('two'))
    await clew.say('1')
    await clew.model.received(1)
    await clew.say('2')
    await clew.say('3', { thread: 'other' })
    await clew.idle(1)
    expect(clew.texts('other')).toEqual(['other'])
    expect(clew.texts()).toEqual([])
    slow.release()
    await clew.idle()
    expect(clew.texts()).toEqual(['one', 'two'])
  })

  it('marks the thread as read; what Clew says makes it unread (C51, C24, R107)', async () => {
    const clew = await start()
    const slow = [held(decides.reply('Hi')), held(decides.reply('Good'))]
    clew.model.on('decision', ...slow)
    const unread: boolean[] = []
    for (const [index, text] of ['Hello', 'How are you?'].entries()) {
      await clew.say(text)
      unread.push(isUnread((await clew.state()).conversation))
      await clew.model.received(index + 1)
      await clew.advance(1_000)
      slow[index]?.release()
      await clew.idle()
      unread.push(isUnread((await clew.state()).conversation))
    }
    expect(unread).toEqual([false, true, false, true])
  })

  it('stays in its thread (R142)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.reply('Noted'), decides.reply('I do not know'))
    await clew.say('The code is 1234')
    await clew.idle()
    await clew.say('What is the code?', { thread: 'other', by: ana })
    await clew.idle()
    expect(clew.model.calls[1]).toMatchObject({ input: { recentMessages: [], recentRuns: [] } })
  })
})
