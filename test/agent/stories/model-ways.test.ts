import { expect, it, onTestFinished } from 'vitest'
import { type ContractName, contractNames } from '../../../src/agent/contracts.ts'
import { createAiSdk } from '../../../src/agent/model/ai-sdk.ts'
import { createModelList } from '../../../src/agent/model/fallback.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { type Provider, providers } from '../../../src/agent/model/providers.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { startProvider } from '../../fakes/providers.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'

/*
 * C164: one story, by every way in to a model and under every strategy: the model fails in the middle of the task and one behind
 * another way goes on. Answers are asked for in pieces, as the page does.
 */

const start = useClew()
const ways = ['chat', 'responses', ...providers] as const
type Way = (typeof ways)[number]
const strategies = ['step', 'batch', 'free'] as const

/** What a model says, from the request alone: two lines to be noted, then the report. */
function play(contract: ContractName, prompt: string): unknown {
  const isNoted = (what: string) => prompt.includes(`Noted: ${what}.`)
  const next = isNoted('first') ? 'second' : 'first'
  const call = (arguments_: string) => ({ tool: 'ledger', arguments: arguments_, purpose: null })
  const isOver = isNoted('first') && isNoted('second')
  switch (contract) {
    case 'decision':
      return decides.run('Note both')
    case 'plan':
      return plans('Note')
    case 'thought':
      return isOver ? closes('Noted') : acts(next, 'ledger', 'Note')
    case 'plan_tool_call':
      return { steps: [call('first'), call('second')], reasoning: null, estimated_steps: null }
    case 'think':
      return {
        ...{ internal_analysis: null, task_completed: true, user_summary: 'Both are noted.' },
        ...{ next_steps_preview: null, next_round: null },
      }
    case 'act':
      return isOver
        ? { text: 'Both are noted.', calls: [] }
        : { text: null, calls: [{ tool: 'ledger', input: next }] }
    default:
      return ends('Both are noted.')
  }
}

/** A model behind one way in; `answers` is how many requests it answers until it is overloaded for good. */
async function modelBy(way: Way, answers = Number.POSITIVE_INFINITY): Promise<Model> {
  let left = answers
  const isUp = () => left-- > 0
  const options = {
    apiKey: 'sk-x',
    model: way,
    timeoutMs: 10_000,
    log: silent,
  }
  const clock = { now: () => 0 }
  if (way === 'chat' || way === 'responses') {
    const server = await startOpenAi()
    onTestFinished(() => server.close())
    server.answer(({ contract, prompt }) =>
      isUp() ? fake.value(play(contract, prompt)) : fake.httpError(503),
    )
    const { url: baseURL } = server
    if (way === 'chat') return createOpenAiModel({ ...options, baseURL, clock })
    const complete = await createAiSdk({ provider: 'openai', apiKey: 'k', baseURL })
    return createOpenAiModel({ ...options, baseURL, api: way, complete, clock })
  }
  const complete = await completeBy(way, isUp)
  return createOpenAiModel({ ...options, baseURL: way, complete, clock })
}

async function completeBy(provider: Provider, isUp: () => boolean) {
  const server = await startProvider(provider)
  onTestFinished(() => server.close())
  server.answerBy(({ text }) => {
    if (!isUp()) return { kind: 'failure', status: 503, body: { error: { message: 'overloaded' } } }
    const prompt = text.replaceAll('\\n', '\n')
    const name = [...prompt.matchAll(/# Contract: (\w+)/g)].at(-1)?.[1]
    const contract = contractNames.find((one) => one === name) ?? 'chat'
    return { kind: 'value', contract, value: play(contract, prompt) }
  })
  return await createAiSdk({ provider, apiKey: 'k', baseURL: server.url, region: 'eu-west-1' })
}

it.each(
  ways.flatMap((way, at) =>
    strategies.map((strategy) => [way, strategy, ways[(at + 1) % ways.length]] as const),
  ),
)(
  'a task by %s under %s goes on by the next way in when that fails in the middle: %s (C164, C102)',
  async (way, strategy, next = 'chat') => {
    // The Decision, and what begins the work.
    const both: [Model, Model] = [
      await modelBy(way, strategy === 'step' ? 3 : 2),
      await modelBy(next),
    ]
    const lists = { deciding: both, working: both, seeing: both, summing_up: both }
    const list = createModelList(lists, { clock: { now: () => 0 }, log: silent })
    const model: Model = {
      ...list,
      call: (contract, input, signal) => list.call(contract, input, signal, () => {}),
    }
    const effects: string[] = []
    const tool: Tool = {
      ...{ name: 'ledger', effect: 'keyed', description: 'Writes a line into the ledger.' },
      async run(input) {
        effects.push(input)
        return { ok: true, text: `Noted: ${input}.` }
      },
    }
    const clew = await start({ model, tools: [tool], strategy })
    await clew.say('Note both')
    await clew.idle()
    expect(effects).toEqual(['first', 'second'])
    expect(clew.texts().filter((text) => text.includes('Both are noted.'))).toHaveLength(1)
    const run = await clew.run()
    expect(run.status).toBe('succeeded')
    const answered = (await clew.trace(run.id)).flatMap((what) =>
      what.kind === 'model_call' ? [what.model] : [],
    )
    expect([...new Set(answered)]).toEqual([way, next])
  },
)
