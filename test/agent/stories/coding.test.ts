import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEnded } from '../../../src/agent/domain/run.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { mendsAndNames, reportText } from '../../fakes/coding-agent.ts'
import { decides, type FakeModel } from '../../fakes/model.ts'
import { fuzz } from '../../fakes/openai/fuzz.ts'
import { value } from '../../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { type TestClew, type TestOptions, useClew } from '../../support/agent.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'
import { codingAgent, live } from './coding-folder.ts'

const start = useClew()
const allowed = { loopEnabled: true, allowedTypes: ['agent_task', 'coding'], timeoutMs: 30_000 }
const decision = {
  ...decides.run('Mend add()'),
  run: {
    type: 'coding',
    title: 'Mend add()',
    conversation_id: null,
    input: JSON.stringify({ goal: 'Mend add()' }),
  },
}
const steps = (...titles: string[]) => ({
  steps: titles.map((title) => ({
    title,
    description: `${title}.`,
    constraints: 'Only src/.',
    expected: 'It works.',
  })),
})
const judges = (decided: string, evidence = `${decided}, as it says`) => ({
  ...{
    decision: decided,
    evidence,
    instruction: decided === 'retry' ? 'Once more.' : null,
    project_context: null,
  },
})

/** A thread in which a mission with these steps has been asked for. */
async function mission(
  options: TestOptions,
  script: (model: FakeModel) => void,
): Promise<TestClew> {
  const clew = await start({ decision: allowed, ...options })
  clew.model.on('decision', decision)
  script(clew.model)
  await clew.say('Mend add()')
  await clew.idle()
  return clew
}

describe('waiting for a report', () => {
  it('holds no worker, and takes a report only when it is whole and grows no more (R136, C29, C43)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding, runsAtOnce: 1 }, (model) => {
      model.on('mission', steps('Mend it'))
      model.on('evaluate', judges('next'))
      model.on('mission_report', { report: 'It is mended.' })
    })
    // Idle means that nothing is claimed: the one place for runs is free while the agent works.
    expect((await clew.run()).status).toBe('running')
    agent.work(() => null)
    const id = agent.taken[0]?.id ?? ''
    agent.report(id, '---\nstatus: SUCC')
    for (let poll = 0; poll < 3; poll++) await clew.advance(5_000)
    expect((await clew.task()).observations).toEqual([])
    agent.report(id, reportText('SUCCESS', 'Half of it'))
    await clew.advance(5_000)
    agent.report(id, reportText('SUCCESS', 'Half of it and the rest'))
    await clew.advance(5_000)
    expect((await clew.task()).observations).toEqual([])
    await clew.advance(6_000)
    await clew.idle()
    expect((await clew.task()).observations[0]).toMatchObject({ ok: true, tool: 'coding_agent' })
    expect((await clew.task()).observations[0]?.result).toContain('Half of it and the rest')
    expect(clew.texts().at(-1)).toBe('Mend add(): done.\n\nIt is mended.')
    clew.model.assertDone()
  })

  it('shows what the agent has in hand while it works, like any other plan (R38, R137)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) =>
      model.on('mission', steps('Mend it', 'Test it')),
    )
    const shown = clew.channel.current.get((await clew.run()).id)
    expect(shown).toMatchObject({
      items: [{ text: 'Mend it' }, { text: 'Test it' }],
      now: { kind: 'acting', tool: 'coding_agent', input: 'Mend it' },
    })
    expect(agent.mission((await clew.run()).id)).toMatch(
      /status: running[\s\S]*\| 1 \| Mend it \| open/,
    )
  })

  it('counts ten minutes without a report as a failure of the step, and tries again (R135, R131)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) => {
      model.on('mission', steps('Mend it'))
      model.on('evaluate', judges('next'))
      model.on('mission_report', { report: 'It is mended.' })
    })
    agent.work(() => null)
    await clew.advance(590_000)
    expect((await clew.task()).observations).toEqual([])
    await clew.advance(16_000)
    expect((await clew.task()).observations).toMatchObject([{ ok: false }])
    await live(clew, agent, () => reportText('SUCCESS', 'Done'))
    expect(agent.taken.map(({ command }) => command)).toEqual(['new', 'continue', 'end'])
    expect((await clew.run()).status).toBe('succeeded')
  })

  it('pauses with a reason when no folder is shared any more, and goes on with “continue” (R140)', async () => {
    const clew = await mission({}, (model) => model.on('mission', steps('Mend it')))
    expect(clew.texts().at(-1)).toContain('I can’t reach the coding agent')
    expect((await clew.run()).status).toBe('paused')
  })
})

