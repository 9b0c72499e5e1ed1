import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuzz } from '../../fakes/openai/fuzz.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { fuzzed } from './fuzzed.ts'

const start = useClew()
/** All that a random story leaves behind: what was said and shown, what was decided, and every id and instant in it. */
async function historyOf(seed: number) {
  const [replies = []] = fc.sample(fuzz, { seed, numRuns: 1 })
  // An endpoint of its own: it numbers its requests.
  const server = await startOpenAi()
  const clew = await fuzzed(start, server, replies)
  const run = await clew.run()
  const { messages, outcomes, answered } = await clew.state()
  const task = await clew.store.runs.state(run.workspace, run.id)
  const story = await clew.store.runs.trace(run.workspace, run.id)
  await clew.stop()
  await server.close()
  return {
    run,
    task,
    messages,
    outcomes,
    answered,
    story,
    shown: clew.channel.shown.map(({ delivery }) => delivery),
  }
}

describe('a seed', () => {
  it('replays one history: texts, ids and instants (P16)', async () => {
    for (const seed of [7, 20_260_304]) expect(await historyOf(seed)).toEqual(await historyOf(seed))
  })

  it('tells histories apart (P16)', async () => {
    expect(await historyOf(1)).not.toEqual(await historyOf(2))
  })

  it('is printed by a property that fails, and finds the same counterexample again (P16)', () => {
    const short = fc.property(fuzz, (replies) => replies.length < 5)
    const report = fc.check(short)
    expect(() => fc.assert(short, { seed: report.seed })).toThrow(`seed: ${report.seed}`)
    const again = fc.check(short, { seed: report.seed, path: report.counterexamplePath ?? '' })
    expect(again.counterexample).toEqual(report.counterexample)
  })
})
