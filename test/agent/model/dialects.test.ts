import { describe, expect, it } from 'vitest'
import { readReply } from '../../../src/agent/contracts.ts'
import { withoutThinking } from '../../../src/agent/domain/thinking.ts'
import { objectMeant } from '../../../src/agent/model/json-text.ts'
import { firstModelOf } from '../../../src/agent/model/openai.ts'
import { kindOf } from '../../../src/agent/ports/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

const json = (body: unknown, status = 200) =>
  fake.raw(typeof body === 'string' ? body : JSON.stringify(body), { status })
const completion = (message: object, finish_reason = 'stop') =>
  json({ choices: [{ finish_reason, message: { role: 'assistant', ...message } }] })
const called = (name: string, given: unknown) =>
  completion({ content: null, tool_calls: [{ id: 'c1', function: { name, arguments: given } }] })
const args = JSON.stringify(replies.thought)

describe('what a model meant (C347)', () => {
  it.each([
    ['a name with a prefix', called('functions.thought', args)],
    ['a name with a channel', called('thought<|channel|>json', args)],
    ['a name of another kind of call', called('default_api:thought', args)],
    ['a name with a number', called('functions.thought:0', args)],
    ['arguments as JSON of JSON', called('thought', JSON.stringify(args))],
    ['arguments behind an empty object', called('thought', `{}${args}`)],
    ['arguments in a fence', called('thought', `\`\`\`json\n${args}\n\`\`\``)],
    ['arguments as an object', called('thought', replies.thought)],
    [
      'a list of parts beside the call',
      completion({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }],
        tool_calls: [{ function: { name: 'thought', arguments: args } }],
      }),
    ],
    [
      'the call of old',
      completion({ content: '', function_call: { name: 'thought', arguments: args } }),
    ],
    [
      'arguments with line breaks that are escaped',
      called('thought', args.replaceAll(',', ',\\n')),
    ],
    [
      'arguments with names without quotes',
      called('thought', args.replaceAll(/"(\w+)":/g, '$1: ')),
    ],
    [
      'arguments with half a quote',
      called('thought', args.replaceAll(/([{,])"(\w+)":/g, '$1$2":')),
    ],
    ['arguments twice', called('thought', `${args}\n${args}`)],
    ['the same call twice', fake.severalCalls(replies.thought, replies.thought)],
  ])('is read: %s', async (_, reply) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', reply)
    expect(await ask('thought')).toMatchObject({ ok: true, value: replies.thought })
  })

  it.each([
    ['a number as text', { ...replies.decision, confidence: '0.9' }],
    ['nothing as text', { ...replies.decision, reply: 'null', runs: 'null' }],
    ['an object as text', { ...replies.decision, run: JSON.stringify(replies.decision.run) }],
  ])('is read by the schema: %s', (_, value) => {
    expect(readReply('decision', inputs.decision, value)).toMatchObject({ ok: true })
  })
})

it.each([
  ['a pattern', '{"re": "\\d+"}', { re: '\\d+' }],
  ['a path of Windows', '{"path": "C:\\Users\\ana"}', { path: 'C:\\Users\\ana' }],
  ['an apostrophe', `{"text": "it\\'s"}`, { text: "it's" }],
  ['quotes that are escaped', '{"query": \\"a\\\\nb\\"}', { query: 'a\nb' }],
  ['all of it', '{\\"query\\": \\"a\\\\nb\\"}', { query: 'a\nb' }],
  ['names that objects have', '{constructor: 1}', { constructor: 1 }],
  ['words with a colon', "{'text': 'hi, ok: yes'}", { text: 'hi, ok: yes' }],
  ['a control character', '{"path": "a\u001bb"}', { path: 'ab' }],
])('reads escapes as they were meant: %s (C347)', (_, text, value) => {
  expect(objectMeant(text)).toEqual(value)
})

it.each(['{"a":1}{"a":2}', '{a:<|"|>x<|"|>}', '{"text": "he said "hi""}'])(
  'reads nothing into arguments that are not understood: %s (C347)',
  (text) => expect(objectMeant(text)).toBeNull(),
)

it.each(['insufficient_system_resource', 'error', 'network_error', 'abort', 'whatever'])(
  'does not take an answer for whole that ended by %s (C348)',
  async (reason) => {
    const { server, ask } = await bench()
    server.on('act', completion({ content: 'The list now has the first thing and the' }, reason))
    expect(await ask('act')).toMatchObject({ ok: false, code: 'bad_reply' })
  },
)