describe('people in a mission', () => {
  it('are asked after three steps have failed in a row, and their words become the step (R134, F32, C38)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding, limits: { maxRetries: 0 } }, (model) => {
      model.on('mission', steps('A', 'B', 'C', 'D'))
      model.on(
        'evaluate',
        judges('retry'),
        judges('retry'),
        judges('retry', 'No luck.'),
        judges('next'),
        judges('next'),
      )
      model.on('mission_report', { report: 'Two are done.' })
    })
    const answer = (task: { text: string }) =>
      reportText(/^[ABC]$/m.test(task.text) ? 'FAILED' : 'SUCCESS', 'So it went.')
    await live(clew, agent, answer, (_, status) =>
      status === 'awaiting_clarification' ? 'Use the other parser' : null,
    )
    const texts = clew.texts()
    expect(texts.find((text) => text.startsWith('“C” failed'))).toContain('No luck.')
    const [, , , replaced] = agent.taken
    expect(replaced?.text).toContain('Use the other parser')
    // Two steps stay undone, so the mission did not reach its goal; they are named.
    expect(texts.at(-1)).toContain('Two are done.')
    expect(texts.at(-1)).toContain('Left out: A; B.')
    expect((await clew.run()).status).toBe('failed')
  })

  it('stop it, and the agent is told so even when the process dies in between (R104, R126, P1)', async () => {
    const agent = await codingAgent()
    const clew = await mission({ coding: agent.coding }, (model) =>
      model.on('mission', steps('Mend it')),
    )
    agent.work(() => null)
    clew.crashAt('before coding_folder.dismiss')
    await clew.say('stop')
    await clew.idle()
    for (let seconds = 0; seconds < 30; seconds += 6) {
      await clew.advance(6_000)
      agent.work(() => null)
    }
    expect(clew.lives()).toBe(2)
    expect(agent.taken.map(({ command }) => command)).toEqual(['new', 'end'])
    expect(agent.taken[1]?.missionId).toBe(agent.taken[0]?.missionId)
    expect(clew.texts().filter((text) => text.includes('Stopped by'))).toHaveLength(1)
    expect(agent.mission((await clew.run()).id)).toContain('status: canceled')
  })
})

