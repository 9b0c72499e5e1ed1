import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import {
  acts,
  asks,
  closes,
  crosses,
  decides,
  ends,
  held,
  plans,
  replans,
} from '../../fakes/model.ts'
import { ana, ben, useClew } from '../../support/agent.ts'
import { working } from './story.ts'

const start = useClew()

describe('what the model is told', () => {
  it('for the plan: goal, time and tools (R26)', async () => {
    const clew = await working(start, {})
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite', { timeZone: 'Europe/Lisbon' })
    await clew.idle()
    expect(clew.model.calls[1]).toMatchObject({
      contract: 'plan',
      input: {
        goal: 'Book the offsite',
        now: '2026-03-04T10:00+00:00',
        timeZone: 'Europe/Lisbon',
        locale: 'en',
        unattended: false,
        tools: [{ name: 'todo' }, { name: 'recall' }],
      },
    })
  })

  it('and a tool: whose clock is meant, and whether that is known (C194)', async () => {
    const clocks: unknown[] = []
    const clock: Tool = {
      ...{ name: 'clock', effect: 'none', description: 'Looks at the clock.' },
      async run(_, { timeZone, zoneUnset = false }) {
        clocks.push({ timeZone, zoneUnset })
        return { ok: true, text: 'Ten.' }
      },
    }
    const clew = await start({ tools: [clock] })
    for (const timeZone of ['Europe/Lisbon', undefined, 'Asia/Tokyo']) {
      clew.model.on('decision', decides.run('Book the offsite'))
      clew.model.on('plan', plans('Look'))
      clew.model.on('thought', acts('look', 'clock'), closes())
      clew.model.on('replan', ends('Booked.'))
      await clew.say('Book the offsite', timeZone === undefined ? {} : { timeZone })
      await clew.idle()
    }
    expect(clocks).toEqual([
      { timeZone: 'Europe/Lisbon', zoneUnset: false },
      // As its thread was opened.
      { timeZone: 'Europe/Lisbon', zoneUnset: true },
      { timeZone: 'Asia/Tokyo', zoneUnset: false },
    ])
  })

  it('for a thought: item, observations, clarifications and counters (R27, F3)', async () => {
    const clew = await working(start, {}, 'Find venues', 'Book')
    clew.model.on(
      'thought',
      acts('add Call Ana'),
      acts('get 99'),
      asks('Which city?'),
      closes('ok'),
    )
    clew.model.on('replan', replans('Find venues', 'Book'), ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    await clew.say('Lisbon')
    await clew.idle()
    expect(clew.model.calls.filter(({ contract }) => contract === 'thought').at(-1)).toMatchObject({
      input: {
        currentItem: 'Find venues',
        currentPlanIndex: 0,
        observations: [
          { step: 1, tool: 'todo', input: 'add Call Ana', ok: true },
          { step: 3, tool: 'todo', input: 'get 99', ok: false },
        ],
        clarifications: [{ question: 'Which city?', text: 'Lisbon', author: ana }],
        stepCount: 6,
        maxSteps: 20,
        successfulSteps: 1,
        failedSteps: 1,
        mustStop: false,
      },
    })
  })

  it('for a replan: the new words, the observations and what remains (R28)', async () => {
    const clew = await working(start, {}, 'Find venues', 'Book')
    const thinking = held(closes('Three venues'))
    clew.model.on('thought', thinking)
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('For 12 people', { by: ben })
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    expect(clew.model.calls.at(-1)).toMatchObject({
      contract: 'replan',
      input: {
        goal: 'Book the offsite',
        newClarifications: [{ question: null, text: 'For 12 people', author: ben }],
        remainingPlan: ['Book'],
        conclusions: [{ item: 'Find venues', text: 'Three venues' }],
      },
    })
  })

  it('after a refused reply: what was wrong with it (R17)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', acts('send', 'mail'), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.model.calls[3]).toMatchObject({
      input: { refusal: 'there is no tool "mail"; the tools are todo, recall' },
    })
    // R30: nothing was executed, R21: the attempt counted.
    expect(await clew.task()).toMatchObject({ observations: [], spent: { steps: 3, toolCalls: 0 } })
    expect(
      (await clew.trace((await clew.run()).id)).filter(({ kind }) => kind === 'model_call'),
    ).toMatchObject([
      { contract: 'plan', ok: true },
      {
        contract: 'thought',
        ok: false,
        problem: 'bad_reply: there is no tool "mail"; the tools are todo, recall',
      },
      { contract: 'thought', ok: true },
      { contract: 'replan', ok: true },
    ])
  })
})

