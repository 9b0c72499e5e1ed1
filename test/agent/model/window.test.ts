import { APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { type ContractInputs, type ContractName, readReply } from '../../../src/agent/contracts.ts'
import type { Task } from '../../../src/agent/domain/task.ts'
import { overflowOf } from '../../../src/agent/model/window.ts'
import { strategies, strategyOf } from '../../../src/agent/strategies/strategies.ts'
import type { TaskContract, TaskEvent } from '../../../src/agent/strategies/strategy.ts'
import * as fake from '../../fakes/openai/replies.ts'
import type { FakeRequest } from '../../fakes/openai/request.ts'
import { limits } from '../../support/limits.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

/** As endpoints count: Latin text, numbers and signs, and Chinese each in their own way. */
function tokensOf(body: unknown): number {
  const text = JSON.stringify(body)
  let wide = 0
  let plain = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const lower = code | 32
    if (code < 32 || code > 126) wide += 1
    else if (code === 32 || (lower >= 97 && lower <= 122)) plain += 1
  }
  return Math.ceil(plain / 4.3 + (text.length - plain - wide) / 2.2 + wide / 1.2)
}

/** An endpoint that refuses what its window does not hold, in OpenAI's words. */
function windowed(window: number, answer: (request: FakeRequest) => unknown) {
  const sizes: number[] = []
  return {
    sizes,
    answer(request: FakeRequest) {
      const prompt = tokensOf(request.body)
      sizes.push(prompt)
      const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${prompt} tokens.`
      if (prompt > window) return fake.httpError(400, { code: 'context_length_exceeded', message, param: 'messages' })
      return fake.value(answer(request), { usage: { prompt, completion: 100 } })
    },
  }
}

/** What a step may bring: prose, rows of numbers, Chinese; 10,000 characters each. */
const results = [
  'The venue has a garden. ',
  '{"id":48213,"at":"2026-05-01T08:00","sum":1204.55},',
  '场地在湖边，可容纳四十人。',
]
const resultOf = (step: number): string => (results[step % 3] ?? '').repeat(1_000).slice(0, 10_000)

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
  Array.from({ length: 1 + (step % 8) }, () => ({ tool: 'todo', arguments: `get ${step}`, purpose: 'Read' }))

/** As the settings are when nobody sets them. */
const levers = { callsEndItems: true, replanSkips: 7, thinkPlans: true }

async function run(name: 'free' | 'step' | 'batch', window: number, known: boolean) {
  let steps = 0
  const endpoint = windowed(window, ({ contract }) => going(contract, steps))
  const { server, model } = await bench(known ? { windows: { 'fake-large': window } } : {}, { remembers: false })
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
  let task: Task = strategies[name].start('Read all the tables and say what is in them', { ...limits, ...most }, false)
  while (steps < 200) {
    const strategy = strategyOf(task)
    const action = strategy.next(task)
    if (action.kind === 'call_tool') {
      steps += 1
      task = strategy.apply(task, { kind: 'observed', ok: true, result: resultOf(steps), ms: 1 })
    } else if (action.kind === 'call_model') {
      const { contract } = action
      const input = { ...inputs.act, ...strategy.view(task) } as unknown as ContractInputs[TaskContract]
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

describe('a request that is too long (C100)', () => {
  const observations = Array.from({ length: 12 }, (_, step) => ({
    ...{ step, turn: step, tool: 'todo', ok: true },
    ...{ input: `get ${step}`, result: resultOf(step) },
  }))

  it('keeps the rules, the goal, what people said and the newest result', async () => {
    const { server, ask } = await bench({ windows: { 'fake-large': 16_000 } })
    server.on('act', fake.value(replies.act))
    const last = {
      ...observations[0],
      step: 99,
      turn: 99,
      tool: 'todo',
      input: 'get last',
      ok: true,
      result: 'THE NEWEST',
    }
    expect(await ask('act', undefined, { observations: [...observations, last] })).toMatchObject({ ok: true })
    const prompt = server.requests[0]?.prompt ?? ''
    for (const kept of ['# Contract: act', inputs.act.goal, 'Lisbon', 'THE NEWEST', 'Go on.'])
      expect(prompt).toContain(kept)
    const said = JSON.stringify(server.requests[0]?.body.messages.slice(1))
    expect(said.match(/<data from/g)?.length).toBe(said.match(/<\/data>/g)?.length)
  })

  it('extends the one before for a while, so that a cache holds', async () => {
    const { server, ask } = await bench({ windows: { 'fake-large': 32_000 } })
    const usage = { prompt: 9_000, completion: 10 }
    for (let count = 5; count <= 12; count += 1) {
      server.on('act', fake.value(replies.act, { usage }))
      await ask('act', undefined, {
        observations: observations.slice(0, count).map((one) => ({ ...one, result: one.result.slice(0, 4_000) })),
      })
    }
    const texts = server.requests.map(({ body }) => JSON.stringify(body.messages.slice(0, -1)).slice(0, -1))
    const extended = texts.filter((text, at) => at > 0 && text.startsWith(texts[at - 1] ?? ''))
    expect(extended.length).toBeGreaterThanOrEqual(4)
  })

  it('holds a goal, a message or a conversation that is too long by itself', async () => {
    const { server, ask } = await bench({ windows: { 'fake-large': 16_000 } })
    for (const contract of ['plan', 'decision', 'conversation_summary'] as const)
      server.on(contract, fake.value(replies[contract], { usage: null }))
    const long = '场地在湖边，可容纳四十人。'.repeat(5_000)
    await ask('plan', undefined, { goal: long })
    await ask('decision', undefined, { message: long })
    await ask('conversation_summary', undefined, {
      messages: Array.from({ length: 50 }, () => ({ role: 'user', author: 'Ana', text: long.slice(0, 8_000) })),
    })
    const sizes = server.requests.map(({ contract, body }) => [contract, tokensOf(body) <= 16_000])
    expect(sizes).toEqual([
      ['plan', true],
      ['decision', true],
      ['conversation_summary', true],
    ])
  })

  it('is tried once more, folded, and after that said to be too long, never an endpoint that cannot be reached', async () => {
    const { server, ask } = await bench()
    const tooLong = fake.httpError(400, { code: 'context_length_exceeded', message: 'too many tokens' })
    server.on('act', tooLong, tooLong, tooLong, fake.value(replies.act))
    expect(await ask('act', undefined, { observations })).toMatchObject({ ok: false, kind: 'context_too_long' })
    expect(await ask('act', undefined, { observations })).toMatchObject({ ok: true })
    const sizes = server.requests.map(({ prompt }) => prompt.length)
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
    expect(server.requests).toHaveLength(4)
  })

  it.each([
    ["This model's maximum context length is 8192 tokens. However, …", 8_192],
    ['prompt is too long: 213423 tokens > 200000 maximum', 200_000],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens.', 272_000],
    ['request (9000 tokens) exceeds the available context size, n_ctx: 4096', 4_096],
    ['Trying to keep the first 9000 tokens when context the overflows. The context length is only 4096 tokens', 4_096],
    ['Input is too long for requested model.', null],
  ])('is known by its words: %s', (message, window) => {
    expect(overflowOf(APIError.generate(400, { error: { message } }, undefined, new Headers()))).toEqual({ window })
  })
})

it('believes no refusal for length of a request that is shorter than one that was answered (C100, C99)', async () => {
  const { server, ask } = await bench({ form: 'function' })
  const tooLong = fake.httpError(400, {
    code: 'context_length_exceeded',
    message: 'maximum context length is 1024 tokens',
  })
  server.on('thought', fake.value(replies.thought), tooLong, fake.value(replies.thought), fake.value(replies.thought))
  const long = { goal: 'Compare the venues. '.repeat(1_000) }
  await ask('thought', undefined, long)
  await ask('thought')
  await ask('thought', undefined, long)
  const sizes = server.requests.map(({ prompt }) => prompt.length)
  expect([sizes[1] === sizes[2], sizes[3] === sizes[0]]).toEqual([true, true])
})