describe('a mission through a crash', () => {
  const points: Record<string, readonly number[]> = {
    'coding_folder.handOver': [1, 2, 4],
    'coding_folder.look': [1, 2, 4, 7],
    'coding_folder.dismiss': [1],
    'commits.commit': [1, 2, 4, 7, 11],
    'model.call': [1, 2, 4, 6],
    'runs.state': [1, 2, 4, 7],
    'leases.release': [1, 2, 4, 7],
  }
  const cases = Object.entries(points).flatMap(([point, numbers]) =>
    ['before', 'after'].flatMap((side) => numbers.map((n) => [`${side} ${point}`, n] as const)),
  )

  it.each(cases)(
    'hands every task over once, asks once and ends once, killed %s number %i (P1, P13, C41, rule 5)',
    async (point, n) => {
      const agent = await codingAgent()
      const clew = await start({ decision: allowed, coding: agent.coding })
      // A call that is repeated after a crash gets the same answer.
      clew.model.answer(({ contract, input }) => {
        if (contract === 'decision') return decision
        if (contract === 'mission') return steps('Mend it', 'Name it')
        if (contract === 'mission_report') return { report: 'All of it is done.' }
        const { report } = input as { report: { status: string } | null }
        return judges(report?.status === 'success' ? 'next' : 'retry')
      })
      clew.crashAt(point, n)
      await clew.say('Mend add()')
      await live(clew, agent, mendsAndNames, (_, status) =>
        status === 'awaiting_clarification' ? 'adder' : null,
      )
      expect(clew.lives()).toBe(2)
      expect(agent.taken.map(({ command }) => command)).toEqual([
        'new',
        'continue',
        'continue',
        'continue',
        'end',
      ])
      expect(new Set(agent.taken.map(({ id }) => id)).size).toBe(5)
      const texts = clew.texts()
      expect(texts.filter((text) => text.includes('Which name?'))).toHaveLength(1)
      expect(texts.filter((text) => /^[✔↻]/.test(text)).map((text) => text.slice(0, 8))).toEqual([
        '↻ Step 1',
        '✔ Step 1',
        '✔ Step 2',
      ])
      expect(texts.filter((text) => text.includes('All of it is done.'))).toHaveLength(1)
      expect((await clew.run()).status).toBe('succeeded')
    },
  )
})

describe('a mission with whatever model and agent', () => {
  let server: FakeOpenAi
  beforeAll(async () => {
    server = await startOpenAi()
  })
  afterAll(() => server.close())
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const texts = fc.oneof(
    fc
      .constantFrom('SUCCESS', 'failed', 'partial', 'waiting_input')
      .map((status) => reportText(status, 'So it went.')),
    fc.string().map((text) => reportText('SUCCESS', text, 'question: "?"\n')),
    anyText(60),
    fc.constantFrom(
      '',
      '---\nstatus: SUCCESS',
      reportText('???', '\ud83d'),
      `---\nstatus: [a\n---\n${'x'.repeat(300_000)}`,
    ),
  )

  it('has exactly one terminal message, with words (P11, P12, R138, C39)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fuzz,
        fc.array(texts, { minLength: 1, maxLength: 6 }),
        async (replies, reports) => {
          const agent = await codingAgent({ timeoutMs: 20_000 })
          const model = createOpenAiModel({
            ...{
              apiKey: 'sk-test',
              baseURL: server.url,
              model: 'fake',
              timeoutMs: 10_000,
            },
            ...{ log: silent, clock: createManualClock() },
          })
          const limits = {
            maxModelCalls: 30,
            maxToolCalls: 10,
            maxUnavailable: 2,
            maxRetries: 1,
            maxFailedSteps: 2,
          }
          const clew = await start({ decision: allowed, model, coding: agent.coding, limits })
          let asked = 0
          server.answer(({ contract }) => {
            const reply = replies[asked++ % replies.length]?.[contract]
            if (reply === undefined) throw new Error('an empty script')
            return contract === 'decision' ? value(decision) : reply
          })
          await clew.say('Mend add()')
          await live(
            clew,
            agent,
            (_, count) => reports[count % reports.length] ?? null,
            (turn, status) => {
              if (turn > 30) return 'stop'
              return status === 'paused'
                ? 'continue'
                : status === 'awaiting_clarification'
                  ? 'Lisbon'
                  : null
            },
          )
          const [run] = await clew.runs()
          expect(run !== undefined && hasEnded(run.status)).toBe(true)
          const finals = clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'final')
          expect(finals).toHaveLength(1)
          expect(JSON.stringify(finals[0]?.delivery.body)).toMatch(/done\.|The request was/)
          const task = await clew.task()
          expect(new Set(agent.taken.map(({ id }) => id)).size).toBe(agent.taken.length)
          expect(task.spent.toolCalls).toBeLessThanOrEqual(10 * (task.spent.pauses + 1))
          expect(clew.logs.filter(({ level }) => level === 'error')).toEqual([])
          await clew.stop()
        },
      ),
      { numRuns: runs(0.1) },
    )
  })
})
