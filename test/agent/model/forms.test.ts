import { describe, expect, it, vi } from 'vitest'
import { contractNames, readReply } from '../../../src/agent/contracts.ts'
import { requestBody, styleOf } from '../../../src/agent/model/forms.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { functionOf } from '../../../src/agent/model/tool-functions.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

describe('a tool that others run', () => {
  const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
  const foreign = {
    name: 'mail__send',
    description: 'Sends mail.',
    origin: { server: 'mail', schema },
  }

  it('is offered under its own schema, with its past calls as the endpoint knows them (C14, C15)', () => {
    const observations = [
      { step: 1, tool: 'mail__send', input: '{"to":"ana"}', ok: true, result: 'sent', turn: 1 },
      { step: 2, tool: 'todo', input: 'list', ok: true, result: 'none', turn: 1 },
    ]
    const input = { ...inputs.act, tools: [...inputs.act.tools, foreign], observations }
    const body = requestBody('m', 'act', promptFor('act', input), { form: 'function' })
    const offered = body.tools?.find(
      (one) => one.type === 'function' && one.function.name === 'mail__send',
    )
    expect(offered).toMatchObject({ function: { parameters: schema } })
    expect(offered).not.toHaveProperty('function.strict')
    expect(JSON.stringify(offered)).toContain('Sends mail.')
    const calls = body.messages.flatMap((one) =>
      'tool_calls' in one ? (one.tool_calls ?? []) : [],
    )
    expect(
      calls.flatMap((one) => (one.type === 'function' ? [one.function.arguments] : [])),
    ).toEqual(['{"to":"ana"}', '{"input":"list"}'])
  })
})

it.each([
  ['of its own, that just fits', 'x'.repeat(1_024), 1_024, null],
  ['of its own, too long', 'x'.repeat(1_025), 1_024, null],
  ['of a server, in one line', 'x'.repeat(5_000), 1_024, 'mail'],
  ['of a server, in many lines', 'a line\n'.repeat(400), 1_024, 'mail'],
  ['of a server, that fits', 'x'.repeat(800), 1_024, 'mail'],
])(
  'describes a tool %s in 1,024 characters, whole where it can (C98)',
  (_, description, most, server) => {
    const card = server === null ? {} : { origin: { server, schema: { type: 'object' } } }
    const { function: one } = functionOf({ name: 'send', description, ...card }, false)
    expect(one.description.length).toBeLessThanOrEqual(most)
    expect(one.description.includes('[cut:')).toBe(description.length > 1_024)
  },
)

it('names no choice of tools to a free turn that has none (C14, I9)', () => {
  const body = requestBody(
    'm',
    'act',
    { ...promptFor('act', inputs.act), tools: [] },
    { form: 'function' },
  )
  expect(body).not.toHaveProperty('tools')
  expect(body).not.toHaveProperty('tool_choice')
})

