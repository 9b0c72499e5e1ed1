import { hasEnded } from '../../../src/agent/domain/run.ts'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { createManualClock } from '../../fakes/clock.ts'
import type { Fuzz } from '../../fakes/openai/fuzz.ts'
import type { FakeOpenAi } from '../../fakes/openai/server.ts'
import type { TestClew, useClew } from '../../support/agent.ts'

export const limits = {
  maxSteps: 8,
  maxModelCalls: 30,
  maxToolCalls: 10,
  maxUnavailable: 2,
  maxRounds: 3,
  maxIterations: 8,
}

/** One task with a model that answers so, and a person who answers, continues a few times, and then stops it. */
export async function fuzzed(
  start: ReturnType<typeof useClew>,
  server: FakeOpenAi,
  replies: readonly Fuzz[],
  strategy: StrategyName = 'step',
): Promise<TestClew> {
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const model = createOpenAiModel({
    apiKey: 'sk-test',
    baseURL: server.url,
    model: 'fake',
    timeoutMs: 10_000,
    log: silent,
    clock: createManualClock(),
  })
  const clew = await start({ model, limits, strategy })
  let asked = 0
  server.answer(({ contract }) => {
    const reply = replies[asked++ % replies.length]?.[contract]
    if (reply === undefined) throw new Error('an empty script')
    return reply
  })
  await clew.say('Book the offsite')
  await clew.idle()
  for (let turns = 0; turns < 12; turns++) {
    const [run] = await clew.runs()
    if (run === undefined || hasEnded(run.status)) break
    if (run.status === 'running') await clew.advance(10_000)
    else if (turns > 8) await clew.say('stop')
    else await clew.say(run.status === 'paused' ? 'continue' : 'Lisbon')
    await clew.idle()
  }
  return clew
}
