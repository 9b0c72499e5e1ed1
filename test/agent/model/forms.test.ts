import { describe, expect, it } from 'vitest'
import { contractNames, readReply } from '../../../src/agent/contracts.ts'
import { type Form, requestBody, styleOf } from '../../../src/agent/model/forms.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

describe('a tool that others run', () => {
  const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
  const foreign = { name: 'mail__send', description: 'Sends mail.', origin: { server: 'mail', schema } }

  it('is offered under its own schema, with its past calls as the endpoint knows them (C14, C15)', () => {
    const observations = [
      { step: 1, tool: 'mail__send', input: '{"to":"ana"}', ok: true, result: 'sent', turn: 1 },
      { step: 2, tool: 'todo', input: 'list', ok: true, result: 'none', turn: 1 },
    ]
    const input = { ...inputs.act, tools: [...inputs.act.tools, foreign], observations }
    const body = requestBody('m', 'act', promptFor('act', input), 'function')
    const offered = body.tools?.find((one) => one.type === 'function' && one.function.name === 'mail__send')
    expect(offered).toMatchObject({ function: { parameters: schema } })
    expect(offered).not.toHaveProperty('function.strict')
    expect(JSON.stringify(offered)).toContain('Sends mail.')
    const calls = body.messages.flatMap((one) => ('tool_calls' in one ? (one.tool_calls ?? []) : []))
    expect(calls.flatMap((one) => (one.type === 'function' ? [one.function.arguments] : []))).toEqual([
      '{"to":"ana"}',
      '{"input":"list"}',
    ])
  })
})

it('names no choice of tools to a free turn that has none (C14, I9)', () => {
  const body = requestBody('m', 'act', { ...promptFor('act', inputs.act), tools: [] }, 'function')
  expect(body).not.toHaveProperty('tools')
  expect(body).not.toHaveProperty('tool_choice')
})

describe('an endpoint without forced functions', () => {
  it.each(contractNames.filter((contract) => styleOf(contract) !== 'plain'))(
    'answers %s by JSON in text, and neither tools nor tool_choice is sent (C14, I9)',
    async (contract) => {
      const { server, ask } = await bench({}, { functions: 'refused' })
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
    ['refuses functions', { functions: 'refused' }, 'json'],
    ['answers with words', { functions: 'ignored' }, 'json'],
    ['refuses functions and response_format', { functions: 'refused', responseFormat: 'refused' }, 'text'],
    ['answers with words and refuses response_format', { functions: 'ignored', responseFormat: 'refused' }, 'text'],
  ] as const)('is found out once and remembered: %s', async (_, endpoint, form) => {
    const knownForms = new Map<string, Form>()
    const { server, ask, log } = await bench({ knownForms }, endpoint)
    server.on('plan', fake.value(replies.plan), fake.value(replies.plan))
    expect(await ask('plan')).toMatchObject({ ok: true })
    const probes = log.length
    expect(log.every(({ level }) => level === 'info')).toBe(true)
    expect(await ask('plan')).toMatchObject({ ok: true })
    expect(log).toHaveLength(probes)
    expect(server.requests.map((request) => request.form)).toEqual([form, form])

    const again = await bench({ knownForms, baseURL: server.url })
    server.on('plan', fake.value(replies.plan))
    expect(await again.ask('plan')).toMatchObject({ ok: true })
    expect(again.log).toEqual([])
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
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'json', 'json'])
  })

  it('keeps one request a call once it is known, good reply or bad (C8)', async () => {
    const { server, ask } = await bench({}, { functions: 'refused' })
    server.on('thought', fake.text('Let me see.'), fake.text('{"status"'), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ code: 'bad_reply', message: expect.stringContaining('JSON object') })
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

  it('is taken to have changed after three texts in a row, each a counted call of its own (C8)', async () => {
    const { server, ask } = await bench()
    const words = fake.text('Hm.')
    server.on('thought', fake.value(replies.thought), words, words, words, fake.value(replies.thought))
    for (const ok of [true, false, false, false, true]) expect((await ask('thought')).ok).toBe(ok)
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'function', 'function', 'function', 'json'])
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
    [
      'too long',
      { status: 400, code: 'context_length_exceeded', message: '130000 tokens (900 in the functions, in tools)' },
    ],
    ['too long, without a code', { status: 400, message: 'the maximum context length is 8192; shorten tool_choice' }],
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
    [400, "Invalid tool_choice type: 'object'"],
    [400, 'qwen does not support tools'],
    [404, 'No endpoints found that support tool use'],
    [422, 'body.tools.0.function.strict: extra inputs are not permitted'],
    [501, "Only 'auto' or 'none' tool_choice is supported"],
  ])('is not assumed after %i: %s', async (status, message) => {
    const { server, ask } = await bench()
    server.on('thought', fake.httpError(status, { message }), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests.map(({ form }) => form)).toEqual(['function', 'json'])
  })

  it('may serve one model and not the other', async () => {
    const { server, ask } = await bench({ decisionModel: 'small' })
    server.answer(({ body, contract }) =>
      body.tools !== undefined && body.model === 'small'
        ? fake.httpError(400, { message: 'small does not support tools' })
        : fake.value(replies[contract]),
    )
    for (const contract of ['decision', 'thought', 'decision'] as const) await ask(contract)
    const seen = server.requests.map(({ contract, form }) => `${contract} ${form}`)
    expect(seen).toEqual(['decision function', 'decision json', 'thought function', 'decision json'])
  })
})
