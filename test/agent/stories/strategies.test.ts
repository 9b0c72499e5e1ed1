import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { chooseStrategy, strategyInWords } from '../../../src/agent/strategies/choose.ts'
import { decides, type FakeModel, fails } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'

const start = useClew()

const rounds = (...steps: (string | [tool: string, input: string])[]) => ({
  steps: steps.map((step) => {
    const [tool, input] = typeof step === 'string' ? ['todo', step] : step
    return { tool, arguments: input, purpose: null }
  }),
  reasoning: 'secret',
  estimated_steps: null,
})
const thinks = (
  user_summary: string,
  task_completed = true,
  next_steps_preview: string | null = null,
) => ({
  internal_analysis: 'secret',
  user_summary,
  task_completed,
  next_steps_preview,
})
const turns = (text: string | null, ...inputs: string[]) => ({
  text,
  calls: inputs.map((input) => ({ tool: 'todo', input })),
})

const quickly = async (
  clew: TestClew,
  script: (model: FakeModel) => void,
  words = 'Tidy up quickly',
) => {
  clew.model.on('decision', decides.run('Tidy up'))
  script(clew.model)
  await clew.say(words)
  await clew.idle()
}
/** Time goes on until the run has come to this. */
async function until(clew: TestClew, status: string) {
  for (let tries = 0; tries < 60; tries++) {
    await clew.idle()
    if ((await clew.runs()).at(-1)?.status === status) return
    await clew.advance(2_000)
  }
  throw new Error(`the run is ${(await clew.run()).status}`)
}
const freely = 'Tidy up, as you see fit'

