import { describe, expect, it } from 'vitest'
import { acts, closes, ends, fails, hangs, plans } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'
import { counting, unattended, working } from './story.ts'

const start = useClew()
const minute = 60_000

/** An hour passes; at the end of each minute everything that is due has been looked at. */
async function anHour(clew: TestClew): Promise<void> {
  for (let passed = 0; passed < 60; passed++) {
    await clew.advance(minute)
    await clew.idle()
  }
}

describe('a model that for an hour', () => {
  it('is away: the task pauses with a readable message (P12, C93)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.answer(() => fails('unavailable'))
    await clew.say('Book the offsite')
    await clew.idle()
    await anHour(clew)
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toMatch(/^I can’t reach my language model\..*I’ll continue “/)
    expect((await clew.task()).spent.steps).toBeLessThanOrEqual(5)
  })

  it('asks to be left alone for longer than the task may take: the task pauses at once (C36)', async () => {
    const clew = await working(start, { limits: { maxWallMs: 30 * minute } }, 'Find venues')
    clew.model.on('thought', fails('unavailable', 31 * minute))
    await clew.say('Book the offsite')
    await clew.idle()
    expect((await clew.run()).status).toBe('paused')
    expect(clew.texts().at(-1)).toMatch(/I can’t reach my language model/)
  })

  it('does not answer in time: the waits are spread out, and the task pauses (R103, C36)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', fails('timeout'), fails('timeout'), fails('timeout', 40_000), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    const calls: number[] = []
    for (let second = 0; second < 60; second++) {
      await clew.advance(1_000)
      await clew.idle()
      calls.push(clew.model.calls.length)
    }
    // After 1 s, after 2 s more, and after the 40 s that the endpoint asked for.
    expect([calls[1], calls[2], calls[41]]).toEqual([4, 5, 5])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it.each([
    ['garbage', fails('bad_reply')],
    ['values that are no reply', { status: 'thinking' }],
    ['unknown tools', acts('to Ana', 'mail')],
  ])(
    'sends %s: Clew asks what to do, and goes on from the answer (C5, R30, P12)',
    async (_, reply) => {
      const clew = await working(start, {}, 'Find venues')
      clew.model.answer(() => reply)
      await clew.say('Book the offsite')
      await clew.idle()
      await anHour(clew)
      expect((await clew.run()).status).toBe('awaiting_clarification')
      expect(clew.texts().at(-1)).toBe('I keep getting stuck on “Find venues”. What should I do?')
      await clew.say('Skip this step')
      await clew.idle()
      expect((await clew.run()).status).toBe('paused')
      expect(clew.texts().at(-1)).toMatch(/I tried several times and didn’t get a usable answer/)
      expect((await clew.task()).spent.modelCalls).toBe(9)
    },
  )

  it('sends garbage while nobody can be asked: the run fails within its budget, in words (C5, C35)', async () => {
    const clew = await start()
    clew.model.on('plan', plans('Collect', 'Write'))
    clew.model.answer(() => 'garbage')
    await unattended(clew)
    await clew.idle()
    await anHour(clew)
    const [run] = await clew.store.runs.list('test:team', 10)
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/didn’t get a usable answer/),
    })
  })

  it('makes no plan: the run fails and says so (C8, R112, F28)', async () => {
    const clew = await start()
    clew.model.on('decision', {
      decision: 'run',
      run: { type: 'agent_task', input: '{"goal":"Book it"}' },
      confidence: 1,
      reason: '',
    })
    clew.model.on(
      'plan',
      'x',
      { status: 'planned', plan: ['a'], response: 'It is done' },
      { status: 'done', plan: [] },
    )
    await clew.say('Book it')
    await clew.idle()
    expect(clew.texts().at(-1)).toBe(
      'Book it: not done.\n\nI tried three times and couldn’t make a plan for this. Reword it, or press Retry.',
    )
    // R29: a plan that carries an answer is none.
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'plan', 'plan'])
  })

  it('goes on calling one tool: the task pauses at its limit (R20, C7, P12)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.answer(() => acts('list'))
    await clew.say('Book the offsite')
    await clew.idle()
    expect((await clew.task()).spent.steps).toBe(20)
    expect(clew.texts().at(-1)).toMatch(/I hit my limit of 20 steps/)
  })

  it('is not connected: the run fails with the same words every time (R44)', async () => {
    const clew = await working(start, {})
    clew.model.on('thought', fails('not_configured'))
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.texts().at(-1)).toMatch(
      /^Book the offsite: not done.\n\nI’m not connected to a language model yet\..*`OPENAI_API_KEY`/,
    )
  })
})

