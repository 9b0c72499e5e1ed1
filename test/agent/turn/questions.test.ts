import { describe, expect, it } from 'vitest'
import { texts } from '../../../src/locales/texts.ts'
import {
  acts,
  asks,
  closes,
  decides,
  ends,
  hangs,
  held,
  plans,
  replans,
} from '../../fakes/model.ts'
import { ana, ben, type TestClew, useClew } from '../../support/agent.ts'
import { askingWith } from './asking.ts'

const start = useClew()
const asking = askingWith(start)
const hour = 3_600_000

const open = async (clew: TestClew) => (await clew.state()).questions[0]

describe('a question', () => {
  it('is posted in the thread, and nothing is called until a reply (R11, R145, R24)', async () => {
    const clew = await asking()
    const calls = clew.model.calls.length
    await clew.advance(48 * hour)
    await clew.idle()
    expect(clew.model.calls).toHaveLength(calls)
    expect(clew.texts()[0]).toBe('Which city?')
    const question = await open(clew)
    expect(question).toMatchObject({ choices: ['Lisbon', 'Porto'], askedOf: 'Ana' })
    const { messages } = await clew.state()
    expect(messages.find(({ questionId }) => questionId === question?.id)?.text).toBe('Which city?')
    expect(await clew.trace((await clew.run()).id)).toContainEqual({
      kind: 'asked',
      questionId: question?.id,
    })
  })

  it('begins with 请确认： in Chinese (R12)', async () => {
    const clew = await asking({}, { locale: 'zh' })
    expect(clew.texts()[0]).toBe('请确认：Which city?')
  })

  it.each([
    ['Lisbon', 'Lisbon'],
    ['  lisbon ', 'Lisbon'],
    ['2', 'Porto'],
    ['2.', 'Porto'],
    ['Neither, rather Madrid', 'Neither, rather Madrid'],
  ])('is answered in words: %s (R146)', async (text, answer) => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    await clew.say(text)
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([
      { step: 1, question: 'Which city?', text: answer, author: ana },
    ])
    expect(clew.texts()[1]).toBe(`Ana answered: ${answer}`)
    clew.model.assertDone()
  })

  it('is answered by a number that is a choice, and asked about where it may be two (C332)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Order chairs'))
    clew.model.on('plan', plans('Order'))
    clew.model.on('thought', asks('How many chairs?', ['3', '5', '8']))
    clew.model.on('replan', ends('Ordered.'))
    await clew.say('Order chairs')
    await clew.idle()
    await clew.say('2')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe(
      'Do you mean the choice “5”, or literally “2”? Press a button, or write a few more words.',
    )
    await clew.say('3')
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: '3' }])
  })

  it('stays open where something is asked back, and the task hears it (C331)', async () => {
    const clew = await asking()
    await clew.say('Why do you ask?')
    await clew.idle()
    expect(await open(clew)).toBeDefined()
    expect((await clew.task()).clarifications).toMatchObject([
      { question: null, text: 'Why do you ask?' },
    ])
    clew.model.on('replan', ends('Booked.'))
    await clew.say('What about Porto?')
    await clew.idle()
    expect((await clew.task()).clarifications[1]).toMatchObject({ text: 'What about Porto?' })
  })

  it('is answered by a click, which is kept in the history (C47, R114)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    await clew.choose((await open(clew))?.id ?? '', 'Porto', ben)
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'Porto', author: ben }])
    expect(
      (await clew.state()).messages.map(({ text, author }) => [author?.name ?? 'Clew', text]),
    ).toContainEqual(['Ben', 'Porto'])
  })

  it('leads to exactly one replan, then to thoughts again (R6, R146, P13)', async () => {
    const clew = await asking()
    clew.model.on('replan', replans('Book in Lisbon'), ends('Booked.'))
    clew.model.on('thought', closes('Booked'))
    await clew.say('Lisbon')
    await clew.idle()
    expect(clew.model.contracts()).toEqual([
      'decision',
      'plan',
      'thought',
      'replan',
      'thought',
      'replan',
    ])
    expect(clew.model.calls[3]).toMatchObject({
      input: { newClarifications: [{ text: 'Lisbon' }] },
    })
    // The plan shows what changed, and because of whom.
    const run = await clew.run()
    expect(
      clew.channel.progress.find(({ lastChange }) => lastChange !== null)?.lastChange,
    ).toMatchObject({
      added: ['Book in Lisbon'],
      dropped: ['Find venues', 'Book'],
      because: { author: ana, text: 'Lisbon' },
    })
    expect(
      (await clew.trace(run.id)).flatMap((one) => (one.kind === 'status' ? [one.status] : [])),
    ).toEqual(['running', 'awaiting_clarification', 'running', 'succeeded'])
    clew.model.assertDone()
  })

  it('is not answered in another thread (R146, R142)', async () => {
    const clew = await asking()
    clew.model.on('decision', decides.reply('Hi'))
    await clew.say('Lisbon', { thread: 'other' })
    await clew.idle()
    expect((await clew.run()).status).toBe('awaiting_clarification')
    await clew.choose((await open(clew))?.id ?? '', 'Lisbon')
    await clew.idle()
  })

  it('is answered once when two people click at once; the second hears who was first (C47)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    const id = (await open(clew))?.id ?? ''
    await Promise.all([clew.choose(id, 'Porto', ben), clew.choose(id, 'Lisbon', ana)])
    await clew.idle()
    expect((await clew.task()).clarifications).toHaveLength(1)
    expect(clew.texts().filter((text) => text.includes('already answered'))).toEqual([
      '(to ana) Thanks. Ben has already answered this: “Porto”.',
    ])
    clew.model.assertDone()
  })

  it('is answered once when two people type at once; the second hears who was first (C47)', async () => {
    const clew = await asking()
    clew.model.on('replan', held(ends('Booked.')))
    await clew.say('Porto', { by: ben })
    await clew.say('lisbon', { by: ana })
    await clew.idle(1)
    expect((await clew.run()).status).toBe('running')
    expect((await clew.state()).answered).toHaveLength(1)
    expect(clew.texts().at(-1)).toBe('(to ana) Thanks. Ben has already answered this: “Porto”.')
    expect(await clew.outcomes()).toEqual(['started', 'answer', 'ignored'])
  })

  it.each([
    [3_000, 'ignored'],
    [3_001, 'joined'],
  ])(
    'takes a choice %i ms after the answer for one that came second, or no more: %s (C47)',
    async (ms, outcome) => {
      const clew = await asking()
      clew.model.on('replan', hangs(), hangs())
      await clew.say('Porto', { by: ben })
      await clew.idle(1)
      await clew.clock.advance(ms)
      await clew.say('lisbon', { by: ana })
      await clew.idle(1)
      expect((await clew.outcomes()).at(-1)).toBe(outcome)
    },
  )

  it('takes no addition for a second answer (C47, C50)', async () => {
    const clew = await asking()
    clew.model.on('replan', hangs(), hangs())
    await clew.say('Porto', { by: ben })
    for (const [text, by] of [
      ['And with parking', ana],
      ['Or rather Lisbon', ben],
    ] as const)
      await clew.say(text, { by })
    await clew.idle(1)
    expect(await clew.outcomes()).toEqual(['started', 'answer', 'joined', 'joined'])
  })

  it('tells a late click how it was answered, or that it is gone (C47)', async () => {
    const clew = await asking()
    clew.model.on('replan', ends('Booked.'))
    const id = (await open(clew))?.id ?? ''
    await clew.say('Lisbon')
    await clew.idle()
    await clew.advance(hour)
    await clew.choose(id, 'Porto', ben)
    await clew.choose('q_of_another_thread', 'Porto', ben)
    await clew.idle()
    expect(clew.texts().slice(-2)).toEqual([
      '(to ben) Thanks. Ana has already answered this: “Lisbon”.',
      '(to ben) Thanks, but I no longer need an answer to this.',
    ])
    expect((await clew.state()).answered).toHaveLength(1)
  })

  it('may be kept for the person who asked for the work (C47)', async () => {
    const clew = await asking({ whoMayAnswer: 'owner' })
    await clew.say('Porto', { by: ben })
    await clew.idle()
    expect(clew.texts().at(-1)).toBe(
      '(to ben) Only Ana or whoever runs Clew can answer this. Your message stays in the thread.',
    )
    expect((await clew.run()).status).toBe('awaiting_clarification')
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Lisbon')
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('is taken back when its run is canceled (P13)', async () => {
    const clew = await asking()
    const id = (await open(clew))?.id ?? ''
    await clew.say('stop')
    await clew.idle()
    expect((await clew.state()).questions).toEqual([])
    expect((await clew.state()).conversation.remindAt).toBeNull()
    await clew.choose(id, 'Lisbon')
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/no longer need an answer/)
  })

  it('is Clew’s own when the model gets stuck (C5, R17)', async () => {
    const clew = await start()
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    clew.model.on('thought', 'x', 'x', acts('list'), 'x')
    await clew.say('Book the offsite')
    await clew.idle()
    const { stuckQuestion, stuckChoices, questionPrefix } = texts('en').core
    expect(await open(clew)).toMatchObject({
      text: questionPrefix + stuckQuestion('Find venues'),
      choices: stuckChoices,
    })
    // R30: the refused call was not executed.
    expect((await clew.task()).observations).toEqual([])
    clew.model.assertDone()
  })
})