describe('a batch', () => {
  it.each([
    '**Quinta Verde** takes 1,400 EUR.\n\n- Porto: 900 EUR\n- Braga: full',
    'Zwei Orte sind frei.',
    '两个地点都有空。\n价格：900 欧元',
  ])('puts a question below the whole summary that it rests on: %j (C500)', async (summary) => {
    const clew = await start()
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('list'), rounds(['ask_user', 'Which of them?\n- A\n- B']))
      model.on('think', thinks(summary, false, 'Book'))
    })
    expect(clew.texts().slice(-2)).toEqual([summary, 'Which of them?'])
  })

  it('is planned, executed, thought about and reported in one round of two calls (R45, R57, R60, R68)', async () => {
    const clew = await start()
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('add Call the caterer', 'add Book a room', 'list'))
      model.on('think', thinks('Two to-dos are noted.'))
    })
    expect(clew.model.contracts()).toEqual(['decision', 'plan_tool_call', 'think'])
    expect(clew.texts().at(-1)).toBe('Tidy up: done.\n\nTwo to-dos are noted.')
    expect(clew.texts().join()).not.toContain('secret')
    const task = await clew.task()
    expect(task.observations.map((one) => one.ok)).toEqual([true, true, true])
    const think = clew.model.calls.at(-1)
    expect(think?.contract === 'think' && think.input.observations.length).toBe(3)
    clew.model.assertDone()
  })

  it('shows every round’s summary while it goes on (R55, R67, R69)', async () => {
    const clew = await start()
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('list'), rounds('add Call Ana'))
      model.on('think', thinks('There is nothing yet.', false, 'Add one'), thinks('Added one.'))
    })
    const progress = JSON.stringify(clew.channel.progress)
    expect(progress).toContain('There is nothing yet.')
    expect(progress).not.toContain('secret')
    const trace = await clew.trace((await clew.run()).id)
    expect(trace.filter((one) => one.kind === 'round')).toEqual([
      { kind: 'round', round: 1, completed: false },
      { kind: 'round', round: 2, completed: true },
    ])
    const task = await clew.task()
    expect(task).toMatchObject({
      rounds: 2,
      spent: { modelCalls: 4, toolCalls: 2, promptTokens: 400 },
    })
    expect(await clew.run()).toMatchObject({ status: 'succeeded', result: 'Added one.' })
  })

  it('asks in its thread and thinks with the answer (C37, R145, R146)', async () => {
    const clew = await start()
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('list', ['ask_user', 'Which city?\n- Lisbon\n- Porto']))
      model.on('think', thinks('Lisbon it is.'))
    })
    expect(clew.texts().at(-1)).toBe('Which city?')
    await clew.say('1')
    await clew.idle()
    expect(clew.texts().at(-1)).toContain('Lisbon it is.')
    const think = clew.model.calls.at(-1)
    expect(think?.contract === 'think' && think.input.clarifications).toMatchObject([
      { text: 'Lisbon' },
    ])
  })

  it('pauses at its last round with the summary, and goes on with “continue” (C17, C35, R58)', async () => {
    const clew = await start({ limits: { maxRounds: 1 } })
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('done 99'), rounds('add a'))
      model.on(
        'think',
        thinks('Looked at the list.', false, 'Add the missing one'),
        thinks('Added it.'),
      )
    })
    expect(await clew.run()).toMatchObject({ status: 'paused' })
    for (const part of ['Looked at the list.', 'Why I stopped', 'Add the missing one'])
      expect(clew.texts().at(-1)).toContain(part)
    await clew.say('continue')
    await clew.idle()
    expect(clew.texts().at(-1)).toContain('Added it.')
  })

  it('ends with words even when the model has none (R61, R62, R63, F19, P11)', async () => {
    const clew = await start()
    await quickly(clew, (model) => {
      model.on(
        'plan_tool_call',
        rounds('add a'),
        fails('bad_reply'),
        fails('bad_reply'),
        fails('bad_reply'),
      )
      model.on('think', fails('bad_reply'), fails('bad_reply'), fails('bad_reply'))
      model.on('summary', fails('bad_reply'))
    })
    expect((await clew.run()).status).toBe('failed')
    expect(clew.texts().at(-1)).toContain('Done: todo: add a.')
  })

  it('reads at the same time what only reads, and writes one after the other', async () => {
    const log: string[] = []
    let inside = 0
    const reader = (name: string, effect: Tool['effect']): Tool => ({
      name,
      effect,
      description: name,
      async run(input) {
        inside += 1
        await new Promise((resolve) => setImmediate(resolve))
        log.push(`${name} ${input} ${inside}`)
        await new Promise((resolve) => setImmediate(resolve))
        inside -= 1
        return { ok: true, text: input }
      },
    })
    const clew = await start({ tools: [reader('read', 'none'), reader('write', 'keyed')] })
    await quickly(clew, (model) => {
      model.on(
        'plan_tool_call',
        rounds(['read', 'a'], ['read', 'b'], ['write', 'c'], ['write', 'd'], ['read', 'e']),
      )
      model.on('think', thinks('Done.'))
    })
    expect(log).toEqual(['read a 2', 'read b 2', 'write c 1', 'write d 1', 'read e 1'])
    expect((await clew.task()).observations.map((one) => one.result)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ])
  })

  it('cuts off what reads behind a call that failed, and does not wait for it (C111, C12, R51, R64)', async () => {
    const cut: string[] = []
    const reader: Tool = {
      ...{ name: 'read', effect: 'none', description: 'reads' },
      async run(input, { signal }) {
        if (input !== 'slow') return { ok: input === 'good', text: input }
        signal.addEventListener('abort', () => cut.push(input))
        return await new Promise(() => {})
      },
    }
    const clew = await start({ tools: [reader] })
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds(['read', 'good'], ['read', 'bad'], ['read', 'slow']))
      model.on('think', thinks('Done.'))
    })
    expect(cut).toEqual(['slow'])
    const made = (await clew.task()).observations.map(({ ok, result }) => [ok, result])
    expect(made).toEqual([
      [true, 'good'],
      [false, 'bad'],
      [false, 'skipped: a call before it failed'],
    ])
  })

  it('cuts a call off when the time of the round is over; what it did is not known (R65, C13)', async () => {
    const effects: string[] = []
    const begun = Promise.withResolvers<void>()
    const slow: Tool = {
      name: 'slow',
      effect: 'keyed',
      description: 'slow',
      async run(input, { signal, effectId }) {
        effects.push(effectId)
        begun.resolve()
        if (effects.length === 1)
          await new Promise<void>((stop) => signal.addEventListener('abort', () => stop()))
        return { ok: effects.length > 1, text: input }
      },
    }
    const clew = await start({ tools: [slow], limits: { maxRoundMs: 30_000 } })
    clew.model.on('decision', decides.run('Tidy up'))
    clew.model.on('plan_tool_call', rounds(['slow', 'a'], 'list'), rounds(['slow', 'a']))
    clew.model.on('think', thinks('Cut off.', false), thinks('Now it is done.'))
    await clew.say('Tidy up quickly')
    await begun.promise
    for (let second = 0; second < 30; second += 2) await clew.advance(2_000)
    await until(clew, 'succeeded')
    expect((await clew.task()).observations.map((one) => one.result.slice(0, 26))).toEqual([
      'timed out, outcome unknown',
      'skipped: a call before it ',
      'a',
    ])
    // Done again under the same key, a keyed tool does it once.
    expect(new Set(effects).size).toBe(1)
  })
})

