import { describe, expect, it, onTestFinished } from 'vitest'
import type { Price } from '../../../src/agent/domain/budget.ts'
import { createModelList, type ModelLists } from '../../../src/agent/model/fallback.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { openModel } from '../../../src/compose/model.ts'
import { entriesOf, entryOptions } from '../../../src/compose/model-list.ts'
import { placeOf, readConfig } from '../../../src/config.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { closes, decides, ends, plans } from '../../fakes/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { startProvider } from '../../fakes/providers.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { inputs, replies } from './inputs.ts'

const clock = { at: 0, now: () => clock.at }

/** Two models at endpoints of their own, with the real client. */
async function two(prices: Record<string, Price> = {}) {
  const servers = await Promise.all([startOpenAi(), startOpenAi()])
  onTestFinished(async () => void (await Promise.all(servers.map((one) => one.close()))))
  const [first, second] = servers.map((server, at) =>
    createOpenAiModel({
      ...{
        apiKey: null,
        baseURL: server.url,
        model: `model-${at + 1}`,
        timeoutMs: 5_000,
      },
      ...{ log: silent, clock, price: prices[`model-${at + 1}`] },
    }),
  )
  const [one, other] = servers
  if (!first || !second || !one || !other) throw new Error('two')
  const both: [Model, Model] = [first, second]
  const lists: ModelLists = { deciding: both, working: both, seeing: both, summing_up: [second] }
  const model = createModelList(lists, { clock, log: silent })
  const ask = (goal = 'Book') =>
    model.call('thought', { ...inputs.thought, goal }, new AbortController().signal)
  const counts = () => [one.requests.length, other.requests.length]
  return { one, other, both, model, ask, counts }
}