describe('an endpoint without forced functions', () => {
  it.each(contractNames.filter((contract) => styleOf(contract) !== 'plain'))(
    'answers %s by JSON in text, and neither tools nor tool_choice is sent (C14, I9)',
    async (contract) => {
      const { server, ask } = await bench({}, { functions: 'refused', responseFormat: 'object' })
      server.on(contract, fake.value(replies[contract]))
      const reply = await ask(contract)
      expect(reply.ok && readReply(contract, inputs[contract], reply.value)).toEqual({
        ok: true,
        reply: replies[contract],
      })
      const [request] = server.requests
      expect(request?.form).toBe('json')
      expect(request?.body).not.toHaveProperty('tools')
      expect(request?.body).not.toHaveProperty('tool_choice')
      expect(request?.prompt).toContain('"additionalProperties":false')
      server.assertDone()
    },
  )

  it.each([
    ['refuses functions', { functions: 'refused' }, 'schema'],
    ['answers with words', { functions: 'ignored' }, 'schema'],
    ['knows JSON objects alone', { functions: 'refused', responseFormat: 'object' }, 'json'],
    [
      'knows functions that are not strict alone',
      { functions: 'loose', responseFormat: 'refused' },
      'plain_function',
    ],
    [
      'refuses functions and response_format',
      { functions: 'refused', responseFormat: 'refused' },
      'text',
    ],
    [
      'answers with words and refuses response_format',
      { functions: 'ignored', responseFormat: 'refused' },
      'text',
    ],
  ] as const)(
    'is found out once a day, and not again after a restart (C99): %s',
    async (_, endpoint, form) => {
      const notes = new Map<string, string>()
      const remembered = {
        get: async (key: string) => notes.get(key) ?? null,
        put: async (k: string, v: string) => notes.set(k, v),
      }
      const clock = { at: Date.parse('2026-05-01T08:00:00Z'), now: () => clock.at }
      const { server, ask, log } = await bench({ remembered, clock }, endpoint)
      const good = fake.value(replies.plan)
      server.on('plan', good, good, good, good)
      for (const _ of [1, 2]) expect(await ask('plan')).toMatchObject({ ok: true })
      expect(log).toMatchObject([{ level: 'info', fields: { form } }])

      const again = await bench({ remembered, clock, baseURL: server.url })
      expect(await again.ask('plan')).toMatchObject({ ok: true })
      expect(again.log).toEqual([])
      expect(server.requests.map((request) => request.form)).toEqual([form, form, form])
      clock.at += 25 * 60 * 60 * 1000
      expect(await again.ask('plan')).toMatchObject({ ok: true })
      expect(again.log).toMatchObject([{ level: 'info', fields: { form } }])
    },
  )

  it('remembers nothing of a form in which nothing worked, and nothing from one empty reply (C99)', async () => {
    const put = vi.fn(async () => null)
    const { server, ask } = await bench({ remembered: { get: async () => null, put } })
    const refused = fake.httpError(400, {
      message: 'tools and response_format: something is odd here',
    })
    server.on(
      'thought',
      refused,
      refused,
      refused,
      refused,
      refused,
      fake.text(''),
      fake.value(replies.thought),
    )
    for (const ok of [false, false, true]) expect((await ask('thought')).ok).toBe(ok)
    const strong = ['function', 'schema', 'plain_function', 'json', 'text']
    expect(server.requests.map(({ form }) => form)).toEqual([...strong, 'function', 'function'])
    expect(put).toHaveBeenCalledTimes(1)
  })

  it('has the tokens of finding out in the usage of the call that found out', async () => {
    const { server, ask } = await bench()
    const tokens = { usage: { prompt: 100, completion: 10 } }
    server.on(
      'thought',
      fake.text('Sure!', tokens),
      fake.value(replies.thought, tokens),
      fake.value(replies.thought, tokens),
    )
    expect((await ask('thought')).usage).toEqual({ promptTokens: 200, completionTokens: 20 })
    expect((await ask('thought')).usage).toEqual({ promptTokens: 100, completionTokens: 10 })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'schema', 'schema'])
  })

  it('keeps one request a call once it is known, good reply or bad (C8)', async () => {
    const { server, ask } = await bench({}, { functions: 'refused', responseFormat: 'object' })
    server.on(
      'thought',
      fake.text('Let me see.'),
      fake.text('{"status"'),
      fake.value(replies.thought),
    )
    expect(await ask('thought')).toMatchObject({
      code: 'bad_reply',
      message: expect.stringContaining('JSON object'),
    })
    expect(await ask('thought')).toMatchObject({ code: 'bad_reply' })
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['json', 'json', 'json'])
  })

  it('stops looking when it is aborted between the requests', async () => {
    const abort = new AbortController()
    const { server, ask } = await bench()
    server.on('thought', () => {
      abort.abort()
      return fake.text('Sure!')
    })
    expect(await ask('thought', abort.signal)).toMatchObject({ ok: false, code: 'aborted' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('an endpoint with forced functions', () => {
  it('is remembered after its first good reply; then text is only a bad reply (R48)', async () => {
    const { server, ask } = await bench()
    server.on('thought', fake.value(replies.thought), fake.text('Hm.'), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(await ask('thought')).toMatchObject({ code: 'bad_reply' })
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'function', 'function'])
  })

  it('is looked at again after three texts in a row, each a counted call of its own (C8, C99)', async () => {
    const { server, ask } = await bench()
    const words = fake.text('Hm.')
    server.on(
      'thought',
      fake.value(replies.thought),
      words,
      words,
      words,
      words,
      fake.value(replies.thought),
    )
    for (const ok of [true, false, false, false, true]) expect((await ask('thought')).ok).toBe(ok)
    expect(server.requests.map(({ form }) => form)).toEqual([
      ...Array(5).fill('function'),
      'schema',
    ])
  })

  it('is not given up for wrong functions, or for texts that are not in a row', async () => {
    const { server, ask } = await bench()
    const good = fake.value(replies.thought)
    const words = fake.text('Hm.')
    const script = [fake.otherTool('shell'), good, words, words, good, words, words, good]
    server.on('thought', ...script)
    for (const _ of script) await ask('thought')
    expect(server.requests.every(({ form }) => form === 'function')).toBe(true)
  })

  it.each([
    ['rate limited', { status: 429, message: 'too many tool calls' }],
    ['broken', { status: 500, message: 'tools failed' }],
    ['refused', { status: 401, message: 'key may not use tools' }],
  ])('is not given up because a request was %s', async (_, { status, ...error }) => {
    const { server, ask } = await bench()
    server.on('thought', fake.httpError(status, error), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ code: 'unavailable' })
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'function'])
  })

  it.each([
    { code: 'context_length_exceeded', message: '130000 tokens (900 in the functions, in tools)' },
    { message: 'the maximum context length is 8192; shorten tool_choice' },
  ])('is not given up because a request was too long (C100)', async (error) => {
    const { server, ask } = await bench()
    server.on('thought', fake.httpError(400, error), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'function'])
  })

  it.each([
    [400, "Invalid tool_choice type: 'object'"],
    [400, 'qwen does not support tools'],
    [404, 'No endpoints found that support tool use'],
    [422, 'body.tools.0.function.strict: extra inputs are not permitted'],
    [501, "Only 'auto' or 'none' tool_choice is supported"],
  ])('is not assumed after %i: %s', async (status, message) => {
    const { server, ask } = await bench()
    server.on('thought', fake.httpError(status, { message }), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'schema'])
  })

  it('keeps the form when a request is refused for it once it has worked (C99)', async () => {
    const { server, ask } = await bench()
    const good = fake.value(replies.thought)
    server.on('thought', good, fake.httpError(400, { message: 'invalid tool_choice' }), good)
    for (const ok of [true, false, true]) expect((await ask('thought')).ok).toBe(ok)
    expect(server.requests.every(({ form }) => form === 'function')).toBe(true)
  })
})