describe('a budget of cost', () => {
  it('pauses a task when it is spent, and says what was done (C36)', async () => {
    const clew = await start({ limits: { maxCost: 0.3 } })
    await quickly(clew, (model) => {
      model.on('plan_tool_call', rounds('add Call Ana'), rounds('list'))
      model.on('think', thinks('Added one.', false, 'Look again'), thinks('All is there.'))
    })
    // Two calls cost 0.4.
    const text = clew.texts().at(-1) ?? ''
    for (const part of ['Added one.', 'reached the cost limit', '`continue`'])
      expect(text).toContain(part)
    await clew.say('continue')
    await clew.idle()
    expect(clew.texts().at(-1)).toContain('All is there.')
  })
})

describe('a free task', () => {
  it('tracks the plan that the model declares, and ends with its words (R72, R76, R83, C39)', async () => {
    const clew = await start()
    await quickly(
      clew,
      (model) => {
        model.on(
          'act',
          turns('[Step] Look at the list\n[Step] Add what is missing', 'list'),
          turns('[Done] Something is missing.', 'add Call the caterer'),
          turns('One was missing: the caterer. [Done]'),
        )
      },
      freely,
    )
    expect(clew.texts().at(-1)).toBe('Tidy up: done.\n\nOne was missing: the caterer.')
    const task = await clew.task()
    expect(task.planItems).toEqual([
      { text: 'Look at the list', done: true },
      { text: 'Add what is missing', done: true },
    ])
    expect(clew.model.contracts()).toEqual(['decision', 'act', 'act', 'act'])
  })

  it('has the plan of its own thread, and another thread another (R70, R71, R142)', async () => {
    const clew = await start({ strategy: 'free' })
    clew.model.on('decision', decides.run('One'), decides.run('Two'))
    clew.model.on(
      'act',
      turns('[Step] Only here', 'list'),
      turns('First.'),
      turns('[Step] Only there', 'list'),
      turns('Second.'),
    )
    await clew.say('One')
    await until(clew, 'succeeded')
    await clew.say('Two', { thread: 'u' })
    await clew.idle()
    const plans = [...clew.channel.current.values()].map(({ items }) =>
      items.map((item) => item.text),
    )
    expect(plans).toEqual([['Only here'], ['Only there']])
    expect(JSON.stringify(clew.model.calls.at(-1)?.input)).not.toContain('Only here')
  })

  it('answers at once where no tool is needed, without a plan (R73, C33)', async () => {
    const clew = await start()
    await quickly(clew, (model) => model.on('act', turns('It is 42.')), freely)
    expect(await clew.task()).toMatchObject({ strategy: 'free', plan: null, planItems: [] })
    expect(clew.texts().at(-1)).toContain('It is 42.')
  })

  it('pauses at the limit and goes on the next day from its step (R85, R86, R87, R89, C21)', async () => {
    const clew = await start({ limits: { maxIterations: 2 } })
    await quickly(
      clew,
      (model) =>
        model.on(
          'act',
          turns('[Step] Look\n[Step] Add', 'list'),
          turns('[Done]', 'add a'),
          turns('All is there. [Done]'),
        ),
      freely,
    )
    expect(clew.texts().at(-1)).toContain('▶ Add')
    await clew.crash()
    await clew.advance(24 * 3_600_000)
    await clew.idle()
    await clew.say('继续')
    await until(clew, 'succeeded')
    expect(clew.texts().at(-1)).toContain('All is there.')
    const act = clew.model.calls.at(-1)
    expect(act?.contract === 'act' && [act.input.resumed, act.input.plan?.current]).toEqual([
      true,
      1,
    ])
    expect((await clew.task()).observations.map((one) => one.input)).toEqual(['list', 'add a'])
  })
})