it.each([
  '<tool_call>\n{"name": "todo", "arguments": {"input": "list"}}\n</tool_call>',
  '<tool_call><function=todo><parameter=input>list</parameter></function></tool_call>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.todo:0',
  '<function_calls>\n<invoke name="todo"></invoke></function_calls>',
  '{"name": "todo", "arguments": {"input": "list"}}',
  '```json\n{"name": "todo", "parameters": {"input": "list"}}\n```',
  '[TOOL_CALLS][{"name": "todo"}]',
  '[todo(input="list")]',
  '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="todo">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  '< calls>\n<|DSML|invoke name="todo">',
  '[TOOL_REQUEST]{"name": "todo", "arguments": {}}[END_TOOL_REQUEST]',
  '<|START_ACTION|>[{"tool_name": "todo", "parameters": {}}]<|END_ACTION|>',
  '<function name="todo"><param name="input">list</param></function>',
  'todo\n<arg_key>input</arg_key>\n<arg_value>list</arg_value>\n</tool_call>',
  'Let me look.\n{"name": "todo", "arguments": {"input": "list"}}',
  '{"name": "todo", "arguments": {}}; {"name": "schedule", "arguments": {}}',
  '{"action": "todo", "action_input": "list"}',
])('takes no call that is written as words for a report: %s (C350)', (text) => {
  expect(readReply('act', inputs.act, { text, calls: [] })).toMatchObject({ ok: false })
})

it.each([
  'Write `<tool_call>` around it.',
  '```xml\n<tool_call>{}</tool_call>\n``` is how Hermes writes one.',
  '{"name": "Ana", "arguments": "none"}',
  'It answers:\n{"name": "Ana", "arguments": "none"}',
  'So it is called:\n```json\n{"name": "todo", "arguments": {"input": "list"}}\n```',
])('takes words about calls for words: %s (C350)', (text) => {
  expect(readReply('act', inputs.act, { text, calls: [] })).toMatchObject({ ok: true })
})

it.each([
  ['<thinking>secret</thinking>FINAL', 'FINAL'],
  ['[THINK]secret[/THINK]FINAL', 'FINAL'],
  ['◁think▷secret◁/think▷FINAL', 'FINAL'],
  ['<reasoning>secret</reasoning>FINAL', 'FINAL'],
  [
    '<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>FINAL',
    'FINAL',
  ],
  ['secret\n</think>\nFINAL', 'FINAL'],
  ['<|start|>assistant<|channel|>final<|message|>FINAL<|return|>', 'FINAL'],
  ['FINAL<|im_end|>', 'FINAL'],
  ['FINAL\n<｜end▁of▁sentence｜>', 'FINAL'],
  ['FINAL</s>', 'FINAL'],
  ['<|begin_of_box|>FINAL<|end_of_box|>', 'FINAL'],
  ['It ends with <|im_end|>', 'It ends with <|im_end|>'],
  ['<s>old</s>', '<s>old</s>'],
  ['FINAL\n<think>secret</think>', 'FINAL'],
  ['Cut all up to `</think>` and keep the rest.', 'Cut all up to `</think>` and keep the rest.'],
  ['All before </think> is cut.', 'All before </think> is cut.'],
  ['[Analysis] It is 4.', '[Analysis] It is 4.'],
])('takes thinking out, and no words about it: %s (C351, R42)', (text, words) => {
  expect(withoutThinking(text)).toBe(words)
})

