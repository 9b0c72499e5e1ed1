import { describe, expect, it } from 'vitest'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import { ask, model, play } from './rehearsal-loop.ts'

const flagship = 'Compare the three venues and book a date for the offsite'
const zhFlagship = '比较三个场地并为团建预订一个日期'

describe('the story in English', () => {
  it('plans whole tasks at once, from the words of the request (R2, R10, R29)', async () => {
    const { plans } = await play(flagship)
    expect(plans[0]).toEqual([
      'Find out what the three venues offer',
      'Compare the three venues',
      'Choose a date for the offsite',
      'Book the date',
    ])
  })

  it('asks one question with choices after a first look, and changes the plan by the answer (R6, R11, R32)', async () => {
    const played = await play(flagship, { answers: ['Lisbon'] })
    expect(played.questions).toEqual([
      { text: 'Which city?', choices: ['Lisbon', 'Berlin', 'Barcelona'], item: 'Compare the three venues' },
    ])
    expect(played.replans.filter(({ added, dropped }) => added.length + dropped.length > 0)).toEqual([
      {
        added: ['Check the three venues in Lisbon', 'Compare the three venues in Lisbon'],
        dropped: ['Compare the three venues'],
      },
    ])
  })

  it('works the items in order with the real tools and keeps to the default budget (R9, R20, R30)', async () => {
    const played = await play(flagship, { answers: ['Lisbon'] })
    expect(played.calls).toEqual([
      { tool: 'internet_search', input: 'three venues' },
      { tool: 'internet_search', input: 'three venues in Lisbon' },
      { tool: 'todo', input: 'add Book a date for the offsite (Lisbon) --tag offsite --due 2026-03-18 18:00' },
    ])
    expect(played.conclusions.map(({ item }) => item)).toEqual(played.plans.at(-1))
    expect(played.steps).toBeLessThanOrEqual(20)
  })

  it('reports what was done, who said what and that it was a rehearsal (R16, R34)', async () => {
    const { report } = await play(flagship, { answers: ['Lisbon'] })
    expect(report).toContain('2. Check the three venues in Lisbon: ')
    expect(report).toContain('- #1 Book a date for the offsite (Lisbon), due 2026-03-18')
    expect(report).toContain('Ana answered “Which city?” with “Lisbon”.')
    expect(report).toContain('Web search is not set up here')
    expect(report).toMatch(/This was a rehearsal: .*`OPENAI_API_KEY`/)
  })

  it('takes a message in at the next replan and names it in the report (C50)', async () => {
    const played = await play(flagship, { answers: ['Lisbon'], joins: { 8: 'also keep it under 2000 euros' } })
    expect(played.replans).toContainEqual({
      added: ['Book the date (keep it under 2000 euros)'],
      dropped: ['Book the date'],
    })
    expect(played.calls.at(-1)?.input).toContain('(Lisbon; keep it under 2000 euros)')
    expect(played.report).toContain('Ben added: “also keep it under 2000 euros”.')
    expect(played.steps).toBeLessThanOrEqual(20)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'stays within the budget with a join before call %i',
    async (call) => {
      const condition = await play(flagship, { joins: { [call]: 'keep it under 2000 euros' } })
      const work = await play(flagship, { joins: { [call]: 'and invite the whole team' } })
      for (const { report, steps, plans } of [condition, work]) {
        expect(steps).toBeLessThanOrEqual(20)
        expect(report).toMatch(/Ben added/)
        expect(plans.at(-1)?.join('\n')).toMatch(/keep it under 2000 euros|invite the whole team/i)
      }
    },
  )

  it('takes a place that is named before it asks, and does not ask then', async () => {
    const played = await play(flagship, { joins: { 2: 'Berlin, please' } })
    expect(played.questions).toEqual([])
    expect(played.plans.at(-1)).toContain('Compare the three venues in Berlin')
  })

  it('takes a change of mind', async () => {
    const played = await play(flagship, { answers: ['Lisbon'], joins: { 6: 'Berlin instead' } })
    expect(played.plans.at(-1)).toContain('Compare the three venues in Berlin')
    expect(played.calls.at(-1)?.input).toContain('(Berlin)')
  })

  it('reads what else an answer says', async () => {
    const played = await play(flagship, { answers: ['Let’s take Porto, and make sure it has a garden'] })
    expect(played.plans.at(-1)).toContain('Compare the three venues in Porto')
    expect(played.plans.at(-1)).toContain('Book the date (make sure it has a garden)')
  })

  it('goes on without an answer that nobody has, and says what is open (F2)', async () => {
    const played = await play(flagship, { answers: ['I don’t know yet'] })
    expect(played.questions).toHaveLength(1)
    expect(played.report).toContain('**Left open**\n\n- Which city?')
  })

  it('never asks when nobody is there, and says what is open', async () => {
    const played = await play(flagship, { unattended: true })
    expect(played.questions).toEqual([])
    expect(played.report).toContain('**Left open**\n\n- Which city?')
  })

  it('goes on without tools (R30)', async () => {
    const played = await play(flagship, { tools: [] })
    expect(played.calls).toEqual([])
    expect(played.report).toContain('there is no search here')
  })

  it('shows what the search found and survives a to-do list that fails (R8)', async () => {
    const played = await play(flagship, {
      tool: (tool) =>
        tool === 'todo' ? { ok: false, text: 'no room' } : { ok: true, text: '1. Alpha Hall\nhttps://alpha.example' },
    })
    expect(played.report).toContain('“three venues in Lisbon”: 1. Alpha Hall https://alpha.example')
    expect(played.report).toContain('Not noted: Book a date for the offsite (Lisbon) (no room)')
  })

  it('does not book twice when the day changes between two calls', async () => {
    let calls = 0
    const midnight = {
      get now() {
        calls += 1
        return calls % 2 === 0 ? '2026-03-05T00:00:10+01:00' : '2026-03-04T23:59:50+01:00'
      },
    }
    const played = await play(flagship, midnight)
    expect(played.calls.filter(({ tool }) => tool === 'todo')).toHaveLength(1)
  })
})

describe('the story in Chinese', () => {
  it('plans, asks, replans and reports in the language of the goal (R6, R11, R16)', async () => {
    const played = await play(zhFlagship, { answers: ['就杭州吧'], joins: { 8: '另外预算控制在两千欧以内' } })
    expect(played.plans[0]).toEqual(['了解三个场地的情况', '比较三个场地', '为团建选定日期', '预订这个日期'])
    expect(played.questions).toEqual([{ text: '哪个城市？', choices: ['上海', '杭州', '成都'], item: '比较三个场地' }])
    expect(played.plans.at(-1)).toEqual([
      '了解三个场地的情况',
      '查看杭州的三个场地',
      '比较杭州的三个场地',
      '为团建选定日期',
      '预订这个日期（预算控制在两千欧以内）',
    ])
    expect(played.report).toContain('- #1 为团建预订一个日期（杭州；预算控制在两千欧以内），截止 2026-03-18')
    expect(played.report).toContain('Ana 对“哪个城市？”的回答：“就杭州吧”。')
    expect(played.report).toMatch(/这是一次排练.*`OPENAI_API_KEY`/)
    expect(played.steps).toBeLessThanOrEqual(20)
  })
})

describe('the model', () => {
  const input = {
    goal: flagship,
    tools: [{ name: 'todo', description: '' }],
    locale: 'en',
    timeZone: 'Europe/Berlin',
    now: '2026-03-04T10:00:37+01:00',
    unattended: false,
    refusal: null,
  }

  it('answers the same to the same, whatever was asked between (P16)', async () => {
    const first = await ask('plan', input)
    await play(zhFlagship)
    expect(await ask('plan', input)).toEqual(first)
    expect(await play(flagship)).toEqual(await play(flagship))
  })

  it('takes its pace from the clock and uses no tokens', async () => {
    const slept: number[] = []
    const paced = createRehearsalModel({ clock: { sleep: async (ms) => void slept.push(ms) }, paceMs: 600 })
    const reply = await paced.call('plan', input, new AbortController().signal)
    expect([slept, reply.usage, paced.name]).toEqual([[600], { promptTokens: 0, completionTokens: 0 }, 'rehearsal'])
  })

  it('answers aborted when it is aborted, before or meanwhile', async () => {
    expect(await model.call('plan', input, AbortSignal.abort())).toMatchObject({ ok: false, code: 'aborted' })
    const controller = new AbortController()
    const slow = createRehearsalModel({ clock: { sleep: async () => controller.abort() }, paceMs: 600 })
    expect(await slow.call('plan', input, controller.signal)).toMatchObject({ ok: false, code: 'aborted' })
  })
})

describe('a thought', () => {
  const state = {
    goal: flagship,
    tools: [
      { name: 'todo', description: '' },
      { name: 'internet_search', description: '' },
    ],
    locale: 'en',
    timeZone: 'Europe/Berlin',
    now: '2026-03-04T10:00:37+01:00',
    unattended: false,
    refusal: null,
    planItems: [{ text: 'Find out what the three venues offer', done: false }],
    currentPlanIndex: 0,
    currentItem: 'Find out what the three venues offer',
    observations: [],
    clarifications: [],
    conclusions: [],
    stepCount: 0,
    maxSteps: 20,
    successfulSteps: 0,
    failedSteps: 0,
    mustStop: false,
  }

  it('closes the item when it must stop (R17)', async () => {
    expect(await ask('thought', { ...state, mustStop: true })).toMatchObject({ status: 'done', next_action: null })
  })

  it('closes an empty plan (R19, R33)', async () => {
    expect(await ask('thought', { ...state, planItems: [], currentItem: flagship })).toMatchObject({ status: 'done' })
  })

  it('does not repeat what was refused', async () => {
    expect(await ask('thought', { ...state, refusal: 'there is no tool' })).toMatchObject({ status: 'done' })
  })

  it('takes an unknown item for done rather than guessing', async () => {
    const planItems = [{ text: 'Sing', done: false }]
    expect(await ask('thought', { ...state, planItems, currentItem: 'Sing' })).toMatchObject({
      status: 'done',
      current_step: 'Sing',
    })
  })
})
