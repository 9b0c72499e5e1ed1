import { expect, it, onTestFinished } from 'vitest'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { texts } from '../../../src/locales/texts.ts'
import { decides } from '../../fakes/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'

/* C354: an endpoint that counts nothing, and a task that would never end. */

const start = useClew()
const said = texts('en').core.reasons
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

async function endless(usage: unknown) {
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  server.answer(({ contract, number }) => {
    if (contract === 'decision') return fake.value(decides.run('Go on for ever'), { usage: null })
    const input = JSON.stringify({ input: `add ${number}` })
    const call = {
      id: `c${number}`,
      type: 'function',
      function: { name: 'todo', arguments: input },
    }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    return fake.raw(JSON.stringify({ choices: [{ finish_reason: 'stop', message }], usage }))
  })
  const model = createOpenAiModel({
    apiKey: null,
    baseURL: server.url,
    model: 'm',
    timeoutMs: 10_000,
    log: silent,
    clock: { now: () => 0 },
    price: { prompt: 10, completion: 30 },
  })
  const heard: Model = {
    ...model,
    call: (contract, input, signal) => model.call(contract, input, signal, () => {}),
  }
  return { server, model, heard }
}

it.each([
  ['missing', undefined, { maxTokens: 20_000 }, 'tokens'],
  ['null', null, { maxTokens: 20_000 }, 'tokens'],
  ['zeros', zeros, { maxTokens: 20_000 }, 'tokens'],
  ['zeros', zeros, { maxCost: 0.2 }, 'cost'],
  ['a word', 'unknown', { maxCost: 0.2 }, 'cost'],
] as const)(
  'a ceiling holds where usage is %s: %j, %j (C354, C130)',
  async (_, usage, limits, ceiling) => {
    const { server, model, heard } = await endless(usage)
    for (const one of [model, heard]) {
      const before = server.requests.length
      const clew = await start({
        model: one,
        strategy: 'free',
        limits: { maxSteps: 500, ...limits },
      })
      await clew.say('Go on')
      await clew.idle()
      const run = await clew.run()
      expect(run).toMatchObject({ status: 'paused' })
      expect(clew.texts().at(-1)).toContain(said[ceiling])
      const calls = (await clew.trace(run.id)).filter(({ kind }) => kind === 'model_call')
      expect(calls.map((call) => 'estimated' in call && call.estimated)).toEqual(
        calls.map(() => true),
      )
      expect(server.requests.length - before).toBeLessThan(30)
    }
  },
)
