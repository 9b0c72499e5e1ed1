import { describe, expect, it } from 'vitest'
import { type ContractInputs, type ContractName, readReply } from '../../../src/agent/contracts.ts'
import type { Task } from '../../../src/agent/domain/task.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { TaskContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import * as fake from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { limits } from '../../support/limits.ts'
import { inputs, replies } from '../model/inputs.ts'
import { resultOf, tokensOf } from '../model/sizes.ts'
import { bench } from '../model/support.ts'

/** An endpoint that refuses what its window does not hold, in OpenAI's words. */
function windowed(window: number, answer: (request: FakeRequest) => unknown) {
  const sizes: number[] = []
  return {
    sizes,
    answer(request: FakeRequest) {
      const prompt = tokensOf(request.body)
      sizes.push(prompt)
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${prompt} tokens.`
      if (prompt > window)
        return fake.httpError(400, { code: 'context_length_exceeded', message, param: 'messages' })
      return fake.value(answer(request), { usage: { prompt, completion: 100 } })
    },
  }
}

/** The one reply that goes on, for every strategy. */
function going(contract: ContractName, step: number): unknown {
  const call = { tool: 'todo', input: `get ${step}` }
  if (contract === 'act') return { text: `Step ${step}.`, calls: [call] }
  const items = Array.from({ length: 40 }, (_, at) => `Read part ${at}`)
  if (contract === 'plan') return { status: 'planned', plan: items }
  if (contract === 'replan') return { ...replies.replan, plan: items }
  if (contract === 'plan_tool_call') return { ...replies.plan_tool_call, steps: roundOf(step) }
  if (contract === 'think') return { ...replies.think, next_round: roundOf(step) }
  const leads_to = step % 4 === 3 ? 'item_done' : null
  return { ...replies.thought, current_step: 'Read it', next_action: call, leads_to }
}

const roundOf = (step: number) =>
  Array.from({ length: 1 + (step % 8) }, () => ({
    tool: 'todo',
    arguments: `get ${step}`,
    purpose: 'Read',
  }))

/** As the settings are when nobody sets them. */
const levers = { callsEndItems: true, replanSkips: 7, thinkPlans: true }

async function run(name: 'free' | 'step' | 'batch', window: number, known: boolean) {
  let steps = 0
  const endpoint = windowed(window, ({ contract }) => going(contract, steps))
  const { server, model } = await bench(known ? { window } : {}, {
    remembers: false,
  })
  server.answer(endpoint.answer)
  const most = {
    maxSteps: 9_999,
    maxModelCalls: 9_999,
    maxToolCalls: 9_999,
    maxTokens: 1e9,
    maxRounds: 999,
    maxIterations: 999,
    ...levers,
  }
  let task: Task = strategies[name].start(
    'Read all the tables and say what is in them',
    { ...limits, ...most },
    false,
  )
  while (steps < 200) {
    const strategy = strategyOf(task)
    const action = strategy.next(task)
    if (action.kind === 'call_tool') {
      steps += 1
      task = strategy.apply(task, { kind: 'observed', ok: true, result: resultOf(steps), ms: 1 })
    } else if (action.kind === 'call_model') {
      const { contract } = action
      const input = {
        ...inputs.act,
        ...strategy.view(task),
      } as unknown as ContractInputs[TaskContract]
      const answer = await model.call(contract, input as never, new AbortController().signal)
      if (!answer.ok) throw new Error(`${name} at step ${steps}: ${answer.code}`)
      const read = readReply(contract, input as never, answer.value)
      if (!read.ok) throw new Error(read.problem)
      task = strategy.apply(task, {
        kind: 'replied',
        contract,
        reply: read.reply,
        usage: answer.usage,
        ms: 1,
      } as unknown as TaskEvent)
    } else throw new Error(`${name} came to ${action.kind} at step ${steps}`)
  }
  return endpoint.sizes
}

describe('a run of 200 steps with results of 10,000 characters (C100)', () => {
  const all = (['step', 'batch', 'free'] as const).flatMap((name) =>
    [16_000, 128_000].map((window) => [name, window] as const),
  )
  it.each(all)('in %s never exceeds a window of %i tokens that is known', async (name, window) => {
    const sizes = await run(name, window, true)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(window)
    // What is long past is folded before that, but for a free loop.
    if (name === 'free') expect(Math.max(...sizes)).toBeGreaterThan(window / 4)
  })

  it('learns a window that nobody has told it from the first refusal, and goes on with the same call', async () => {
    const sizes = await run('free', 32_000, false)
    expect(sizes.filter((size) => size > 32_000)).toHaveLength(1)
  })
})
