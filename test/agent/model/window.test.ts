import { APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { overflowOf } from '../../../src/agent/model/window.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { resultOf, tokensOf } from './sizes.ts'
import { bench } from './support.ts'

describe('a request that is too long (C100)', () => {
  const observations = Array.from({ length: 12 }, (_, step) => ({
    ...{ step, turn: step, tool: 'todo', ok: true },
    ...{ input: `get ${step}`, result: resultOf(step) },
  }))

  it('keeps the rules, the goal, what people said and the newest result', async () => {
    const { server, ask } = await bench({ window: 16_000 })
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
    expect(await ask('act', undefined, { observations: [...observations, last] })).toMatchObject({
      ok: true,
    })
    const prompt = server.requests[0]?.prompt ?? ''
    for (const kept of ['# Contract: act', inputs.act.goal, 'Lisbon', 'THE NEWEST', 'Go on.'])
      expect(prompt).toContain(kept)
    const said = JSON.stringify(server.requests[0]?.body.messages.slice(1))
    expect(said.match(/<data from/g)?.length).toBe(said.match(/<\/data>/g)?.length)
  })

  it('extends the one before for a while, so that a cache holds', async () => {
    const { server, ask } = await bench({ window: 32_000 })
    const usage = { prompt: 9_000, completion: 10 }
    for (let count = 5; count <= 12; count += 1) {
      server.on('act', fake.value(replies.act, { usage }))
      await ask('act', undefined, {
        observations: observations
          .slice(0, count)
          .map((one) => ({ ...one, result: one.result.slice(0, 4_000) })),
      })
    }
    const texts = server.requests.map(({ body }) =>
      JSON.stringify(body.messages.slice(0, -2)).slice(0, -1),
    )
    const extended = texts.filter((text, at) => at > 0 && text.startsWith(texts[at - 1] ?? ''))
    expect(extended.length).toBeGreaterThanOrEqual(4)
  })

  it('holds a goal, a message or a conversation that is too long by itself', async () => {
    const { server, ask } = await bench({ window: 16_000 })
    for (const contract of ['plan', 'decision', 'conversation_summary'] as const)
      server.on(contract, fake.value(replies[contract], { usage: null }))
    const long = '场地在湖边，可容纳四十人。'.repeat(5_000)
    await ask('plan', undefined, { goal: long })
    await ask('decision', undefined, { message: long })
    await ask('conversation_summary', undefined, {
      messages: Array.from({ length: 50 }, () => ({
        role: 'user',
        author: 'Ana',
        text: long.slice(0, 8_000),
      })),
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
    const tooLong = fake.httpError(400, {
      code: 'context_length_exceeded',
      message: 'too many tokens',
    })
    server.on('act', tooLong, tooLong, tooLong, fake.value(replies.act))
    expect(await ask('act', undefined, { observations })).toMatchObject({
      ok: false,
      kind: 'context_too_long',
    })
    expect(await ask('act', undefined, { observations })).toMatchObject({ ok: true })
    const sizes = server.requests.map(({ prompt }) => prompt.length)
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
    expect(server.requests).toHaveLength(4)
  })

  it.each([
    ["This model's maximum context length is 8192 tokens. However, …", 8_192],
    ['prompt is too long: 213423 tokens > 200000 maximum', 200_000],
    [
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
    ],
    [
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 289650 tokens.',
      272_000,
    ],
    ['request (9000 tokens) exceeds the available context size, n_ctx: 4096', 4_096],
    [
      'Trying to keep the first 9000 tokens when context the overflows. The context length is only 4096 tokens',
      4_096,
    ],
    ['Input is too long for requested model.', null],
    ['request (144055 tokens) exceeds the available context size (131072 tokens)', 131_072],
    ['exceeded this model context window limit (8192).', 8_192],
    ['The prompt length 1327246 exceeds the max_model_len 131072.', 131_072],
    ['too many tokens: the tokens in the prompt cannot exceed 128000', 128_000],
    ['Please reduce the length. Current length is 8523 while limit is 8192: too long', 8_192],
    ['Request body too large for gpt-4o model. Max size: 8000 tokens.', 8_000],
    ['Request body too large. Max size: 4194304 bytes.', null],
    ['Request too large on tokens per minute: Limit 8000, Requested 32979', 8_000],
  ])('is known by its words: %s', (message, window) => {
    expect(
      overflowOf(APIError.generate(400, { error: { message } }, undefined, new Headers())),
    ).toEqual({ window })
  })
})

it('believes no refusal for length of a request that is shorter than one that was answered (C100, C99)', async () => {
  const { server, ask } = await bench({ form: 'function' })
  const tooLong = fake.httpError(400, {
    code: 'context_length_exceeded',
    message: 'maximum context length is 1024 tokens',
  })
  server.on(
    'thought',
    fake.value(replies.thought),
    tooLong,
    fake.value(replies.thought),
    fake.value(replies.thought),
  )
  const long = { goal: 'Compare the venues. '.repeat(1_000) }
  await ask('thought', undefined, long)
  await ask('thought')
  await ask('thought', undefined, long)
  const sizes = server.requests.map(({ prompt }) => prompt.length)
  expect([sizes[1] === sizes[2], sizes[3] === sizes[0]]).toEqual([true, true])
})
