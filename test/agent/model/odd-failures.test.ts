import { expect, it } from 'vitest'
import { kindOf } from '../../../src/agent/ports/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

/* Words of more providers and languages for the kinds of `dialects.test.ts`. */

const error = (message: string, more = {}) => ({ error: { message, ...more } })

it.each([
  ['unknown_model', 503, error('当前分组 default 下对于模型 gpt-9 无可用渠道')],
  ['unknown_model', 400, error('foo is not a supported model')],
  ['unknown_model', 400, error('No model named foo')],
  ['unknown_model', 410, error('This model is no longer available')],
  ['unknown_model', 400, error('Das Modell existiert nicht.')],
  ['key_refused', 400, error('Missing bearer authentication in header')],
  ['key_refused', 400, error('The API key has been revoked')],
  ['key_refused', 200, { code: 401, msg: 'token expired or incorrect' }],
  ['no_credit', 403, error('Your account is out of credits')],
  ['no_credit', 429, error('Your prepayment credits are depleted.')],
  ['no_credit', 403, error('Exhausted', { code: 'FreeTierOnly', type: 'free quota exhausted' })],
  ['no_credit', 403, error('Key limit exceeded (total limit)')],
  ['filtered', 400, error('Your request was rejected as a result of our safety system.')],
  ['filtered', 451, error('blocked by guardrails')],
  ['filtered', 400, error('内容涉嫌违禁')],
  ['context_too_long', 400, error('输入长度超过限制')],
  ['context_too_long', 400, error('入力が長すぎます')],
  ['context_too_long', 400, error('Tokens in prompt exceeded the context limit')],
  ['rate_limited', 403, error('Too many concurrent requests')],
  ['rate_limited', 200, { code: 429, msg: 'too many requests' }],
  ['rate_limited', 429, error('Resource has been exhausted (e.g. check quota).')],
  ['overloaded', 424, error('Model is getting ready for inference')],
  ['overloaded', 400, error('Service temporarily unavailable')],
  ['overloaded', 400, error('Model is currently loading')],
  ['wrong_address', 404, error('Unknown request URL: POST /chat/completions')],
  ['wrong_address', 404, error('File Not Found', { code: 404, type: 'not_found_error' })],
  ['wrong_address', 404, error('Unexpected endpoint or method. (POST /chat/completions)')],
] as const)("tells %s by the provider's words under %s (C352): %j", async (kind, status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  const reply = fake.raw(JSON.stringify(body), { status })
  server.on('thought', reply, reply)
  expect(kindOf(await ask('thought'))).toBe(kind)
})

const page = (title: string) => `<html>\r\n<head><title>${title}</title></head></html>`
it.each([
  ['context_too_long', 413, page('413 Request Entity Too Large')],
  ['rate_limited', 429, page('429 Too Many Requests')],
  ['timed_out', 408, page('408 Request Time-out')],
  ['wrong_address', 407, page('407 Proxy Authentication Required')],
  ['overloaded', 499, ''],
  ['overloaded', 424, error('Failed dependency')],
  ['reply_unusable', 202, ''],
  ['rate_limited', 200, { error_code: 17, error_msg: 'Open api daily request limit reached' }],
  [
    'key_refused',
    200,
    { Response: { Error: { Code: 'AuthFailure', Message: 'The SecretId is not found' } } },
  ],
  ['key_refused', 200, { error: 'Invalid API key' }],
  ['unknown_model', 400, { message: 'Model ID x with on-demand throughput isn’t supported.' }],
  ['unknown_model', 400, error('"nomic-embed-text" does not support chat')],
  ['unknown_model', 403, { code: 30003, message: 'Model disabled.' }],
  ['no_credit', 403, error('this model requires a subscription, upgrade for access')],
  ['no_credit', 400, error('You have reached your specified API usage limits.')],
  ['key_refused', 400, error('Organization has been restricted.')],
  ['context_too_long', 500, error('prompt_too_long: tokenized text prompt has 20767 tokens')],
  [
    'context_too_long',
    400,
    error('token count of 9 exceeds the limit', { code: 'model_max_prompt_tokens_exceeded' }),
  ],
  ['context_too_long', 400, error('Prompt length 9000 is greater than max_seq_len 8192')],
  ['overloaded', 400, error('The model has crashed without additional information.')],
  ['overloaded', 400, error('x', { code: 'bad_response_status_code' })],
  ['overloaded', 403, 'no healthy upstream'],
  ['filtered', 200, { choices: [{ finish_reason: 'guardrail_intervened', message: {} }] }],
] as const)('tells %s by what gateways say under %s (C990): %j', async (kind, status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  const reply = fake.raw(typeof body === 'string' ? body : JSON.stringify(body), { status })
  server.on('thought', reply, reply)
  expect(kindOf(await ask('thought'))).toBe(kind)
})

