import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEnded } from '../../../src/agent/domain/run.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { mendsAndNames, reportText } from '../../fakes/coding-agent.ts'
import { fuzz } from '../../fakes/openai/fuzz.ts'
import { value } from '../../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { anyText } from '../../support/any-text.ts'
import { runs } from '../../support/runs.ts'
import { allowed, codingAgent, decision, judges, live, steps } from './coding-folder.ts'

const start = useClew()

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
