import { describe, expect, it } from 'vitest'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, type FakeModel, plans, replans } from '../../fakes/model.ts'
import { ana, ben, type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { codingAgent } from './coding-folder.ts'

const start = useClew()
const strategies = ['step', 'batch', 'free'] as const
type Strategy = (typeof strategies)[number]

/** One tool that acts and one that reads. */
function tools() {
  const [sent, read]: [string[], string[]] = [[], []]
  const tool = (name: string, effect: Tool['effect'], into: string[]): Tool => ({
    ...{ name, effect, description: `To ${name}.` },
    async run(input) {
      into.push(input)
      return { ok: true, text: `did ${input}` }
    },
  })
  return { sent, read, tools: [tool('mail', 'unkeyed', sent), tool('look', 'none', read)] }
}

/** A model that looks, mails and reports; after words of people it plans to mail somebody else. */
function scripted(model: FakeModel, strategy: Strategy) {
  model.answer(({ contract, input }) => {
    if (contract === 'decision') return decides.run('Mail them all')
    if (!('observations' in input)) return null
    const { observations, clarifications } = input
    const whom = clarifications.length === 0 ? 'all' : 'Ben'
    const made = (tool: string, text: string) =>
      observations.some((one) => one.tool === tool && one.input === text && one.ok)
    const isOver = made('mail', whom)
    const next = made('look', 'list')
      ? { tool: 'mail', input: whom }
      : { tool: 'look', input: 'list' }
    const items = [`Mail ${whom}`]
    switch (contract) {
      case 'plan':
        return plans(...items)
      case 'replan':
        return isOver ? ends('It is over.') : replans(...items)
      case 'thought':
        return isOver ? closes('Mailed.') : acts(next.input, next.tool, 'Mail')
      case 'plan_tool_call': {
        const purpose = next.tool === 'mail' ? `Mail ${whom}` : null
        const steps = [{ tool: next.tool, arguments: next.input, purpose }]
        return { steps, reasoning: null, estimated_steps: null }
      }
      case 'think': {
        const more = { internal_analysis: null, next_steps_preview: null }
        return { ...more, user_summary: 'It is over.', task_completed: isOver }
      }
      case 'act':
        return isOver
          ? { text: 'It is over.', calls: [] }
          : { text: `[Step] Mail ${whom}`, calls: [next] }
      default:
        return null
    }
  })
  expect(strategies).toContain(strategy)
}

const open = async (clew: TestClew) => (await clew.state()).questions[0]
const press = async (clew: TestClew, choice: string, by = ana) => {
  await clew.choose((await open(clew))?.id ?? '', choice, by)
  await clew.idle()
}
async function asked(strategy: Strategy, words: string, options: TestOptions = {}) {
  const world = tools()
  const clew = await start({ strategy, tools: world.tools, ...options })
  scripted(clew.model, strategy)
  await clew.say(words)
  await clew.idle()
  return { clew, ...world }
}

describe.each(strategies)('a plan that is to be seen first, under %s', (strategy) => {
  it('is shown after what only reads, waits for days, and is acted on when it is approved (C764)', async () => {
    const { clew, sent, read } = await asked(strategy, 'Mail them all. Plan first, please')
    expect([read, sent]).toEqual([['list'], []])
    const question = await open(clew)
    expect(question).toMatchObject({
      ...{ choices: ['Approve', 'Change'], approval: true, approvers: ['ana'] },
      text: expect.stringMatching(/^Here’s my plan\. I haven’t changed anything yet\./),
    })
    expect(question?.text).toContain('Mail all')
    expect(question?.text).toContain('I’d begin with **mail**:')
    await clew.crash()
    await clew.away(72 * 3_600_000)
    expect(sent).toEqual([])
    await press(clew, 'Approve', ben)
    expect(clew.texts().at(-1)).toBe('(to ben) Only Ana or whoever runs Clew can approve this.')
    await press(clew, 'Approve')
    expect(sent).toEqual(['all'])
    const run = await clew.run()
    expect(run.status).toBe('succeeded')
    expect(await clew.trace(run.id)).toContainEqual({
      ...{ kind: 'plan_answered', granted: true, by: { id: 'ana', name: 'Ana' } },
      steps: [expect.stringContaining('Mail all')],
    })
  })

  it('is made anew by “Change” or by words, and shown again without what was changed (C765, C1003)', async () => {
    const { clew, sent } = await asked(strategy, 'Mail them all', { planFirst: true })
    await press(clew, 'Change')
    expect((await open(clew))?.text).toBe('What should be different in the plan?')
    await clew.say('Only mail Ben')
    await clew.idle()
    expect(sent).toEqual([])
    expect((await open(clew))?.text).toContain('Mail Ben')
    await clew.say('ok')
    await clew.idle()
    expect(sent).toEqual(['Ben'])

    const other = await asked(strategy, 'Mail them all', { planFirst: true })
    await other.clew.say('Only mail Ben')
    await other.clew.idle()
    expect((await open(other.clew))?.text).toContain('Mail Ben')
    // C1003: what people did not want is not shown for approval again.
    expect((await open(other.clew))?.text).not.toContain('Mail all')
    expect(other.sent).toEqual([])
    await other.clew.say('hm, what does that cost?')
    await other.clew.idle()
    expect(await open(other.clew)).toMatchObject({ choices: ['Approve', 'Change'] })
    await press(other.clew, 'Approve')
    expect(other.sent).toEqual(['Ben'])
  })

  it('lets nothing act before a yes, wherever a life ends (C764)', async () => {
    const points = ['commits.commit', 'tool look.run', 'model.call']
    for (const [n, point] of points.flatMap((one) => [1, 2, 3].map((at) => [at, one] as const))) {
      const world = tools()
      const clew = await start({ strategy, tools: world.tools, planFirst: true })
      scripted(clew.model, strategy)
      clew.crashAt(`${n % 2 === 0 ? 'before' : 'after'} ${point}`, n)
      await clew.say('Mail them all')
      for (let tries = 0; tries < 20 && (await open(clew)) === undefined; tries++) {
        await clew.idle()
        await clew.advance(20_000)
      }
      expect(world.sent, `${point} ${n}`).toEqual([])
      await press(clew, 'Approve')
      for (let tries = 0; tries < 20 && world.sent.length === 0; tries++) {
        await clew.idle()
        await clew.advance(20_000)
      }
      expect(world.sent, `${point} ${n}`).toEqual(['all'])
      await clew.stop()
    }
  })
})

it('a Decision’s first calls wait for the plan too (C764, C578)', async () => {
  const world = tools()
  const decision = { loopEnabled: true, allowedTypes: ['agent_task'], timeoutMs: 30_000 }
  const clew = await start({
    ...{ strategy: 'auto', tools: world.tools },
    decision: { ...decision, beginsWork: true },
  })
  const calls = [{ tool: 'mail', input: 'all' }]
  clew.model.on('decision', { ...decides.run('Mail them all'), calls, report: 'It is sent.' })
  clew.model.answer(({ contract }) =>
    contract === 'act' ? { text: 'As it says.', calls: [] } : null,
  )
  await clew.say('Mail them all, but show me the plan first')
  await clew.idle()
  expect(world.sent).toEqual([])
  expect((await open(clew))?.text).toContain('1. mail: all')
  await press(clew, 'Approve')
  expect(world.sent).toEqual(['all'])
  expect(clew.texts().join()).not.toContain('It is sent.')
})

it('work of a schedule shows its plan to who made it (C764)', async () => {
  const world = tools()
  const clew = await start({ strategy: 'free', tools: world.tools, planFirst: true })
  scripted(clew.model, 'free')
  const now = clew.clock.now()
  const at = now + 60_000
  await clew.store.schedules.add('test:team', 'channel:general', 'e1', {
    ...{ title: 'Mail them all', work: 'run', allow: ['mail'], createdBy: ana, createdAt: now },
    ...{ when: { kind: 'once', at }, durationMinutes: 60, remind: { base: null, repeat: null } },
    place: { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' },
    ...{ askedIn: null, paused: false, repeats: true, nextAt: at, remindAt: null },
    ...{ lastAt: null, lastRunId: null, fired: 0, asked: null },
  })
  await clew.advance(120_000)
  await clew.idle()
  expect(world.sent).toEqual([])
  const [run] = (await clew.store.runs.list('test:team', 5)).filter((one) => one.schedule != null)
  expect(run).toMatchObject({ status: 'awaiting_clarification' })
  const thread = await clew.store.conversations.state('test:team', run?.conversationId ?? '', 5)
  expect(thread?.questions[0]).toMatchObject({ choices: ['Approve', 'Change'], approvers: ['ana'] })
})

it('a mission hands nothing over before its steps are approved, and plans again by words (C764)', async () => {
  const agent = await codingAgent()
  const steps = (title: string) => ({
    steps: [{ title, description: title, constraints: '', expected: 'It works.' }],
  })
  const clew = await start({
    ...{ coding: agent.coding, planFirst: true },
    decision: { loopEnabled: true, allowedTypes: ['coding'], timeoutMs: 30_000 },
  })
  const input = JSON.stringify({ goal: 'Mend add()' })
  const run = { type: 'coding', title: 'Mend add()', conversation_id: null, input }
  clew.model.on('decision', { ...decides.run('Mend add()'), run })
  clew.model.on('mission', steps('Rewrite it'), steps('Mend the sum'))
  await clew.say('Mend add()')
  await clew.idle()
  expect((await open(clew))?.text).toContain('1. Rewrite it')
  agent.work(() => null)
  expect(agent.taken).toEqual([])
  await clew.say('Do not rewrite it, only mend the sum')
  await clew.idle()
  expect((await open(clew))?.text).toContain('1. Mend the sum')
  await press(clew, 'Approve')
  agent.work(() => null)
  expect(agent.taken).toHaveLength(1)
})

it('words while it works hold back the next call that acts (C764)', async () => {
  const world = tools()
  const clew = await start({ strategy: 'free', tools: world.tools })
  scripted(clew.model, 'free')
  const [looks] = world.tools.slice(1)
  if (looks === undefined) throw new Error('no tool')
  const { run } = looks
  Object.assign(looks, {
    run: async (...given: Parameters<typeof run>) => {
      await clew.say('show me the plan first')
      while ((await clew.outcomes()).at(-1) !== 'joined') await new Promise(setImmediate)
      return await run(...given)
    },
  })
  await clew.say('Mail them all')
  await clew.idle()
  expect(world.sent).toEqual([])
  expect(await open(clew)).toMatchObject({ choices: ['Approve', 'Change'] })
})