describe('a list of models (C102)', () => {
  it('asks only the one that a channel has, and waits for it when it is away (C760)', async () => {
    const made = await two()
    const lists = { deciding: made.both, working: made.both, seeing: made.both }
    const named = new Map([['second', made.both[1]]])
    const list = createModelList({ ...lists, summing_up: made.both }, { clock, log: silent, named })
    made.other.on('thought', fake.value(replies.thought), fake.httpError(503))
    const ask = () =>
      list.call('thought', { ...inputs.thought, model: 'second' }, new AbortController().signal)
    expect(await ask()).toMatchObject({ ok: true, usage: { model: 'model-2' } })
    expect(await ask()).toMatchObject({ ok: false, code: 'unavailable' })
    expect(made.counts()).toEqual([0, 2])
  })

  it.each([
    ['an overload', fake.httpError(503)],
    ['an account without credit', fake.httpError(429, { code: 'insufficient_quota' })],
    ['a refused key', fake.httpError(401)],
    ['a line that breaks', fake.cutConnection()],
    ['a filter', fake.filtered()],
    ['a request that it finds wrong', fake.httpError(400)],
    ['a page', fake.raw('<html>Log in</html>', { headers: { 'content-type': 'text/html' } })],
  ])(
    'lets the next answer after %s, counts each attempt and says who answered (C8)',
    async (_, reply) => {
      const { one, other, ask } = await two()
      one.on('thought', reply)
      other.on('thought', fake.value(replies.thought, { usage: { prompt: 50, completion: 5 } }))
      const answer = await ask()
      expect(answer).toMatchObject({
        ok: true,
        usage: { promptTokens: expect.any(Number), requests: 2, model: 'model-2' },
      })
    },
  )

  it('counts the cost at the price of the one that answered, cached tokens at theirs (C130)', async () => {
    const { one, other, ask } = await two({
      'model-1': { prompt: 1_000, completion: 9_000 },
      'model-2': { prompt: 2, completion: 10, cached: 0.5 },
    })
    one.on('thought', fake.httpError(503))
    other.on(
      'thought',
      fake.value(replies.thought, { usage: { prompt: 100, completion: 5, cached: 40 } }),
    )
    expect((await ask()).usage).toMatchObject({
      cachedTokens: 40,
      cost: 60 * 2 + 40 * 0.5 + 5 * 10,
      model: 'model-2',
    })
  })

  it('looks at an image with the next one where the first cannot, and counts for the dearer one before (C36, C116)', async () => {
    const look = (words: string | null, cost: number) => ({
      ...{ name: words ?? 'blind', call: () => Promise.reject(new Error('not called')) },
      sight: {
        estimate: { promptTokens: 100, completionTokens: 10, cost },
        look: async () => ({ words, usage: { promptTokens: 7, completionTokens: 1, cost: 1 } }),
      },
    })
    const [blind, sees] = [look(null, 3), look('A chart', 9)]
    const lists: ModelLists = {
      deciding: [sees],
      working: [sees],
      seeing: [blind, sees],
      summing_up: [sees],
    }
    const { sight } = createModelList(lists, { clock: createManualClock(), log: silent })
    expect(sight?.estimate.cost).toBe(9)
    expect(
      await sight?.look(
        { type: 'image/png', bytes: new Uint8Array() },
        new AbortController().signal,
      ),
    ).toEqual({
      words: 'A chart',
      usage: { promptTokens: 14, completionTokens: 2, cost: 2, model: 'A chart' },
    })
  })

  it('does not ask the next one what the first has answered badly', async () => {
    const { one, ask, counts } = await two()
    one.on('thought', fake.rawArguments('{"status":'))
    expect(await ask()).toMatchObject({
      ok: false,
      code: 'bad_reply',
      usage: { requests: 1, model: 'model-1' },
    })
    expect(counts()).toEqual([1, 0])
  })

  it('leaves a model alone for as long as it said, and a task where its cache is', async () => {
    const { one, other, ask, counts } = await two()
    const good = fake.value(replies.thought)
    one.on('thought', fake.httpError(429, { headers: { 'retry-after': '120' } }))
    one.answer(() => good)
    other.answer(() => good)
    await ask('Book')
    clock.at += 119_000
    await ask('Compare')
    expect(counts()).toEqual([1, 2])
    clock.at += 2_000
    await ask('Find')
    await ask('Book')
    expect(counts()).toEqual([2, 3])
    clock.at += 6 * 60_000
    await ask('Book')
    expect(counts()).toEqual([3, 3])
  })

  it('asks the one that may be asked soonest while all are left alone', async () => {
    const { one, other, ask, counts } = await two()
    one.on(
      'thought',
      fake.httpError(429, { headers: { 'retry-after': '60' } }),
      fake.value(replies.thought),
    )
    other.on('thought', fake.httpError(429, { headers: { 'retry-after': '90' } }))
    expect(await ask()).toMatchObject({ ok: false, kind: 'rate_limited', usage: { requests: 2 } })
    expect(await ask()).toMatchObject({ ok: true })
    expect(counts()).toEqual([2, 1])
  })

  it('is away only until the first of them is back, whoever failed last and however (C92, C93)', async () => {
    const limited = (seconds: number) =>
      fake.httpError(429, { headers: { 'retry-after': String(seconds) } })
    const asked = await two()
    asked.one.on('thought', limited(60))
    asked.other.on('thought', limited(900))
    expect(await asked.ask()).toMatchObject({ kind: 'rate_limited', retryAfterMs: 60_000 })
    const mixed = await two()
    mixed.one.on('thought', fake.httpError(503))
    mixed.other.on('thought', fake.httpError(401))
    const usage = { requests: 2, model: 'model-2' }
    expect(await mixed.ask()).toMatchObject({ kind: 'overloaded', retryAfterMs: 30_000, usage })
    const long = await two()
    long.one.on('thought', fake.httpError(503))
    const tooLong = fake.httpError(400, { code: 'context_length_exceeded' })
    long.other.on('thought', tooLong, tooLong)
    expect(await long.ask()).toMatchObject({ kind: 'context_too_long' })
  })

  it('has a list of its own for summing up', async () => {
    const { other, model, counts } = await two()
    other.on('summary', fake.text('All is booked.'))
    expect(await model.call('summary', inputs.summary, new AbortController().signal)).toMatchObject(
      { ok: true },
    )
    expect(counts()).toEqual([0, 1])
  })

  it('decides with the list for deciding, also about what was overheard', async () => {
    const asked: string[] = []
    const named = (name: string): Model => ({
      name,
      async call(contract) {
        asked.push(`${contract} by ${name}`)
        return { ok: true, value: null, usage: { promptTokens: 1, completionTokens: 1 } }
      },
    })
    const [one, other] = [named('one'), named('other')]
    const model = createModelList(
      { deciding: [one], working: [other], seeing: [other], summing_up: [other] },
      { clock, log: silent },
    )
    const signal = new AbortController().signal
    for (const contract of ['decision', 'overheard', 'chat'] as const)
      await model.call(contract, inputs[contract], signal)
    expect(asked).toEqual(['decision by one', 'overheard by one', 'chat by one'])
  })
})