const now = Date.parse('2026-05-01T08:00:00Z')
const none = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-remaining-tokens': '9000' }
it.each<[number | null, Record<string, string>, object]>([
  [360_000, { ...none, 'x-ratelimit-reset-requests': '6m0s' }, {}],
  [null, { ...none, 'x-ratelimit-reset-tokens': '6m0s' }, {}],
  [
    60_000,
    {
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-05-01T08:01:00Z',
    },
    {},
  ],
  [90_000, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now / 1_000 + 90}` }, {}],
  [25_000, { ratelimit: '"default";r=0;t=25' }, {}],
  [30_000, { 'retry-after': '30s' }, {}],
  [30_000, { 'retry-after': '30, 30' }, {}],
  [40_000, { 'retry-after': `${now / 1_000 + 40}` }, {}],
  [20_000, { 'retry-after': 'Fri, 01 May 2026 08:00:20 GMT' }, {}],
  [30_000, {}, { retry_after: 30 }],
  [30_000, {}, { metadata: { retry_after_seconds: '30' } }],
  [
    45_000,
    {},
    { metadata: { headers: { 'X-RateLimit-Remaining': 0, 'X-RateLimit-Reset': now + 45_000 } } },
  ],
  [12_000, {}, { message: 'Please wait 12 seconds.' }],
  [30_000, {}, { message: '请求过于频繁，请在30秒后重试' }],
  [120_000, {}, { message: 'Limit resets at: 2026-05-01 08:02:00 UTC' }],
])('waits for %s ms, as its headers or fields say: %j %j (C990)', async (ms, headers, body) => {
  const { server, ask } = await bench({ form: 'function' })
  const text = JSON.stringify({ error: { message: 'rate', ...body } })
  server.on('thought', fake.raw(text, { status: 429, headers }))
  expect(await ask('thought')).toMatchObject({ kind: 'rate_limited', retryAfterMs: ms })
})

const field = (name: string) =>
  error(`Invalid '${name}': string too long. Expected a string with maximum length 40.`)
const observations = [{ step: 1, turn: 1, tool: 'todo', input: 'list', ok: true, result: 'none' }]
const called = (message: string, status = 400) => [status, error(message)] as const

it.each([
  [400, field('messages[2].tool_calls[0].id')],
  called('roles must alternate user/assistant/user at row 1', 500),
  [
    422,
    {
      detail: [{ loc: ['body', 'messages', 2, 'content'], msg: 'Input should be a valid string' }],
    },
  ],
  called('The content field in the Message object at messages.2 is empty.'),
  called("Invalid type for 'messages[2].content': expected a string, but got null instead."),
] as const)('tells of calls in words where it hears under %i (C991): %j', async (status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  server.on('act', fake.raw(JSON.stringify(body), { status }), fake.text('Done.'))
  expect(await ask('act', undefined, { observations })).toMatchObject({ ok: true })
  expect(server.requests[1]?.prompt).toContain('You called todo')
  expect(server.requests[1]?.body.tools).toHaveLength(5)
})

it.each([
  called('roles must alternate user/assistant/user at row 1', 500),
  called('messages: Unexpected role "system".'),
  called("Invalid value: 'system'. Supported values are: 'user' and 'assistant'."),
])(
  'puts the rules into the first message where it hears under %i (C991): %j',
  async (status, body) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', fake.raw(JSON.stringify(body), { status }), fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true })
    expect(server.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['user'])
  },
)

it.each([
  called('Structured output is not available for this model'),
  called('Failed to initialize samplers: failed to parse grammar'),
  called('Cannot use custom grammar constraints with tools.', 500),
  called('Value is not callable: null at row 1, column 2: for tool in tools', 500),
  called('Unable to generate parser for this template.', 500),
  called('Upstream request failed: Thinking mode does not support this tool_choice'),
])('asks in the next form where it hears under %i (C991): %j', async (status, body) => {
  const { server, ask } = await bench()
  server.on('thought', fake.raw(JSON.stringify(body), { status }), fake.value(replies.thought))
  expect(await ask('thought')).toMatchObject({ ok: true, value: replies.thought })
})

it.each([
  'Unrecognized request argument supplied: reasoning_effort',
  '"llama3" does not support thinking',
])('asks without an effort, with a warning, where it hears (C991): %s', async (message) => {
  const { server, ask, log } = await bench({ form: 'function', effort: 'low' })
  const refusal = fake.raw(JSON.stringify(error(message)), { status: 400 })
  server.on('thought', refusal, fake.value(replies.thought), fake.value(replies.thought))
  expect(await ask('thought')).toMatchObject({ ok: true })
  await ask('thought')
  const efforts = server.requests.map(({ body }) => body.reasoning_effort)
  expect(efforts).toEqual(['low', undefined, undefined])
  expect(log.map(({ level }) => level)).toEqual(['warn'])
})

it.each([
  ['its description', field('tools[1].function.description')],
  ['its place', error('GenerateContentRequest.tools[0].function_declarations[1].parameters')],
])('leaves out one tool that is refused for %s, and folds nothing (C991)', async (_, body) => {
  const { server, ask } = await bench({ form: 'function' })
  const origin = { server: 'own', schema: { type: 'object' } }
  const other = { name: 'own__other', description: 'x', origin }
  const [todo, ...rest] = inputs.act.tools
  const tools = [todo, other, ...rest].filter((one) => one !== undefined)
  server.on('act', fake.raw(JSON.stringify(body), { status: 400 }), fake.text('Done.'))
  expect(await ask('act', undefined, { tools })).toMatchObject({ ok: true })
  expect(server.requests.map(({ body }) => body.tools?.length)).toEqual([6, 5])
})