describe('a message while the task works', () => {
  it('waits for the thought in flight, then the plan is looked at (C50)', async () => {
    const clew = await working(start, {}, 'Find venues')
    const thinking = held(acts('add Call Ana'))
    clew.model.on('thought', thinking)
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('Hurry')
    await clew.idle(1)
    expect(clew.model.calls).toHaveLength(3)
    thinking.release()
    await clew.idle()
    expect((await clew.task()).observations).toHaveLength(1)
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'replan'])
  })

  it('with the setting "interrupt" cuts the call in flight off (C50)', async () => {
    const clew = await working(start, { interrupt: true }, 'Find venues')
    clew.model.on('thought', held(acts('add Call Ana')))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('Forget the to-do')
    await clew.idle()
    expect(await clew.task()).toMatchObject({
      observations: [],
      spent: { steps: 1, modelCalls: 2 },
    })
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'replan'])
  })

  it('with the setting "interrupt" is heard even if the last word comes as it is cut off (C50, P5)', async () => {
    const clew = await working(start, { interrupt: true }, 'Find venues')
    clew.model.on('thought', closes())
    clew.model.on('replan', crosses(ends('Booked for 10.')), ends('Booked for 12.'))
    await clew.say('Book the offsite')
    await clew.model.received(4)
    await clew.say('For 12 people')
    await clew.idle()
    expect(clew.model.calls.at(-1)).toMatchObject({
      contract: 'replan',
      input: { newClarifications: [{ text: 'For 12 people' }] },
    })
    expect(clew.texts()).toEqual(['Book the offsite: done.\n\nBooked for 12.'])
    clew.model.assertDone()
  })

  it('is heard even if two come in just before the last word (C50, R150, P5)', async () => {
    const clew = await working(start, {}, 'Find venues')
    const last = held(ends('Booked for 10.'))
    clew.model.on('thought', closes())
    clew.model.on('replan', last, ends('Booked for 12, with parking.'))
    await clew.say('Book the offsite')
    await clew.model.received(4)
    await clew.say('For 12 people')
    await clew.say('And with parking', { by: ben })
    await clew.idle(1)
    last.release()
    await clew.idle()
    expect(clew.model.calls.at(-1)).toMatchObject({
      contract: 'replan',
      input: { newClarifications: [{ text: 'For 12 people' }, { text: 'And with parking' }] },
    })
    expect(clew.texts()).toEqual(['Book the offsite: done.\n\nBooked for 12, with parking.'])
    expect(
      (await clew.trace((await clew.run()).id)).filter(({ kind }) => kind === 'heard'),
    ).toHaveLength(2)
    clew.model.assertDone()
  })

  it('that comes in with the pause is kept for "continue" (C50, C35)', async () => {
    const clew = await working(start, { limits: { maxSteps: 1 } }, 'Find venues')
    const thinking = held(closes())
    clew.model.on('thought', thinking)
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('For 12 people')
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().filter((text) => text.includes('Why I stopped'))).toHaveLength(1)
    clew.model.on('replan', ends('Booked.'))
    await clew.say('continue')
    await clew.idle()
    expect(clew.model.calls.at(-1)).toMatchObject({
      input: { newClarifications: [{ text: 'For 12 people' }] },
    })
  })

  it('that comes in with the question is heard with its answer (C50, R11)', async () => {
    const clew = await working(start, {}, 'Find venues')
    const thinking = held(asks('Which city?'))
    clew.model.on('thought', thinking)
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('For 12 people')
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    expect((await clew.run()).status).toBe('awaiting_clarification')
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Lisbon')
    await clew.idle()
    expect((await clew.task()).clarifications.map(({ text }) => text)).toEqual([
      'For 12 people',
      'Lisbon',
    ])
    clew.model.assertDone()
  })
})

