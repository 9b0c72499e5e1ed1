import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, hangs, plans } from '../../fakes/model.ts'
import { ana, type TestOptions, useClew } from '../../support/agent.ts'

const start = useClew()
const decision = {
  loopEnabled: true,
  allowedTypes: ['agent_task', 'sleep'],
  timeoutMs: 30_000,
  beginsWork: true,
}
const todo = (input: string) => ({ tool: 'todo', input })
/** A Decision that starts a task with calls. */
const begins = (calls: unknown, report: string | null = null, goal = 'Put it on the list') => ({
  ...decides.run(goal),
  ...{ calls, report },
})

/** A Clew that was told one thing, and has come to rest. */
async function told(reply: unknown, options: TestOptions = {}, words = 'Put milk on the list') {
  const clew = await start({ decision, strategy: 'auto', ...options })
  clew.model.on('decision', reply)
  clew.model.answer(({ contract }) =>
    contract === 'act' ? { text: 'As the results say.', calls: [] } : null,
  )
  await clew.say(words)
  await clew.idle()
  return clew
}

/** A tool that says what it did, unless it fails or asks first. */
function mailer(more: Partial<Tool> = {}) {
  const sent: string[] = []
  const tool: Tool = {
    ...{ name: 'mail', effect: 'unkeyed', description: 'Sends mail.' },
    async run(input) {
      if (input === 'bad') return { ok: false, text: 'no such address' }
      sent.push(input)
      return { ok: true, text: `sent ${input}`, receipt: { text: `Sent: ${input}` } }
    },
    ...more,
  }
  return { sent, tool }
}
const mail = (input: string) => ({ tool: 'mail', input })

