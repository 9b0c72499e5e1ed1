import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hasEnded } from '../../../src/agent/domain/run.ts'
import { strategyNames } from '../../../src/agent/domain/task.ts'
import { fuzz } from '../../fakes/openai/fuzz.ts'
import { type FakeOpenAi, startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { runs } from '../../support/runs.ts'
import { fuzzed, limits } from './fuzzed.ts'

const start = useClew()
let server: FakeOpenAi
beforeAll(async () => {
  server = await startOpenAi()
})
afterAll(() => server.close())

it.each(strategyNames)(
  '%s gives every task exactly one terminal message, with words, whatever the model answers (P11, P12, C39, R37)',
  async (strategy) => {
    await fc.assert(
      fc.asyncProperty(fuzz, async (replies) => {
        const clew = await fuzzed(start, server, replies, strategy)
        const ended = await clew.runs()
        for (const run of ended) {
          expect(hasEnded(run.status)).toBe(true)
          const { messages } = await clew.state()
          const terminal = messages.filter(
            ({ source, text }) =>
              source.refId === run.id && /: (?:not )?done\.|The request was/.test(text),
          )
          expect(terminal).toHaveLength(1)
          expect(terminal[0]?.text.trim()).not.toBe('')
          const finals = clew.channel.shown.filter(({ delivery }) => delivery.body.kind === 'final')
          expect(finals).toHaveLength(1)
          if (strategy === 'step')
            expect((await clew.task()).spent.steps).toBeLessThanOrEqual(limits.maxSteps + 1)
        }
        expect(ended.length).toBeLessThanOrEqual(1)
        expect(clew.logs.filter(({ level }) => level === 'error')).toEqual([])
        await clew.stop()
      }),
      { numRuns: runs(0.1) },
    )
  },
)