it('the choices of a question stay with it, for the task and for the next Decision (C495)', async () => {
  const clew = await working(start, {}, 'Find venues')
  const choices = ['20 EUR', '35 EUR', '50 EUR']
  clew.model.on('thought', asks('What may it cost?', choices))
  await clew.say('Book the offsite')
  await clew.idle()
  clew.model.on('replan', ends('Booked.'))
  await clew.say('the middle one')
  await clew.idle()
  expect((await clew.task()).clarifications).toMatchObject([{ choices, text: 'the middle one' }])
  clew.model.on('decision', decides.reply('35 EUR.'))
  await clew.say('how much was it?')
  await clew.idle()
  const { input } = clew.model.calls.at(-1) ?? {}
  expect(input).toMatchObject({
    recentMessages: expect.arrayContaining([expect.objectContaining({ choices })]),
  })
})

describe('the progress of a task', () => {
  it('shows the plan, where it is, and what it does (R38, R39, R40, R41)', async () => {
    const clew = await working(start, {}, 'Find venues', 'Book')
    const thinking = held(acts('add Call Ana'))
    clew.model.on('thought', thinking, closes('ok'), closes('Booked'))
    clew.model.on('replan', replans('Book'), ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.idle(1)
    const run = await clew.run()
    expect(clew.channel.current.get(run.id)).toMatchObject({
      items: [
        { text: 'Find venues', done: false },
        { text: 'Book', done: false },
      ],
      index: 0,
      done: 0,
      now: { kind: 'thinking' },
      news: { kind: 'planned' },
    })
    thinking.release()
    await clew.idle()
    expect(clew.channel.current.get(run.id)).toMatchObject({
      news: { kind: 'step_done', index: 1 },
      status: 'succeeded',
      items: [
        { text: 'Find venues', done: true },
        { text: 'Book', done: true },
      ],
      done: 2,
      now: { kind: 'idle' },
      lastResult: null,
    })
    const story = (await clew.trace(run.id)).filter(
      ({ kind }) => !['model_call', 'status', 'created'].includes(kind),
    )
    expect(story.map(({ kind }) => kind)).toEqual([
      'planned',
      'thought',
      'acting',
      'acted',
      'thought',
      'replanned',
      'thought',
      'task_done',
      'said',
    ])
  })

  it('holds nothing of what the model thinks (R42, S7)', async () => {
    const secret = 'I secretly think that this is silly'
    const clew = await working(start, {}, 'Find venues')
    clew.model.on(
      'thought',
      { ...acts('add Call Ana'), current_step: secret, choices: [secret] },
      closes(),
    )
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    const run = await clew.run()
    const shown = [
      clew.channel.shown,
      clew.channel.progress,
      clew.logs,
      await clew.trace(run.id),
      (await clew.state()).messages,
    ]
    expect(JSON.stringify(shown)).not.toContain(secret)
  })
})

describe('what a model thinks aloud in its reply', () => {
  it('is shown to nobody and kept nowhere (R42, F3)', async () => {
    const aloud = '<think>They will never notice</think>'
    const clew = await working(start, {}, `${aloud}Find venues`)
    clew.model.on(
      'thought',
      asks(`${aloud}\nWhich city?`, [`${aloud}Lisbon`]),
      closes(`${aloud} ok`),
    )
    clew.model.on('replan', replans('Book'), ends(`${aloud}\n\nBooked.`))
    await clew.say('Book the offsite')
    await clew.idle()
    await clew.say('Lisbon')
    await clew.idle()
    expect(clew.texts()).toEqual([
      'Which city?',
      'Ana answered: Lisbon',
      'Book the offsite: done.\n\nBooked.',
    ])
    const kept = [
      clew.channel.progress,
      await clew.task(),
      await clew.trace((await clew.run()).id),
      await clew.state(),
    ]
    expect(JSON.stringify(kept)).not.toContain('never notice')
  })

  it('is no answer by itself (R34, R42)', async () => {
    const clew = await working(start, {})
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('<think>done?</think>'), ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(/Booked\.$/)
    clew.model.assertDone()
  })
})

describe('a second task', () => {
  it('in the same thread has its own single plan call (R3, R2)', async () => {
    const clew = await working(start, {})
    clew.model.on('decision', decides.run('Tell the team'))
    clew.model.on('plan', plans())
    clew.model.on('thought', closes(), closes())
    clew.model.on('replan', ends('Booked.'), ends('Told.'))
    for (const text of ['Book the offsite', 'Tell the team']) {
      await clew.say(text)
      await clew.idle()
    }
    expect(clew.model.contracts().filter((contract) => contract === 'plan')).toHaveLength(2)
    expect((await clew.runs()).map(({ result }) => result)).toEqual(['Booked.', 'Told.'])
  })
})