describe('a Decision with the first calls of a task (C578)', () => {
  it('and their report takes one request for all of it, its receipts below the report (C579)', async () => {
    const clew = await told(begins([todo('add Milk'), todo('add Bread')], 'Both are on the list.'))
    expect(clew.model.contracts()).toEqual(['decision'])
    expect(await clew.run()).toMatchObject({ status: 'succeeded' })
    expect(clew.texts().at(-1)).toBe(
      'Put it on the list: done.\n\nBoth are on the list.\n\nAdded **#1** Milk\n\nAdded **#2** Bread',
    )
    const trace = await clew.trace((await clew.run()).id)
    expect(trace.filter(({ kind }) => kind === 'acted')).toHaveLength(2)
    expect(trace.filter(({ kind }) => kind === 'model_call')).toEqual([])
  })

  it('without a report asks the task with their results', async () => {
    const clew = await told(begins([todo('list')]))
    expect(clew.model.contracts()).toEqual(['decision', 'act'])
    const [, request] = clew.model.calls
    expect(request?.input).toMatchObject({
      observations: [{ tool: 'todo', input: 'list', ok: true }],
    })
  })

  it.each([
    ['one fails', [mail('a'), mail('bad'), mail('c')], ['a', 'c']],
    ['one only looks', [mail('a'), todo('list')], ['a']],
  ])('drops a report where %s (C579)', async (_, calls, expected) => {
    const { sent, tool } = mailer()
    const clew = await told(begins(calls, 'All is done.'), { tools: [tool] }, 'Mail a, bad and c')
    expect(clew.model.contracts()).toEqual(['decision', 'act'])
    expect(sent).toEqual(expected)
    expect(clew.texts().join()).not.toContain('All is done.')
    expect(clew.texts().at(-1)).toContain('As the results say.')
  })

  it('asks for approval before a call that needs it, and drops the report (C579)', async () => {
    const { sent, tool } = mailer({ approval: 'always' })
    const clew = await told(begins([mail('a')], 'It is sent.'), { tools: [tool] })
    expect(sent).toEqual([])
    const [question] = (await clew.state()).questions
    expect(question).toMatchObject({ approval: true })
    await clew.choose(question?.id ?? '', 'Approve', ana)
    await clew.idle()
    expect(sent).toEqual(['a'])
    expect(clew.texts().join()).not.toContain('It is sent.')
    expect(clew.texts().at(-1)).toContain('As the results say.')
  })

  it('does not claim that a fact is remembered before people agree (C580)', async () => {
    const calls = [{ tool: 'memory', input: 'propose We deploy on Thursdays --scope thread' }]
    const clew = await told(begins(calls, 'I remember that now.'), { memory: true })
    expect(clew.model.contracts()).toEqual(['decision'])
    expect(clew.texts().join('\n')).not.toContain('I remember that now.')
    expect(clew.texts().at(-1)).toContain('I’ll remember what you agree to above.')
  })

  it('may ask people first', async () => {
    const clew = await told(begins([{ tool: 'ask_user', input: 'Which milk?\n- oat\n- soy' }]))
    expect(clew.model.contracts()).toEqual(['decision'])
    expect((await clew.state()).questions).toMatchObject([
      { text: 'Which milk?', choices: ['oat', 'soy'] },
    ])
  })

  it('stands for the first of several runs', async () => {
    const clew = await start({ decision, strategy: 'auto' })
    const { run } = decides.run('x')
    clew.model.on('decision', {
      ...decides.runs(run, run),
      ...{ calls: [todo('add Milk')], report: 'It is on the list.' },
    })
    clew.model.on('act', { text: 'Second.', calls: [] })
    await clew.say('Milk, then the rest')
    await clew.idle()
    expect(clew.model.contracts()).toEqual(['decision', 'act'])
    expect((await clew.runs()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  })

  it.each([
    ['name a tool that is not there', [{ tool: 'fly', input: 'x' }]],
    ['are too many', Array.from({ length: 9 }, (_, at) => todo(`add ${at}`))],
    ['cannot be read', [{ tool: 7 }]],
    ['are no list', 'todo add Milk'],
    ['ask in the middle', [{ tool: 'ask_user', input: 'Why?' }, todo('add Milk')]],
  ])('begins without them where they %s; nothing is refused (C582)', async (_, calls) => {
    const clew = await told(begins(calls, 'Done.'))
    expect(clew.model.contracts()).toEqual(['decision', 'act'])
    expect((await clew.task()).observations).toEqual([])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('makes them the first round of a batch', async () => {
    const clew = await start({ decision, strategy: 'batch', limits: { thinkPlans: true } })
    clew.model.on('decision', begins([todo('add Milk'), todo('add Bread')], 'Never shown.'))
    clew.model.on('think', {
      ...{ internal_analysis: null, next_steps_preview: null, user_summary: 'Both.' },
      task_completed: true,
    })
    await clew.say('Put milk and bread on the list')
    await clew.idle()
    expect(clew.model.contracts()).toEqual(['decision', 'think'])
    expect(clew.texts().at(-1)).toContain('Both.')
  })

  it.each<[string, TestOptions, string]>([
    ['the setting is step', { strategy: 'step' }, 'Put milk on the list'],
    ['people ask for care', { strategy: 'auto' }, 'Carefully put milk on the list'],
    [
      'another model decides',
      { decision: { ...decision, beginsWork: false } },
      'Put milk on the list',
    ],
  ])('is not offered, nor taken, where %s (C582)', async (_, options, words) => {
    const clew = await start({ decision, strategy: 'auto', ...options })
    clew.model.on('decision', begins([todo('add Milk')], 'Done.'))
    clew.model.on('plan', plans('It'))
    clew.model.on('thought', acts('list'), closes('Looked.'))
    clew.model.on('replan', ends('Over.'))
    clew.model.answer(() => ({ text: 'Over.', calls: [] }))
    await clew.say(words)
    await clew.idle()
    const begun = expect.objectContaining({ calls: expect.anything() })
    expect(clew.model.calls[0]?.input).not.toEqual(begun)
    const inputs = (await clew.task()).observations.map(({ input }) => input)
    expect(inputs).not.toContain('add Milk')
  })

  it('whose request is edited before it begins makes none of them (C582)', async () => {
    const clew = await start({ decision, strategy: 'auto', runsAtOnce: 1 })
    clew.model.on('decision', decides.run('One'), begins([todo('add Milk')], 'Done.'))
    clew.model.on('act', hangs())
    await clew.say('One', { thread: 'other' })
    await clew.model.received(2)
    await clew.say('Put milk on the list', { keys: ['said'] })
    await clew.idle(2)
    expect(await clew.run()).toMatchObject({ first: { calls: [todo('add Milk')] } })
    await clew.edit('said', 'Put bread on the list')
    await clew.idle(2)
    expect(await clew.run()).toMatchObject({ first: { calls: [], report: null } })
  })

  it('is not repeated when its task is tried again (C582)', async () => {
    const { sent, tool } = mailer()
    const clew = await start({ decision, strategy: 'auto', tools: [tool] })
    clew.model.on('decision', begins([mail('a')]))
    clew.model.on('act', { text: '[Given up] No.', calls: [] }, { text: 'Now.', calls: [] })
    await clew.say('Mail them to “a”')
    await clew.idle()
    await clew.say('/task retry 1')
    await clew.idle()
    expect((await clew.runs()).map(({ status }) => status)).toContain('succeeded')
    expect(sent).toEqual(['a'])
  })
})

describe('a crash around the first calls (C578, C579)', () => {
  const points = ['before commits.commit', 'after commits.commit']
  it.each(points.flatMap((point) => [1, 2, 3, 4].map((n) => [point, n] as const)))(
    '%s (%i) makes each once and reports once',
    async (point, n) => {
      const clew = await start({ decision, strategy: 'auto' })
      clew.model.answer(({ contract }) =>
        contract === 'decision'
          ? begins([todo('add Milk'), todo('add Bread')], 'Both are on the list.')
          : { text: 'As the results say.', calls: [] },
      )
      clew.crashAt(point, n)
      void clew.say('Put both on the list', { keys: ['k'] })
      await clew.idle()
      await clew.say('Put both on the list', { keys: ['k'] })
      await clew.idle()
      await clew.advance(15_000)
      await clew.idle()
      expect((await clew.run()).status).toBe('succeeded')
      expect(clew.lives()).toBe(2)
      expect((await clew.task()).observations.map(({ input }) => input)).toEqual([
        'add Milk',
        'add Bread',
      ])
      expect(clew.texts().filter((text) => text.includes('**#'))).toHaveLength(1)
      expect(clew.texts().at(-1)).toMatch(/\*\*#1\*\* Milk[\s\S]*\*\*#2\*\* Bread$/)
    },
  )
})
