import { describe, expect, it } from 'vitest'
import {
  acts,
  asks,
  closes,
  decides,
  ends,
  fails,
  held,
  plans,
  replans,
  says,
} from '../../fakes/model.ts'
import { type TestClew, type TestOptions, useClew } from '../../support/agent.ts'

const start = useClew()

async function asking(options?: TestOptions): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', asks('Which day?', ['Tuesday', 'Friday']))
  await clew.say('Book the offsite')
  await clew.idle()
  return clew
}

const open = async (clew: TestClew) => (await clew.state()).questions.map(({ text }) => text)

describe('words under an open question', () => {
  it.each(['why not Monday?', 'do you need a headcount?', '为什么不能是周一？'])(
    '“%s” is answered in the thread, and the question stays open (C503)',
    async (words) => {
      const clew = await asking()
      clew.model.on('replan', says('Monday is a holiday.'))
      await clew.say(words)
      await clew.idle()
      expect(clew.texts()).toContain('Monday is a holiday.')
      expect(await open(clew)).toEqual(['Which day?'])
      expect((await clew.run()).status).toBe('awaiting_clarification')
      expect(clew.model.calls.at(-1)).toMatchObject({
        contract: 'replan',
        input: { open: { question: 'Which day?', choices: ['Tuesday', 'Friday'] } },
      })
      clew.model.on('replan', ends('Booked.'))
      await clew.say('Friday')
      await clew.idle()
      expect((await clew.run()).status).toBe('succeeded')
      // It knows what it has said.
      expect(clew.model.calls.at(-1)).toMatchObject({
        input: { said: [{ text: 'Monday is a holiday.' }] },
      })
      clew.model.assertDone()
    },
  )

  const ask = { tool: 'ask_user', arguments: 'Which day?', purpose: null }
  it.each([
    [
      'batch',
      'plan_tool_call',
      { steps: [ask] },
      'think',
      { user_summary: 'A holiday.', task_completed: false },
    ],
    ['free', 'act', { text: null, calls: [ask] }, 'act', { text: 'A holiday.', calls: [] }],
  ] as const)(
    'are answered by a %s task in its own contract (C503)',
    async (strategy, first, asked, then, said) => {
      const clew = await start({ strategy })
      clew.model.on('decision', decides.run('Book it'))
      clew.model.on(first, asked)
      clew.model.on(then, said)
      await clew.say('Book it')
      await clew.idle()
      await clew.say('why not Monday?')
      await clew.idle()
      expect(clew.texts()).toContain('A holiday.')
      expect(await open(clew)).toEqual(['Which day?'])
      expect((await clew.task()).settled).toBeNull()
      clew.model.assertDone()
    },
  )

  it('leave the question open where the model says nothing, or nothing that can be used (C503)', async () => {
    for (const replies of [
      [replans()],
      [fails('bad_reply'), fails('bad_reply'), fails('bad_reply')],
    ]) {
      const clew = await asking()
      const before = clew.texts().length
      for (const reply of replies) clew.model.on('replan', reply)
      await clew.say('why not Monday?')
      await clew.idle()
      expect(clew.texts().length - before).toBe(1)
      expect(await open(clew)).toEqual(['Which day?'])
      expect((await clew.task()).aside).toBe(false)
      clew.model.assertDone()
    }
  })

  it('that were taken for an answer open the question again (C504)', async () => {
    const clew = await asking()
    clew.model.on('replan', {
      ...says('The office is closed then.', 'Find venues'),
      reopen: 'question',
    })
    await clew.say('hm, monday would be nicer for us all')
    await clew.idle()
    expect(clew.texts()).toContain('The office is closed then.')
    expect(await open(clew)).toEqual(['Which day?'])
  })
})

describe('words while the task works', () => {
  it('are answered, and the work goes on (C502)', async () => {
    const clew = await start()
    const thinking = held(acts('list'))
    clew.model.on('decision', decides.run('Book the offsite'))
    clew.model.on('plan', plans('Find venues'))
    clew.model.on('thought', thinking)
    clew.model.on('replan', says('For the team day.', 'Find venues'))
    clew.model.on('thought', closes('Found.'))
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.say('what is it for?')
    await clew.idle(1)
    thinking.release()
    await clew.idle()
    expect(clew.texts().slice(-2)).toEqual([
      'For the team day.',
      expect.stringContaining('Booked.'),
    ])
    clew.model.assertDone()
  })

  it.each(['how far is this?', '做到哪了'])(
    '“%s” is answered from the plan without a model, and the question stays (C505)',
    async (words) => {
      const clew = await asking()
      const calls = clew.model.calls.length
      await clew.say(words)
      await clew.idle()
      expect(clew.model.calls).toHaveLength(calls)
      expect(clew.texts().at(-1)).toMatch(/0\/2[\s\S]*Find venues[\s\S]*Book[\s\S]*Which day\?/)
      expect(await open(clew)).toEqual(['Which day?'])
    },
  )
})

it('items that were done are open again where the model says so (C504)', async () => {
  const clew = await start()
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans('Find venues', 'Book'))
  clew.model.on('thought', closes('Found.'))
  clew.model.on('replan', { ...replans('Find venues', 'Book'), reopen: 'items' })
  clew.model.on('thought', asks('Where?'))
  await clew.say('Book the offsite')
  await clew.idle()
  const { planItems, currentPlanIndex } = await clew.task()
  expect(planItems.map(({ done }) => done)).toEqual([false, false])
  expect(currentPlanIndex).toBe(0)
})

describe('a task that gives up', () => {
  const report = 'No venue is free in March.'
  const ways = {
    step: [
      ['plan', plans('Find venues')],
      ['thought', closes('None.')],
      ['replan', { ...ends(report), status: 'given_up' }],
    ],
    batch: [
      ['plan_tool_call', { steps: [{ tool: 'todo', arguments: 'list', purpose: null }] }],
      ['think', { user_summary: report, task_completed: true, given_up: true }],
    ],
    free: [['act', { text: `[Given up] ${report}`, calls: [] }]],
  } as const

  it.each(['step', 'batch', 'free'] as const)(
    'says so in its record, its report and to the next Decision, under %s (C501)',
    async (strategy) => {
      const clew = await start({ strategy })
      clew.model.on('decision', decides.run('Book the offsite'))
      for (const [contract, reply] of ways[strategy]) clew.model.on(contract, reply)
      await clew.say('Book the offsite')
      await clew.idle()
      const run = await clew.run()
      expect(run).toMatchObject({ status: 'given_up', result: report })
      const said = clew.texts().at(-1)
      expect(said).toContain('I gave up on this')
      expect(said).toContain(report)
      expect(said).not.toMatch(/done|complete|Given up/)
      clew.model.on('decision', decides.reply('No.'))
      await clew.say('Is it booked?')
      await clew.idle()
      expect(clew.model.calls.at(-1)).toMatchObject({
        input: { recentRuns: [{ status: 'given_up' }] },
      })
      clew.model.assertDone()
    },
  )
})