describe('the question slot of a thread', () => {
  /** Two runs that wait for an answer: two canceled ones were tried again. */
  async function twoAsking(): Promise<TestClew> {
    const clew = await start()
    clew.model.on('decision', decides.run('One'), decides.run('Two'))
    clew.model.on('plan', hangs(), hangs(), plans('a'), plans('b'))
    clew.model.on('thought', asks('First?'), asks('Second?'))
    for (const [text, calls] of [
      ['One', 2],
      ['Two', 4],
    ] as const) {
      await clew.say(text)
      await clew.model.received(calls)
      await clew.say('stop')
      await clew.idle()
    }
    for (const { id } of await clew.runs()) {
      await clew.press('retry', id)
      await clew.idle()
    }
    return clew
  }
  const questions = (clew: TestClew) =>
    clew.texts().filter((text) => ['First?', 'Second?'].includes(text))

  it('is used by one run at a time; the next question is shown when the first is answered (C42)', async () => {
    const clew = await twoAsking()
    expect(questions(clew)).toEqual(['First?'])
    expect((await clew.state()).questions).toHaveLength(2)
    await clew.advance(5 * hour)
    clew.model.on('replan', ends('One.'), ends('Two.'))
    await clew.say('yes')
    await clew.idle()
    expect(questions(clew)).toEqual(['First?', 'Second?'])
    expect((await clew.runs()).map(({ status }) => status)).toEqual([
      'canceled',
      'canceled',
      'succeeded',
      'awaiting_clarification',
    ])
    // 15:00 and four hours: it has its reminder after its own time.
    expect((await clew.state()).conversation.remindAt).toBe(Date.UTC(2026, 2, 5, 9))
    await clew.say('no')
    await clew.idle()
    expect((await clew.state()).questions).toEqual([])
    clew.model.assertDone()
  })

  it('is given on when the run that used it is canceled (C42)', async () => {
    const clew = await twoAsking()
    const [, , first] = await clew.runs()
    await clew.press('cancel', first?.id ?? '')
    await clew.idle()
    expect(questions(clew)).toEqual(['First?', 'Second?'])
    clew.model.on('replan', ends('Two.'))
    await clew.say('no')
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toEqual([
      'canceled',
      'canceled',
      'canceled',
      'succeeded',
    ])
  })
})