const start = useClew()

it('a task whose model fails in the middle has each effect once, and the trace and its counts say who answered (C102, C8)', async () => {
  const { one, other, model } = await two()
  const clew = await start({ model })
  one.on('decision', fake.value(decides.run('Book the offsite')))
  one.on('plan', fake.value(plans('Note it')))
  one.on(
    'thought',
    fake.value({
      ...replies.thought,
      current_step: 'Note it',
      next_action: { tool: 'todo', input: 'add Book the venue' },
    }),
  )
  one.answer(() => fake.httpError(503))
  other.on('thought', fake.value(closes('Noted')))
  other.on('replan', fake.value(ends('It is booked.')))
  await clew.say('Book the offsite')
  await clew.idle()
  expect((await clew.run()).status).toBe('succeeded')
  const { spent } = await clew.task()
  expect(spent).toMatchObject({ modelCalls: 5, toolCalls: 1 })
  const calls = (await clew.trace((await clew.run()).id)).flatMap((what) =>
    what.kind === 'model_call' ? [[what.contract, what.model]] : [],
  )
  expect(calls).toEqual([
    ['plan', 'model-1'],
    ['thought', 'model-1'],
    ['thought', 'model-2'],
    ['replan', 'model-2'],
  ])
  expect(await clew.trace(clew.conversationId)).toContainEqual(
    expect.objectContaining({ kind: 'decided', decision: 'run', model: 'model-1' }),
  )
  await clew.say('/todo list')
  await clew.idle()
  expect(
    clew
      .texts()
      .at(-1)
      ?.match(/Book the venue/g),
  ).toHaveLength(1)
})

it('asks by the Responses API only what the compatible endpoint has (C101, C135)', async () => {
  const config = readConfig({
    OPENAI_API: 'responses',
    OPENAI_API_KEY: 'sk-o',
    ANTHROPIC_API_KEY: 'sk-a',
    AGENT_MODELS: 'gpt-5, anthropic:claude-sonnet-4-5',
  })
  const deps = { clock: createManualClock(), log: silent }
  const asked = config.AGENT_MODELS.map((entry) => entryOptions(entry, config, deps))
  const apis = (await Promise.all(asked)).map(({ api }) => api)
  expect(apis).toEqual(['responses', 'chat'])
})

it('is opened from the settings, each provider by its own package (C101, C102)', async () => {
  const [local, anthropic] = await Promise.all([startOpenAi(), startProvider('anthropic')])
  onTestFinished(async () => void (await Promise.all([local.close(), anthropic.close()])))
  const config = readConfig({
    ...{ OPENAI_BASE_URL: local.url, ANTHROPIC_API_KEY: 'sk-a', ANTHROPIC_BASE_URL: anthropic.url },
    AGENT_MODELS: 'qwen3:8b, anthropic:claude-sonnet-4-5',
    ...{
      MODEL_WINDOWS: 'anthropic:claude-sonnet-4-5=50000',
      MODEL_PRICES: 'anthropic:claude-sonnet-4-5=3/15',
    },
  })
  const again = { ...config, AGENT_DECISION_MODEL: 'anthropic:claude-sonnet-4-5' }
  expect(entriesOf(again).deciding, 'each once').toEqual([
    'anthropic:claude-sonnet-4-5',
    'qwen3:8b',
  ])
  const { window, price } = await entryOptions('anthropic:claude-sonnet-4-5', config, {
    ...{ clock: createManualClock(), log: silent },
  })
  expect([window, price?.completion]).toEqual([50_000, 15])
  const { model, line } = await openModel(config, { clock: createManualClock(), log: silent })
  expect(line).toBe('Models: qwen3:8b, then anthropic:claude-sonnet-4-5.')
  local.answer(() => fake.httpError(500))
  anthropic.answer({ kind: 'value', contract: 'decision', value: replies.decision })
  const answer = await model.call('decision', inputs.decision, new AbortController().signal)
  expect(answer).toMatchObject({
    ok: true,
    value: replies.decision,
    usage: { requests: 2, model: 'claude-sonnet-4-5' },
  })
  expect(anthropic.asked[0]?.body).toMatchObject({
    model: 'claude-sonnet-4-5',
    tool_choice: { name: 'decision' },
  })
})

