import { describe, expect, it } from 'vitest'
import { type ContractInputs, contractNames, readReply } from '../../../src/agent/contracts.ts'
import { styleOf } from '../../../src/agent/model/forms.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { bench, sentBy } from './support.ts'

const usage = { promptTokens: expect.any(Number), completionTokens: expect.any(Number) }

/** An endpoint that is known to do forced functions: no reply is taken for a sign that it cannot. */
const proven = { form: 'function' as const }

const forced = contractNames.filter((contract) => styleOf(contract) === 'forced')

describe('a contract call', () => {
  it.each(contractNames)('%s comes back as its contract says', async (contract) => {
    const { server, ask } = await bench()
    server.on(contract, fake.value(replies[contract]))
    const reply = await ask(contract)
    expect(reply).toEqual({
      ok: true,
      value: replies[contract],
      usage,
      ...(contract === 'act' && { sent: sentBy(server) }),
    })
    if (reply.ok)
      expect(readReply(contract, inputs[contract], reply.value)).toEqual({
        ok: true,
        reply: replies[contract],
      })
    server.assertDone()
  })

  it.each(forced)(
    '%s offers its own function only where contracts are apart, and forces it by name (R35, R46, R47, C14, I9)',
    async (contract) => {
      const { server, ask } = await bench({ prompts: 'apart' })
      server.on(contract, fake.value(replies[contract]))
      await ask(contract)
      const body = server.requests[0]?.body
      expect(body?.tools?.map((tool) => [tool.function.name, tool.function.strict])).toEqual([
        [contract, true],
      ])
      expect(body?.tool_choice).toEqual({ type: 'function', function: { name: contract } })
    },
  )

  it('judges words that may be for others by their own rules, also where a Decision may begin calls (C1000)', async () => {
    const { server, ask } = await bench()
    server.on('overheard', fake.value(replies.overheard))
    const calls = inputs.act.tools
    const begun: Partial<ContractInputs['overheard']> = { calls }
    expect(await ask('overheard', undefined, begun)).toMatchObject({ ok: true })
    const { body, prompt } = server.requests[0] ?? {}
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(['overheard'])
    expect(prompt).toContain('- "ignore": it is meant for somebody else')
    expect(prompt).not.toContain('The contract `decision`')
  })

  it('asks for a summary in plain words, with neither tools nor tool_choice (R61, C14)', async () => {
    const { server, ask } = await bench()
    server.on('summary', fake.text('<think>hm</think> Casa Azul it is.'))
    expect(await ask('summary')).toMatchObject({ ok: true, value: { content: 'Casa Azul it is.' } })
    const body = server.requests[0]?.body ?? {}
    expect(['tools', 'tool_choice', 'response_format'].filter((key) => key in body)).toEqual([])
    expect(server.requests[0]?.prompt).toContain('请用简洁的语言总结整个任务的执行结果')
  })

  it('offers the tools themselves to a free turn, and forces none (R72)', async () => {
    const { server, ask } = await bench()
    server.on('act', fake.text('All is done.'))
    expect(await ask('act')).toMatchObject({ ok: true, value: { text: 'All is done.', calls: [] } })
    const body = server.requests[0]?.body
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual([
      ...['todo', 'schedule', 'internet_search', 'ask_user', 'decision'],
    ])
    expect(body?.tool_choice).toBe('auto')
  })

  it('ties every result to its call: all ids first, then one message a call, failed and skipped ones too (R52, C15)', async () => {
    const { server, model } = await bench()
    const at = (step: number, turn: number, ok: boolean, result: string) => ({
      ...{ step, turn, ok, result },
      tool: 'todo',
      input: `get ${step}`,
    })
    const observations = [
      at(1, 1, true, 'one'),
      at(2, 1, false, 'gone'),
      at(3, 1, false, 'skipped: because'),
    ]
    const input = { ...inputs.think, observations, conclusions: [], clarifications: [] }
    server.on('think', fake.value(replies.think))
    expect(await model.call('think', input, new AbortController().signal)).toMatchObject({
      ok: true,
    })
    const messages = server.requests[0]?.body.messages ?? []
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
      'user',
    ])
    expect(
      messages.map((message) => ('tool_call_id' in message ? message.tool_call_id : null)),
    ).toEqual([...[null, null, null], ...['call00001', 'call00002', 'call00003', null, null]])
    server.assertDone()
  })

  it('counts the tokens that the endpoint reports, for refused replies too', async () => {
    const { server, ask } = await bench(proven)
    const tokens = { usage: { prompt: 120, completion: 7 } }
    server.on(
      'thought',
      fake.value(replies.thought, tokens),
      fake.text('Hm', tokens),
      fake.value(replies.thought, { usage: null }),
    )
    expect((await ask('thought')).usage).toEqual({ promptTokens: 120, completionTokens: 7 })
    expect((await ask('thought')).usage).toEqual({ promptTokens: 120, completionTokens: 7 })
    expect((await ask('thought')).usage).toEqual({
      promptTokens: expect.any(Number),
      completionTokens: expect.any(Number),
      estimated: true,
    })
  })

  it('carries every language and sign', async () => {
    const { server, ask } = await bench()
    const content = '三个场地 🏖️ — "quotes" \\ \u2028 \u202e עברית\u202c'
    server.on('chat', fake.value({ content }))
    expect(await ask('chat')).toMatchObject({ ok: true, value: { content } })
  })

  it('sends no half of a surrogate pair, for which endpoints refuse a request', async () => {
    const { server, ask } = await bench()
    server.on('thought', fake.value(replies.thought))
    const result = `${'x'.repeat(9_999)}🏖️ and \ud83d more`
    const observations = [{ step: 9, tool: 'todo', input: '\udc00', ok: true, result }]
    expect(await ask('thought', undefined, { goal: 'go \ud800', observations })).toMatchObject({
      ok: true,
    })
    server.assertDone()
  })

  it('needs no key where the endpoint wants none', async () => {
    const { server, ask } = await bench({ apiKey: null })
    server.on('chat', fake.value(replies.chat))
    expect(await ask('chat')).toMatchObject({ ok: true })
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe('a reply that is no answer', () => {
  it.each([
    ['another function (R48)', fake.otherTool('shell', replies.thought)],
    ['no function at all (F20)', fake.text('I think it is done.')],
    ['a function of another contract (R35, R48)', fake.otherTool('replan', replies.replan)],
    ['text and no function (R48)', fake.text('I think we should look at the list.')],
    ['a valid object, but in text (R48)', fake.text(JSON.stringify(replies.thought))],
    [
      'the function called twice, each time for something else (R48)',
      fake.severalCalls(replies.thought, { ...replies.thought, current_step: 'Another' }),
    ],
    ['no text and no function (R48)', fake.text('')],
    ['arguments that break off', fake.rawArguments('{"status":"continue","current')],
    ['arguments in a code fence', fake.rawArguments('```json\n{}\n```')],
    ['empty arguments', fake.rawArguments('')],
    ['arguments that are a list', fake.rawArguments('[{}]')],
    ['arguments that are null', fake.rawArguments('null')],
    ['two objects', fake.rawArguments('{}{}')],
    ['a reply that was cut off', fake.cutOff()],
    [
      'a whole object, but cut off',
      fake.rawArguments(JSON.stringify(replies.thought), { finishReason: 'length' }),
    ],
    ['a content filter', fake.filtered()],
    ['a refusal', fake.refusal()],
    ['no choices', fake.noChoices()],
    [
      'megabytes',
      fake.rawArguments(
        JSON.stringify({ ...replies.thought, current_step: 'x'.repeat(3_000_000) }),
      ),
    ],
  ])('is a value: %s', async (_, reply) => {
    const { server, ask } = await bench(proven)
    server.on('thought', reply)
    const got = await ask('thought')
    expect(got).toMatchObject({
      ok: false,
      code: 'bad_reply',
      message: expect.stringMatching(/\w+ \w+/),
      usage,
    })
    expect(server.requests).toHaveLength(1)
    server.assertDone()
  })

  it.each([
    [
      'a tool that is not offered (R30)',
      'thought',
      { ...replies.thought, next_action: { tool: 'shell', input: 'ls' } },
    ],
    ['continue without an action (R31)', 'thought', { ...replies.thought, next_action: null }],
    [
      'a question with an action (R32)',
      'thought',
      { ...replies.thought, status: 'ask_user', question: 'Which?' },
    ],
    ['done with an action (R33)', 'thought', { ...replies.thought, status: 'done' }],
    ['a replan without items (R34)', 'replan', { ...replies.replan, plan: [] }],
    ['a plan with an answer (R29)', 'plan', { ...replies.plan, response: 'Done' }],
    ['confidence beyond 1 (R93)', 'decision', { ...replies.decision, confidence: 2 }],
  ] as const)('is left to the contract when it is an object: %s', async (_, contract, value) => {
    const { server, ask } = await bench()
    server.on(contract, fake.value(value))
    const got = await ask(contract)
    expect(got).toMatchObject({ ok: true })
    if (got.ok)
      expect(readReply(contract, inputs[contract], got.value)).toMatchObject({ ok: false })
  })
})

describe('an endpoint that fails', () => {
  const unavailable = {
    mend: expect.any(String),
    ok: false,
    code: 'unavailable',
    kind: expect.any(String),
    retryAfterMs: null,
    usage: { promptTokens: 0, completionTokens: 0 },
  }

  it.each([
    ['a server error', fake.httpError(500)],
    [
      'an overloaded gateway',
      fake.raw('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    ],
    ['a request that it finds wrong', fake.httpError(400, { message: 'bad' })],
    ['a conflict', fake.httpError(409)],
    ['a body that is not JSON', fake.raw('{"choices": [')],
    ['an empty body', fake.raw('')],
    [
      'a page instead of a completion',
      fake.raw('<html>Log in</html>', { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'an error under status 200',
      fake.raw('{"error":{"message":"Provider returned error","code":502}}'),
    ],
    ['a list', fake.raw('[]')],
    ['a connection that breaks before the answer', fake.cutConnection()],
    ['a connection that breaks within the answer', fake.halfBody()],
  ])('is a value and one request, never a hidden retry (C8): %s', async (what, reply) => {
    const { server, ask, log } = await bench()
    server.on('thought', reply)
    expect(await ask('thought')).toEqual({
      ...unavailable,
      message: expect.stringMatching(/\w+ \w+/),
    })
    expect(server.requests).toHaveLength(1)
    expect(log.map(({ level }) => level)).toEqual([what.startsWith('a page') ? 'error' : 'warn'])
  })

  it('is a value when nobody listens', async () => {
    const { server, ask } = await bench()
    await server.close()
    expect(await ask('plan')).toMatchObject(unavailable)
  })

  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a part of a second', { 'retry-after': '0.25' }, 250],
    ['milliseconds, which go first', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
    ['a date', { 'retry-after': 'Fri, 01 May 2026 08:00:30 GMT' }, 30_000],
    ['a date in the past', { 'retry-after': 'Fri, 01 May 2026 07:00:00 GMT' }, 0],
    ['a year, of which an hour is waited', { 'retry-after': '31536000' }, 3_600_000],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['nothing', {}, null],
  ])('says when to come back: %s', async (_, headers, retryAfterMs) => {
    const { server, ask } = await bench()
    server.on('thought', fake.httpError(429, { headers, code: 'rate_limit_exceeded' }))
    expect(await ask('thought')).toMatchObject({ code: 'unavailable', retryAfterMs })
  })

  it.each([401, 403])('tells the operator about a refused key (%i)', async (status) => {
    const { server, ask, log } = await bench()
    server.on(
      'plan',
      fake.httpError(status, {
        code: 'invalid_api_key',
        message: 'Incorrect API key provided: sk-te*t',
      }),
    )
    expect(await ask('plan')).toMatchObject({
      ...unavailable,
      message: expect.stringContaining(`${status} invalid_api_key`),
    })
    expect(log).toEqual([
      {
        level: 'error',
        fields: expect.objectContaining({ status }),
        line: expect.stringContaining('OPENAI_API_KEY'),
      },
    ])
  })

  it('tells the operator about a model that is not there', async () => {
    const { server, ask, log } = await bench()
    server.on(
      'plan',
      fake.httpError(404, { code: 'model_not_found', message: 'The model `x` does not exist' }),
    )
    expect(await ask('plan')).toMatchObject(unavailable)
    expect(log).toMatchObject([{ level: 'error', line: expect.stringContaining('OPENAI_MODEL') }])
  })
})

describe('time', () => {
  it('ends a call that takes too long', async () => {
    const { server, ask } = await bench({ timeoutMs: 60 })
    server.on('thought', fake.hang())
    expect(await ask('thought')).toMatchObject({ ok: false, code: 'timeout', retryAfterMs: null })
  })

  it('is shorter for decisions when the settings say so (R117)', async () => {
    const { server, ask } = await bench({ decisionTimeoutMs: 60 })
    server.on('decision', fake.hang())
    expect(await ask('decision')).toMatchObject({ ok: false, code: 'timeout' })
  })

  it('ends a call in flight when it is aborted', async () => {
    const { server, ask } = await bench()
    const abort = new AbortController()
    server.on('thought', fake.hang())
    const call = ask('thought', abort.signal)
    await server.received(1)
    abort.abort()
    expect(await call).toEqual({ ok: false, code: 'aborted', usage })
  })

  it('starts no call that was aborted before', async () => {
    const { server, ask } = await bench()
    expect(await ask('thought', AbortSignal.abort())).toMatchObject({ ok: false, code: 'aborted' })
    expect(server.requests).toEqual([])
  })
})

describe('secrets (S7)', () => {
  const canary = 'canary-4f1d0a'
  const model = 'the model said 9c2e77'

  it.each([
    ['an answer', fake.value({ ...replies.thought, current_step: model })],
    ['words instead of a call', fake.text(model)],
    ['broken arguments', fake.rawArguments(`{"status": ${model}`)],
    ['a body that is not JSON', fake.raw(`${model} ${canary}`)],
    [
      'an error that repeats the key',
      fake.httpError(401, {
        message: `Incorrect API key provided: ${canary}`,
        code: canary,
        type: model,
      }),
    ],
    [
      'a refused request that repeats the prompt',
      fake.httpError(400, {
        message: 'bad: Compare the three venues and book a date',
        param: canary,
      }),
    ],
    ['a rate limit', fake.httpError(429, { message: `${canary} takes no more` })],
    ['a refusal', fake.refusal(model)],
  ])('stay out of logs, prompts and messages: %s', async (_, reply) => {
    const { server, ask, log } = await bench({ ...proven, apiKey: canary })
    server.on('thought', reply)
    const got = await ask('thought')
    expect(server.requests[0]?.headers.authorization).toContain(canary)
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain(canary)
    expect(JSON.stringify(log)).not.toMatch(
      /canary-4f1d0a|9c2e77|Choose a date|Casa Azul|three venues/,
    )
    if (!got.ok) expect(JSON.stringify(got)).not.toMatch(/canary-4f1d0a|9c2e77/)
  })
})