describe('every way of working', () => {
  const scripts: Record<'step' | 'batch' | 'free', (model: FakeModel) => void> = {
    step(model) {
      const nothing = {
        next_action: null,
        question: null,
        choices: null,
        response: null,
        current_step: 'Add it',
      }
      model.on('plan', { status: 'planned', plan: ['Add it'] })
      model.on(
        'thought',
        { ...nothing, status: 'continue', next_action: { tool: 'todo', input: 'add Call Ana' } },
        { ...nothing, status: 'done', response: 'Added.' },
      )
      model.on('replan', { status: 'done', plan: [], response: 'It is added.' })
    },
    batch(model) {
      model.on('plan_tool_call', rounds('add Call Ana'))
      model.on('think', thinks('It is added.'))
    },
    free(model) {
      model.on('act', turns('[Step] Add it', 'add Call Ana'), turns('It is added.'))
    },
  }
  const points = ['commits.commit', 'tool todo.run', 'model.call', 'runs.state'].flatMap((point) =>
    ['before', 'after'].map((side) => `${side} ${point}`),
  )
  const cases = (['step', 'batch', 'free'] as const).flatMap((strategy) =>
    points.flatMap((point) => [1, 2, 3, 4].map((n) => [strategy, point, n] as const)),
  )

  it.each(cases)(
    '%s does its work once and ends once, killed %s number %i (P1, C32)',
    async (strategy, point, n) => {
      const clew = await start({ strategy })
      // A call that is repeated after a crash gets the same answer.
      const seen = new Map<string, unknown>()
      const script = new Map<string, unknown[]>()
      const collect = {
        on: (contract: string, ...replies: unknown[]) => script.set(contract, replies),
      }
      scripts[strategy](collect as unknown as FakeModel)
      script.set('decision', [decides.run('Add it')])
      clew.model.answer(({ contract, input }) => {
        const at =
          'stepCount' in input
            ? `${contract} ${input.observations.length} ${input.conclusions.length}`
            : contract
        const reply = seen.get(at) ?? script.get(contract)?.shift()
        seen.set(at, reply)
        return reply
      })
      clew.crashAt(point, n)
      await clew.say('Add it')
      await clew.idle()
      await until(clew, 'succeeded')
      await clew.advance(15_000)
      await clew.idle()
      expect(clew.texts().filter((text) => text.includes('It is added.'))).toHaveLength(1)
      expect(await clew.store.todos.list('test:team', 'channel:general')).toHaveLength(1)
    },
  )

  it.each(['step', 'batch', 'free'] as const)(
    '%s runs under its setting (C32)',
    async (strategy) => {
      const clew = await start({ strategy })
      await quickly(clew, scripts[strategy], 'Add it')
      expect((await clew.task()).strategy).toBe(strategy)
    },
  )

  it('lets the Decision choose with auto, and keeps its reason (C32)', async () => {
    const clew = await start({ strategy: 'auto' })
    const input = JSON.stringify({ goal: 'Add it', strategy: 'batch', size: 'simple' })
    clew.model.on('decision', {
      ...{
        decision: 'run',
        reply: null,
        runs: null,
        confidence: 1,
        reason: 'The calls are known.',
      },
      run: { type: 'agent_task', title: 'Add it', conversation_id: null, input },
    })
    scripts.batch(clew.model)
    await clew.say('Add it')
    await clew.idle()
    expect(await clew.task()).toMatchObject({ strategy: 'batch', limits: { maxRounds: 2 } })
    const decided = clew.model.calls[0]
    expect(decided?.contract === 'decision' && decided.input.runTypes[0]?.description).toContain(
      '"strategy"',
    )
    expect(await clew.trace((await clew.run()).id)).toContainEqual(
      expect.objectContaining({
        kind: 'strategy',
        strategy: 'batch',
        by: 'decision',
        reason: 'The calls are known.',
      }),
    )
  })

  it.each([
    ['Compare them step by step', 'step'],
    ['Quickly: add three to-dos', 'batch'],
    ['请快速整理一下', 'batch'],
    ['一步一步来', 'step'],
    ['Plan it as you see fit', 'free'],
    ['quickly please', 'batch'],
    ['Carefully: move the to-dos', 'step'],
    ['仔细看一下合同', 'step'],
    ['尽快把它们加上', 'batch'],
    ['Compare the venues with a tracked plan', 'free'],
    ['带跟踪计划比较一下场地', 'free'],
    ['Go through the contract with care', 'step'],
    ['Send it with a plan for Ben', null],
    ['No need to be quick, do it', null],
    ['Buy quicksand', null],
    ['Add it', null],
  ] as const)('hears in “%s” how to work: %s (C32)', (words, strategy) => {
    expect(strategyInWords(words)).toBe(strategy)
  })

  it('takes the request before the setting, and what a model says only with auto', () => {
    const decided = { strategy: 'free', reason: 'r' }
    expect(chooseStrategy('step', 'Quickly, add it', decided)).toEqual({
      strategy: 'batch',
      by: 'request',
      reason: null,
    })
    expect(chooseStrategy('step', 'Add it', decided)).toEqual({
      strategy: 'step',
      by: 'setting',
      reason: null,
    })
    expect(chooseStrategy('auto', 'Add it', decided)).toEqual({
      strategy: 'free',
      by: 'decision',
      reason: 'r',
    })
    expect(chooseStrategy('auto', 'Add it', { strategy: 'rm', reason: 'r' })).toMatchObject({
      strategy: 'free',
    })
  })
})