it('is named at the start where a key is missing (C101)', () => {
  const problems = (env: Record<string, string>) => {
    try {
      return readConfig(env)
    } catch (error) {
      return String(error)
    }
  }
  expect(problems({ AGENT_MODELS: 'anthropic:claude-x' })).toContain(
    'AGENT_MODELS: anthropic:claude-x needs ANTHROPIC_API_KEY',
  )
  expect(problems({ AGENT_MODELS: 'bedrock:nova', AWS_BEARER_TOKEN_BEDROCK: 'k' })).toContain(
    'needs AWS_REGION',
  )
  expect(problems({ AGENT_MODELS: 'gpt-5' })).toContain('needs OPENAI_API_KEY or OPENAI_BASE_URL')
  expect(problems({ AGENT_MODELS_SEEING: 'gpt-5', OPENAI_API_KEY: 'k' })).toContain(
    'AGENT_MODELS: is missing',
  )
  for (const entry of ['mistral:mistral-large-latest', 'groq:llama-3.3', 'deepseek:deepseek-chat'])
    expect(problems({ AGENT_MODELS: entry, OPENAI_API_KEY: 'k' })).toContain(
      `AGENT_MODELS: ${entry} needs ${entry.split(':')[0]?.toUpperCase()}_API_KEY`,
    )
})

it.each([
  ['mistral:7b', { OPENAI_BASE_URL: 'http://ollama/v1' }, null, 'mistral:7b'],
  ['mistral:latest', { OPENAI_BASE_URL: 'http://ollama/v1' }, null, 'mistral:latest'],
  ['deepseek:33b-q4_0', { OPENAI_BASE_URL: 'http://ollama/v1' }, null, 'deepseek:33b-q4_0'],
  ['mistral:7b', { OPENAI_BASE_URL: 'http://o/v1', MISTRAL_API_KEY: 'k' }, 'mistral', '7b'],
  ['groq:llama-3.3-70b', { GROQ_API_KEY: 'k' }, 'groq', 'llama-3.3-70b'],
  ['mistral-nemo:12b', { OPENAI_BASE_URL: 'http://ollama/v1' }, null, 'mistral-nemo:12b'],
  [
    'openai-compatible:mistral:7b',
    { OPENAI_COMPATIBLE_BASE_URL: 'http://ollama/v1', MISTRAL_API_KEY: 'k' },
    'openai-compatible',
    'mistral:7b',
  ],
] as const)('reads %s with %j as a model of %s (C355)', (entry, env, provider, name) => {
  expect(placeOf(entry, readConfig({ ...env, AGENT_MODELS: entry }))).toEqual({ provider, name })
})

it('says at the start that a tag is read as a model of the endpoint (C355)', async () => {
  const local = await startOpenAi()
  onTestFinished(() => local.close())
  const config = readConfig({ OPENAI_BASE_URL: local.url, AGENT_MODELS: 'mistral:7b, qwen3:8b' })
  const { model, line } = await openModel(config, { clock: createManualClock(), log: silent })
  expect(line).toBe(
    'Models: mistral:7b (at OPENAI_BASE_URL, as MISTRAL_API_KEY is not set), then qwen3:8b.',
  )
  local.on('decision', fake.value(replies.decision))
  await model.call('decision', inputs.decision, new AbortController().signal)
  expect(local.requests[0]?.body).toMatchObject({ model: 'mistral:7b' })
})