const error = (message: string, more = {}) => ({ error: { message, ...more } })
it.each([
  ['unknown_model', 400, error('Model Not Exist')],
  ['unknown_model', 400, error('The model `x` has been decommissioned')],
  ['unknown_model', 400, error('模型不存在，请检查模型代码。')],
  ['key_refused', 400, { code: 'x', error: 'Incorrect API key provided: sk***gA.' }],
  ['no_credit', 429, error('suspended', { type: 'exceeded_current_quota_error' })],
  ['no_credit', 403, { code: 30001, message: 'your account balance is insufficient' }],
  ['no_credit', 403, error('x', { code: 'AccountOverdueError' })],
  [
    'no_credit',
    200,
    { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
  ],
  [
    'context_too_long',
    413,
    error('Request too large: Limit 8000, Requested 32979', { code: 'rate_limit_exceeded' }),
  ],
  [
    'context_too_long',
    422,
    { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.' },
  ],
  ['context_too_long', 400, error('Range of input length should be [1, 30720]')],
  ['filtered', 400, error('Content Exists Risk')],
  ['filtered', 403, { code: 'x', error: 'Content violates usage guidelines.' }],
  ['overloaded', 498, error('Flex tier capacity exceeded', { code: 'capacity_exceeded' })],
  [
    'overloaded',
    200,
    { choices: [{ finish_reason: 'error', error: { code: 502, message: 'Upstream' } }] },
  ],
  ['wrong_address', 404, '404 page not found'],
  ['wrong_address', 403, '<!DOCTYPE html><html></html>'],
  ['wrong_address', 404, { detail: 'Not Found' }],
  ['reply_unusable', 400, error('Failed to call a function.', { code: 'tool_use_failed' })],
  ['reply_unusable', 500, error('Failed to parse input at pos 184: <tool_call>')],
  ['reply_unusable', 500, error('error parsing tool call: raw=..., err=unexpected end')],
  ['reply_unusable', 500, error('unexpected tokens remaining in message header: ["to=x"]')],
  ['reply_unusable', 500, error('The model produced invalid content.')],
  ['rate_limited', 503, error('Too many tokens, please wait before trying again.')],
  ['rate_limited', 400, error('BedrockException - Too many tokens, please wait')],
  ['context_too_long', 400, error('The prompt length 132000 exceeds the max_model_len 131072.')],
  ['unknown_model', 400, error('No models loaded. Please load a model in the developer page.')],
  ['unknown_model', 403, error("You don't have access to the model with the specified ID.")],
  ['unknown_model', 404, error('No endpoints available matching your guardrail restrictions')],
  ['key_refused', 400, error('User location is not supported for the API use.')],
] as const)("tells %s by the provider's words under %s (C352): %j", async (kind, status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  server.on('thought', json(body, status), json(body, status))
  expect(kindOf(await ask('thought'))).toBe(kind)
})

const routed = (raw: unknown, code = 400) =>
  error('Provider returned error', { code, metadata: { raw, provider_name: 'X' } })
describe('what the provider behind a router said is read (C970)', () => {
  it.each([
    ['context_too_long', 400, '{"error":{"message":"maximum context length is 4096 tokens"}}'],
    ['filtered', 403, { error: { message: 'flagged: content violates usage guidelines' } }],
    ['overloaded', 200, 'upstream connect error or disconnect/reset before headers'],
    ['rate_limited', 400, 'z-ai/glm is temporarily rate-limited upstream'],
  ] as const)('as %s under %s', async (kind, status, raw) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', json(routed(raw), status), json(routed(raw), status))
    expect(kindOf(await ask('thought'))).toBe(kind)
  })

  it('where it refuses the form of a request', async () => {
    const { server, ask } = await bench()
    const refusal = json(routed('{"message":"tool_choice is not supported in thinking mode"}'), 400)
    server.on('thought', refusal, fake.value(replies.thought))
    expect(await ask('thought')).toMatchObject({ ok: true, value: replies.thought })
  })
})

it.each([
  [7_660, error('Rate limit reached. Please try again in 7.66s. Need more?')],
  [86_400, error('Rate limit reached. Please try again in 1m26.4s.')],
  [6, error('Rate limit reached. Please try again in 6ms.')],
  [32_000, error('Rate limit is exceeded. Retry after 32 seconds.')],
  [120_000, error('Too many requests, try again in 2 minutes')],
  [34_000, [{ error: { message: 'quota', details: [{ retryDelay: '34s' }] } }]],
  [null, error('Rate limit reached, try again later. See https://example.org/10s')],
])('waits as long as a refusal says in its words: %s ms (C974)', async (retryAfterMs, body) => {
  const { server, ask } = await bench({ form: 'function' })
  server.on('thought', json(body, 429))
  expect(await ask('thought')).toMatchObject({ kind: 'rate_limited', retryAfterMs })
})

it('reads a second call that is streamed under the number of the first, without a name (C347)', async () => {
  const { server, model } = await bench()
  const part = (call: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] })}\n\n`
  const list = { function: { name: '', arguments: '{"input":"list"}' } }
  const add = { function: { name: '', arguments: '{"input":"add x"}' } }
  const stream = [{ id: 'a', function: { name: 'todo', arguments: '' } }, list, list, add].map(part)
  const headers = { 'content-type': 'text/event-stream' }
  server.on('act', fake.raw(`${stream.join('')}data: [DONE]\n\n`, { headers }))
  const { signal } = new AbortController()
  expect(await model.call('act', inputs.act, signal, () => {})).toMatchObject({
    ok: true,
    value: {
      calls: [
        { tool: 'todo', input: 'list' },
        { tool: 'todo', input: 'add x' },
      ],
    },
  })
})

it.each([
  'System role not supported',
  'Only user and assistant roles are supported!',
  'Developer instruction is not enabled for models/gemma-3',
])('puts the rules into the first message where it hears: %s (C353)', async (message) => {
  const { server, ask } = await bench()
  server.on('thought', json(error(message), 400), fake.value(replies.thought))
  expect(await ask('thought')).toMatchObject({ ok: true })
  const [, again] = server.requests
  expect(again?.body.messages.map(({ role }) => role)).toEqual(['user'])
})

const turn = {
  content: null,
  reasoning_content: 'I think \ud83d',
  tool_calls: [
    {
      id: 'functions.todo:0',
      type: 'function',
      extra_content: { google: { thought_signature: 'SIG' } },
      function: { name: 'todo', arguments: '{"input":"list"}' },
    },
  ],
}

it('sends an assistant message back as it came, to nobody but its model, and no user after a result (C345)', async () => {
  const bodies: { messages: { role: string; tool_call_id?: string }[] }[] = []
  const seeing: typeof fetch = (url, init) => {
    bodies.push(JSON.parse(String(init?.body)))
    return fetch(url, init)
  }
  const { server, ask } = await bench({ fetch: seeing })
  server.on('act', completion(turn, 'tool_calls'), fake.text('Done.'), fake.text('Done.'))
  const reply = await ask('act')
  const sent = reply.ok ? reply.sent : undefined
  const observation = { step: 1, turn: 1, tool: 'todo', input: 'list', ok: true, result: 'none' }
  const other = sent && { ...sent, by: 'another' }
  await ask('act', undefined, { observations: [{ ...observation, sent }] })
  await ask('act', undefined, { observations: [{ ...observation, sent: other }] })
  const [, back = { messages: [] }, rebuilt = { messages: [] }] = bodies
  expect(back.messages.slice(2).map(({ role }) => role)).toEqual([
    ...['assistant', 'tool', 'assistant', 'user'],
  ])
  // Half a character is what no endpoint takes back.
  const reasoning_content = 'I think \ufffd'
  expect(back.messages[2]).toEqual({ role: 'assistant', ...turn, reasoning_content })
  expect(back.messages[3]).toMatchObject({ tool_call_id: 'functions.todo:0' })
  expect(JSON.stringify(rebuilt)).not.toMatch(/I think|SIG|functions.todo/)
  expect(rebuilt.messages[3]).toMatchObject({ tool_call_id: 'call00001' })
})

it.each([
  'Tool call id was c1 but must be a-z, A-Z, 0-9, with a length of 9.',
  'The reasoning_content in the thinking mode must be passed back to the API.',
  'Function call is missing a thought_signature in functionCall parts.',
  "Unexpected role 'user' after role 'tool'",
])('tells of calls in words where it hears: %s (C357)', async (message) => {
  const { server, ask } = await bench()
  server.on('act', json(error(message), 400), fake.text('Done.'))
  const observations = [{ step: 1, turn: 1, tool: 'todo', input: 'list', ok: true, result: 'none' }]
  expect(await ask('act', undefined, { observations })).toMatchObject({ ok: true })
  expect(server.requests[1]?.prompt).toContain('You called todo')
})

it.each([
  ['a bare list', [{ id: 'together-chat' }], 'together-chat'],
  [
    'one with an embedding first',
    { data: [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }] },
    'qwen3:8b',
  ],
  [
    'one that names types',
    {
      data: [
        { id: 'x', type: 'embedding' },
        { id: 'y', type: 'chat' },
      ],
    },
    'y',
  ],
])('takes the first model that can chat, of %s (C354)', async (_, list, name) => {
  const server = await startOpenAi({ models: json(list) })
  expect(await firstModelOf(server.url, null)).toEqual({ name })
  await server.close()
})

it('estimates tokens that nobody counted, and says so (C354)', async () => {
  const { server, ask } = await bench()
  for (const usage of [undefined, null, { prompt_tokens: 0, completion_tokens: 0 }]) {
    server.on('act', json({ usage, choices: [{ message: { content: 'Done.' } }] }))
    const answer = await ask('act')
    expect(answer.usage.estimated).toBe(true)
    expect(answer.usage.promptTokens).toBeGreaterThan(500)
  }
})

describe('a Decision in plain words (C448)', () => {
  const again = { refusal: 'the reply is text' }

  it.each(['function', 'json'] as const)('is the answer when asked for again: %s', async (form) => {
    const { server, ask } = await bench({ form })
    server.on('decision', fake.text('Sure, I can help with that! Tell me more.'))
    expect(await ask('decision', undefined, again)).toMatchObject({
      ok: true,
      value: { decision: 'reply', reply: { content: 'Sure, I can help with that! Tell me more.' } },
    })
  })

  it.each([
    ['the first time', 'Sure, I can help.', {}],
    ['where it is a try at an object', '{"decision": "run"', again],
    ['where it is empty', ' ', again],
  ])('is none %s', async (_, text, more) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('decision', fake.text(text))
    expect(await ask('decision', undefined, more)).toMatchObject({ ok: false })
  })
})