describe('tools of others that an endpoint does not take (C98)', () => {
  const odd = (name: string, type = 'banana') => ({
    ...{ name, description: 'Odd.' },
    origin: { server: 'x', schema: { type: 'object', properties: { a: { type } } } },
  })
  const tools = [...inputs.act.tools, odd('x__one'), odd('x__fine', 'string'), odd('x__two')]

  it('are left out one by one with a warning; the form and the other tools stay', async () => {
    const { server, ask, log } = await bench()
    server.answer(() => fake.value(replies.act))
    for (const _ of [1, 2])
      expect(await ask('act', undefined, { tools })).toMatchObject({ ok: true })
    const offered = server.requests.map(({ body, form }) => [
      form,
      ...(body.tools ?? []).map((one) => one.function.name),
    ])
    const left = [
      'function',
      'todo',
      'schedule',
      'internet_search',
      'x__fine',
      'ask_user',
      'decision',
    ]
    expect(offered).toEqual([left, left])
    expect(log.map(({ level, fields }) => [level, 'tool' in fields && fields.tool])).toEqual([
      ['warn', 'x__one'],
      ['warn', 'x__two'],
    ])
    expect(server.refused).toHaveLength(2)
  })

  it('are found by their place in the list, or are those that were not taken before', async () => {
    const { server, ask } = await bench()
    const good = fake.value(replies.act)
    const given = (...names: string[]) => [
      ...inputs.act.tools,
      ...names.map((name) => odd(name, 'string')),
    ]
    server.on(
      'act',
      fake.httpError(400, { message: 'tools.4.custom.input_schema: is invalid' }),
      good,
    )
    await ask('act', undefined, { tools: given('x__one', 'x__two') })
    server.on('act', fake.httpError(400, { message: 'invalid tool schema' }), good)
    await ask('act', undefined, { tools: given('x__one', 'x__three') })
    const offered = server.requests.map(({ body }) =>
      (body.tools ?? []).flatMap((one) => one.function.name.match(/^x__.*/) ?? []),
    )
    expect(offered).toEqual([['x__one', 'x__two'], ['x__one'], ['x__one', 'x__three'], ['x__one']])
  })
})