describe('a tool', () => {
  it('that fails is an observation, and the inner loop goes on (R8)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', acts('get 99'), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    expect((await clew.task()).observations).toMatchObject([
      { ok: false, result: expect.stringMatching(/99/) },
    ])
    expect(clew.model.contracts()).toEqual(['decision', 'plan', 'thought', 'thought', 'replan'])
  })

  it('that fails three times in a row leaves a thought only to ask or to close (R17)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on(
      'thought',
      acts('get 9'),
      acts('get 9'),
      acts('get 9'),
      acts('get 9'),
      closes('not there'),
    )
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.idle()
    const stops = clew.model.calls.flatMap((call) =>
      call.contract === 'thought' ? [call.input.mustStop] : [],
    )
    expect(stops).toEqual([false, false, false, true, true])
    expect((await clew.task()).observations).toHaveLength(3)
  })

  it('that hangs is stopped after its time, and the task goes on (C36)', async () => {
    const stuck = { ...counting('stuck', 'none'), run: () => new Promise<never>(() => {}) }
    const clew = await working(start, { tools: [stuck] }, 'Find venues')
    clew.model.on('thought', acts('now', 'stuck'), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.idle(1)
    await clew.advance(61_000)
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    expect((await clew.task()).observations).toMatchObject([
      { ok: false, result: expect.stringMatching(/did not answer in time/) },
    ])
  })

  it('that is told to stop may still say what it has (C36)', async () => {
    const slow = {
      ...counting('slow', 'none'),
      run: (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise<{ ok: boolean; text: string }>((resolve) =>
          signal.addEventListener('abort', () => resolve({ ok: false, text: 'half of it' })),
        ),
    }
    const clew = await working(start, { tools: [slow] }, 'Find venues')
    clew.model.on('thought', acts('now', 'slow'), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.idle(1)
    await clew.advance(60_000)
    await clew.idle()
    expect((await clew.task()).observations).toMatchObject([{ ok: false, result: 'half of it' }])
  })

  it('is not offered to work that nobody watches when it has effects, and is not run for it (S4, C40)', async () => {
    const mail = counting('mail', 'unkeyed')
    const clew = await start({ tools: [mail, counting('look', 'none')] })
    clew.model.on('plan', plans('Write'))
    clew.model.on('thought', acts('x', 'mail'), acts('x', 'look'), closes())
    clew.model.on('replan', ends('Written.'))
    await unattended(clew)
    await clew.idle()
    expect(clew.model.calls[1]).toMatchObject({
      input: { tools: [{ name: 'look' }, { name: 'recall' }], unattended: true },
    })
    expect(mail.ids).toEqual([])
  })
})

describe('a run whose worker dies', () => {
  it('is taken back at once by the same process after its restart (P14, R103, R144)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', hangs(), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.idle(1)
    await clew.crash()
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'succeeded', attempts: 0 })
    expect(clew.model.contracts().filter((contract) => contract === 'plan')).toHaveLength(1)
    clew.model.assertDone()
  })

  it('three times at the same step fails with a message (P14, F26)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', hangs(), hangs(), hangs())
    await clew.say('Book the offsite')
    for (const calls of [3, 4, 5]) {
      await clew.model.received(calls)
      await clew.idle(1)
      await clew.away(10_000)
    }
    await clew.idle()
    expect((await clew.run()).status).toBe('failed')
    expect(clew.texts().at(-1)).toBe(
      'Book the offsite: not done.\n\nI was interrupted three times at the same step, so I stopped. Press Retry to start again. (Exceeded max attempts (3).)',
    )
    clew.model.assertDone()
  })

  it('three times within the time of one lease is one interruption: the machine restarts, and the task goes on (F26)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', hangs(), hangs(), hangs(), hangs(), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    for (const calls of [3, 4, 5, 6]) {
      await clew.model.received(calls)
      await clew.idle(1)
      await clew.crash()
    }
    await clew.idle()
    expect(await clew.run()).toMatchObject({ status: 'succeeded', attempts: 0 })
    clew.model.assertDone()
  })

  it('now and then at different steps goes on (P14)', async () => {
    const clew = await working(start, {}, 'Find venues')
    for (let n = 0; n < 4; n++) clew.model.on('thought', hangs(), acts('list'))
    clew.model.on('thought', closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    for (const calls of [3, 5, 7, 9]) {
      await clew.model.received(calls)
      await clew.idle(1)
      await clew.crash()
    }
    await clew.idle()
    expect((await clew.run()).status).toBe('succeeded')
    clew.model.assertDone()
  })

  it('uses a keyed tool again under the same id, and it takes effect once (I10, P1)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', acts('add Call Ana'), closes())
    clew.model.on('replan', ends('Booked.'))
    clew.crashAt('after tool todo.run')
    await clew.say('Book the offsite')
    await clew.idle()
    expect(clew.lives()).toBe(2)
    expect(await clew.store.todos.list('test:team', 'channel:general')).toHaveLength(1)
    expect((await clew.task()).observations).toMatchObject([{ step: 1, ok: true }])
    clew.model.assertDone()
  })

  it.each(['keyed', 'none'] as const)(
    'runs an interrupted tool with effect %s again (rule 5)',
    async (effect) => {
      const tool = counting('note', effect)
      const clew = await working(start, { tools: [tool] }, 'Find venues')
      clew.model.on('thought', acts('x', 'note'), acts('y', 'note'), closes())
      clew.model.on('replan', ends('Booked.'))
      clew.crashAt('after tool note.run')
      await clew.say('Book the offsite')
      await clew.idle()
      const [first, again, second] = tool.ids
      expect(tool.ids).toHaveLength(3)
      expect(again).toBe(first)
      expect(second).not.toBe(first)
    },
  )

  it('does not repeat an unkeyed tool; the outcome is unknown and the thread is asked (P1, I10, rule 5)', async () => {
    const mail = counting('mail', 'unkeyed')
    const clew = await working(start, { tools: [mail] }, 'Write')
    clew.model.on('thought', acts('to Ana', 'mail'))
    clew.crashAt('after tool mail.run')
    await clew.say('Book the offsite and mail it to Ana')
    await clew.idle()
    expect(mail.ids).toHaveLength(1)
    expect((await clew.task()).observations).toEqual([
      {
        step: 1,
        tool: 'mail',
        input: 'to Ana',
        ok: false,
        result: 'outcome unknown',
        unknown: true,
      },
    ])
    expect(clew.texts().at(-1)).toMatch(
      /interrupted while using “mail”.*should I go on, or do it again\?/,
    )
    expect((await clew.state()).questions[0]?.choices).toEqual([
      'It worked, go on',
      'It didn’t, do it again',
    ])
    clew.model.on('replan', ends('Booked.'))
    await clew.say('1')
    await clew.idle()
    await clew.advance(15_000)
    await clew.idle()
    expect((await clew.task()).clarifications).toMatchObject([{ text: 'It worked, go on' }])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it.each([
    { channel: 'its channel, too', stop: async () => {} },
    { channel: 'but not its channel', stop: () => Promise.reject(new Error('the store is away')) },
  ])(
    'is handed over without an attempt being counted when the process is stopped in order, $channel (P15)',
    async ({ stop }) => {
      const clew = await working(start, {}, 'Find venues')
      clew.channel.stop = stop
      clew.model.on('thought', hangs(), closes())
      clew.model.on('replan', ends('Booked.'))
      await clew.say('Book the offsite')
      await clew.model.received(3)
      await clew.restart()
      await clew.idle()
      expect(await clew.run()).toMatchObject({ status: 'succeeded', attempts: 0 })
      expect(
        (await clew.trace((await clew.run()).id)).filter(({ kind }) => kind === 'planned'),
      ).toHaveLength(1)
    },
  )

  it('is noticed by others within 15 seconds (P14)', async () => {
    const clew = await working(start, {}, 'Find venues')
    clew.model.on('thought', hangs(), closes())
    clew.model.on('replan', ends('Booked.'))
    await clew.say('Book the offsite')
    await clew.model.received(3)
    await clew.idle(1)
    await clew.crash({ worker: 'another machine' })
    await clew.idle()
    expect((await clew.run()).status).toBe('running')
    for (let second = 0; second < 15; second++) {
      await clew.advance(1_000)
      await clew.idle()
    }
    expect((await clew.run()).status).toBe('succeeded')
  })
})
