import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callable } from '../../../src/agent/contracts/calls.ts'
import { readReply } from '../../../src/agent/contracts.ts'
import { withoutThinking } from '../../../src/agent/domain/thinking.ts'
import { firstModelOf } from '../../../src/agent/model/openai.ts'
import { kindOf } from '../../../src/agent/ports/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

/* Inputs of the kinds of `dialects.test.ts` that nobody reported yet: of each at least three more. */

const json = (body: unknown, status = 200) => fake.raw(JSON.stringify(body), { status })
const completion = (message: object, finish_reason: string | null = 'stop') =>
  json({ choices: [{ finish_reason, message: { role: 'assistant', ...message } }] })
const called = (name: string, given: unknown) =>
  completion({ content: null, tool_calls: [{ id: 'c1', function: { name, arguments: given } }] })
const { thought } = replies
const args = JSON.stringify(thought)
const inWhole = { function: { name: 'thought', arguments: args } }

describe('a call is read as it was meant (C347)', () => {
  it.each([
    'tool.thought',
    'multi_tool_use.thought',
    '"thought"',
    'thought()',
    'tools:thought',
    'functions/thought',
    '<|channel|>commentary to=functions.thought <|constrain|>json',
  ])('by its name: %s', async (name) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', called(name, args))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it.each([
    ['in a language', `json\n${args}`],
    ['before a mark', `${args}<|call|>`],
    ['as JSON of JSON of JSON', JSON.stringify(JSON.stringify(args))],
    ['as Python prints them', args.replaceAll('"', "'").replaceAll('null', 'None')],
    ['with words of Python', args.replaceAll('null', 'None')],
    ['as a list of one', `[${args}]`],
    ['as a list of one object', [thought]],
    ['with a comma at the end', args.replace(/\}$/, ',\n}')],
    ['behind a BOM', `\ufeff${args}`],
    ['in one more object', JSON.stringify({ arguments: thought })],
    ['under the name of the function', JSON.stringify({ thought })],
  ])('by its arguments: %s', async (_, given) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', called('thought', given))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it.each([
    ['calls that are no list', { tool_calls: { id: 'x', ...inWhole } }],
    ['a name in the call itself', { tool_calls: [{ id: 'x', name: 'thought', arguments: args }] }],
    ['a call that is null', { tool_calls: [null, inWhole] }],
    ['no number', { tool_calls: [inWhole] }],
  ])('by its message: %s', async (_, message) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', completion({ content: null, ...message }))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it.each([null, 'TOOL_CALLS', 'STOP', 'FINISH_REASON_STOP'])(
    'where it ended by %s (C348)',
    async (reason) => {
      const { server, ask } = await bench({ form: 'function' })
      server.on('thought', completion({ content: null, tool_calls: [inWhole] }, reason))
      expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
    },
  )
})

it.each(['model_context_window_exceeded', 'timeout', 'MALFORMED_FUNCTION_CALL', 'repetition'])(
  'takes no answer for whole that ended by %s (C348)',
  async (reason) => {
    const { server, ask } = await bench()
    server.on('act', completion({ content: 'The list now has' }, reason))
    expect(await ask('act')).toMatchObject({ ok: false, code: 'bad_reply' })
  },
)

const chunk = (delta: object | null, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const stream = (...events: unknown[]) =>
  fake.raw(
    events
      .map((one) => `${typeof one === 'string' ? one : `data: ${JSON.stringify(one)}`}\n\n`)
      .join(''),
    { headers: { 'content-type': 'text/event-stream' } },
  )
const call = (given: unknown, more: object = { index: 0, id: 'x' }) =>
  chunk({ tool_calls: [{ ...more, function: { name: 'thought', arguments: given } }] })
const piece = (part: object) => chunk({ tool_calls: [{ index: 0, function: part }] })
const old = (part: object) => chunk({ function_call: part })
const end = chunk({}, 'stop')
const done = 'data: [DONE]'

describe('a stream is read as it was meant (C347)', () => {
  it.each([
    ['without [DONE]', stream(call(args), end)],
    ['without a reason', stream(call(args), done)],
    ['that ends with its call', stream(call(args))],
    ['with an index of text', stream(call(args, { index: '0' }), end, done)],
    ['without an index', stream(call(args, { index: null }), end, done)],
    [
      'with a name in pieces',
      stream(piece({ name: 'tho' }), piece({ name: 'ught', arguments: args }), end),
    ],
    ['with the name in each piece', stream(call(args.slice(0, 9)), call(args.slice(9)), end)],
    ['with an object', stream(call(thought), end, done)],
    ['with choices that are null', stream({ choices: null }, call(args), end)],
    ['with a delta that is null', stream(chunk(null), call(args), end)],
    ['behind a BOM', stream(`\ufeffdata: ${JSON.stringify(call(args))}`, end)],
    [
      'of whole messages',
      stream({
        choices: [{ index: 0, message: { tool_calls: [inWhole] }, finish_reason: 'stop' }],
      }),
    ],
    [
      'of the calls of old, in pieces',
      stream(
        old({ name: 'thought', arguments: args.slice(0, 9) }),
        old({ arguments: args.slice(9) }),
        end,
      ),
    ],
  ])('%s', async (_, reply) => {
    const { server, model } = await bench({ form: 'function' })
    server.on('thought', reply)
    const { signal } = new AbortController()
    const answer = await model.call('thought', inputs.thought, signal, () => {})
    expect(answer).toMatchObject({ ok: true, value: thought })
  })

  it.each([
    ['has an empty event', stream('data:', call(args), end)],
    ['is a list of lines', fake.raw(`${JSON.stringify(end)}\n${JSON.stringify(end)}`)],
    ['is no stream', stream(JSON.stringify({ choices: [] }))],
  ])('or asked for in one piece where it %s', async (_, reply) => {
    const { server, model } = await bench({ form: 'function' })
    server.on('thought', reply, fake.value(thought))
    const { signal } = new AbortController()
    const answer = await model.call('thought', inputs.thought, signal, () => {})
    expect(answer).toMatchObject({ ok: true, value: thought })
    expect(server.requests.map(({ body }) => body.stream ?? false)).toEqual([true, false])
  })
})

const said = (text: unknown) => ({ type: 'text', text })
const reasoned = { type: 'thinking', thinking: [said('secret')] }
const lists: [string, unknown[]][] = [
  ['of one text', [said('The list is done.')]],
  ['with a thought before it', [reasoned, said('The list '), said('is done.')]],
  ['with a thought of another name', [{ type: 'reasoning', text: 'secret' }, 'The list is done.']],
  ['with parts that are no text', [null, { type: 'image_url' }, said('The list is done.')]],
]
describe('words that stand in a list are read (C347, R42)', () => {
  it.each(lists)('%s', async (_, content) => {
    const { server, ask } = await bench()
    server.on('act', completion({ content }))
    expect(await ask('act')).toMatchObject({ ok: true, value: { text: 'The list is done.' } })
  })

  it.each(lists)('%s, in pieces', async (_, content) => {
    const { server, model } = await bench()
    const pieces = content.map((part) => chunk({ content: [part] }))
    server.on('act', stream(...pieces, end, done))
    const { signal } = new AbortController()
    const answer = await model.call('act', inputs.act, signal, () => {})
    expect(answer).toMatchObject({ ok: true, value: { text: 'The list is done.' } })
  })
})

const answered = JSON.stringify({ choices: [{ message: { tool_calls: [inWhole] } }] })
it.each([
  ['of JSON', `\ufeff${answered}`, 'application/json'],
  ['of JSON that is called text', `\ufeff${answered}`, 'text/plain; charset=utf-8'],
  ['of JSON of no kind, with an empty line', `\ufeff\r\n${answered}\r\n`, ''],
  ['of JSON within JSON', `\ufeff{"data":${answered}}`, 'application/json'],
])('reads a body behind a byte order mark: %s (C347)', async (_, text, type) => {
  const { server, ask } = await bench({ form: 'function' })
  server.on('thought', fake.raw(text, { headers: { 'content-type': type } }))
  expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
})

const error = (message: string, more = {}) => ({ error: { message, ...more } })
it.each([
  ['unknown_model', 404, error('No endpoints found for qwen/qwen-9.')],
  ['unknown_model', 400, error('qwen-huge is not a valid model ID')],
  ['unknown_model', 400, error('Unsupported model: foo')],
  ['unknown_model', 400, { code: 20012, message: 'Model does not exist. Please check it.' }],
  ['key_refused', 401, error('无效的令牌')],
  ['key_refused', 400, { detail: 'Invalid authentication credentials' }],
  [
    'key_refused',
    200,
    { base_resp: { status_code: 1004, status_msg: 'login fail: Please carry the API secret key' } },
  ],
  ['no_credit', 403, { error: 'Your team has used all available credits.' }],
  ['no_credit', 402, error('This request requires more credits, or fewer max_tokens.')],
  ['no_credit', 429, error('余额不足或无可用资源包,请充值。', { code: '1113' })],
  ['context_too_long', 400, error('Prompt exceeds max length', { code: '1261' })],
  ['context_too_long', 500, error('input length exceeds max sequence length 4096')],
  ['context_too_long', 429, error('Request too large for gpt-4: Limit 30000, Requested 45000.')],
  ['filtered', 400, error('The request was rejected because it was considered high risk')],
  ['filtered', 403, error('Your input was flagged by moderation')],
  ['filtered', 400, error('系统检测到输入或生成内容可能包含不安全或敏感内容')],
  ['rate_limited', 200, { base_resp: { status_code: 1002, status_msg: 'rate limit' } }],
  ['rate_limited', 429, error('您的账户已达到速率限制')],
  ['rate_limited', 400, error('Rate limit reached for requests')],
  ['overloaded', 429, error('当前分组上游负载已饱和，请稍后再试')],
  ['overloaded', 400, error('The engine is currently overloaded')],
  ['overloaded', 200, error('Provider returned error', { code: 502 })],
  ['overloaded', 200, { base_resp: { status_code: 1013, status_msg: 'internal service error' } }],
  ['wrong_address', 404, { status: 404, error: 'Not Found', path: '/chat/completions' }],
  ['wrong_address', 404, error('Invalid URL (POST /v1/v1/chat/completions)')],
  ['wrong_address', 405, { detail: 'Method Not Allowed' }],
  ['reply_unusable', 500, error('Failed to parse tool call arguments as JSON')],
  ['reply_unusable', 400, error('Failed to generate JSON', { code: 'json_validate_failed' })],
] as const)("tells %s by the provider's words under %s (C352): %j", async (kind, status, body) => {
  const { server, ask } = await bench({ form: 'function' })
  server.on('thought', json(body, status), json(body, status))
  expect(kindOf(await ask('thought'))).toBe(kind)
})

it.each([
  [501, 'function calling is not implemented for this model'],
  [404, 'No endpoints found that support tool use.'],
  [400, 'deepseek-reasoner does not support this tool_choice'],
  [500, 'tools param requires --jinja flag'],
  [500, 'function calling is not implemented for this model'],
])('asks in the next form where it hears under %i (C99): %s', async (status, message) => {
  const { server, ask } = await bench()
  const type = status === 500 ? 'server_error' : 'invalid_request_error'
  server.on('thought', json(error(message, { type }), status), fake.value(thought))
  expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
})

it.each([
  '<scratchpad>secret</scratchpad>FINAL',
  '<inner_thoughts>secret</inner_thoughts>FINAL',
  '<internal_monologue>secret</internal_monologue>FINAL',
  '<antThinking>secret</antThinking>FINAL',
  '[REASONING]secret[/REASONING]FINAL',
  '<｜think｜>secret<｜/think｜>FINAL',
  '<unused94>thought\nsecret<unused95>FINAL',
  '```thinking\nsecret\n```\nFINAL',
  '<details type="reasoning">secret</details>FINAL',
  '<think>one</think><think>secret</think>FINAL',
])('takes thinking out: %s (C351, R42)', (text) => {
  expect(withoutThinking(text)).toBe('FINAL')
})

it.each([
  'Use <think> and </think> to wrap.',
  '**`</think>`** closes it.\nKeep.',
  'In XML:\n```xml\n<think>x</think>\n```\nDone.',
  '<thinker>FINAL</thinker>',
])('leaves words about thinking whole: %s (C351)', (text) => {
  expect(withoutThinking(text)).toBe(text)
})

it.each([
  '<longcat_tool_call>{"name":"todo"}',
  '<|python_tag|>{"name":"todo","parameters":{"input":"x"}}',
  'functools[{"name":"todo","arguments":{}}]',
  '{"tool_calls":[{"function":{"name":"todo","arguments":"{}"}}]}',
  '{"type":"function","function":{"name":"todo","arguments":"{}"}}',
  '<todo><input>add x</input></todo>',
  'Thought: it is due.\nAction: todo\nAction Input: add x',
  'I will add it now.\n<tool_call>\n{"name":"todo","arguments":{"input":"x"}}\n</tool_call>',
  '```tool_code\nprint(todo(input="x"))\n```',
])('takes no call that is written as words for a report: %s (C350)', (text) => {
  expect(readReply('act', inputs.act, { text, calls: [] })).toMatchObject({ ok: false })
})

it.each([
  'The page says: "<tool_call> is how Qwen calls". Nothing else.',
  'Call it with `todo(input="list")`.',
  '```python\ntodo(input="list")\n```\nis how the script does it.',
  'Here it is:\n```json\n{"name": "web", "parameters": {"port": 80}}\n```',
  '<b>All three are open.</b>',
])('takes words about calls for words: %s (C350)', (text) => {
  expect(readReply('act', inputs.act, { text, calls: [] })).toMatchObject({ ok: true })
})

it.each([
  [{ models: [{ name: 'llama3:latest', model: 'llama3:latest' }] }, 'llama3:latest'],
  [{ data: ['a-model', 'b'] }, 'a-model'],
  [
    {
      data: [
        { id: 'x', capabilities: { completion_chat: false } },
        { id: 'y', capabilities: { completion_chat: true } },
      ],
    },
    'y',
  ],
  [{ data: [{ id: 'jina-reranker-v2' }, { id: 'all-minilm' }, { id: 'qwen2.5' }] }, 'qwen2.5'],
  [{ data: [{ id: 'davinci-002' }, { id: 'tts-1' }, { id: 'gpt-4o-mini' }] }, 'gpt-4o-mini'],
  [{ data: [{ id: 'veo-3' }, { id: 'sora-2' }, { id: 'phi4' }] }, 'phi4'],
  [
    {
      data: [
        { id: 'x', task: 'text-to-image' },
        { id: 'z', task: 'text-generation' },
      ],
    },
    'z',
  ],
])('takes the first model that can chat, of %j (C354)', async (list, name) => {
  const server = await startOpenAi({ models: json(list) })
  expect(await firstModelOf(server.url, null)).toEqual({ name })
  await server.close()
})

describe('a Decision in which a tool is called at once, as endpoints let it that force nothing (C578)', () => {
  const calls = callable(inputs.act)
  const decide = async (...made: [string, unknown][]) => {
    const { server, ask } = await bench({ form: 'function' })
    const tool_calls = made.map(([name, given], at) => ({
      id: `c${at}`,
      function: { name, arguments: JSON.stringify(given) },
    }))
    server.on('decision', completion({ content: null, tool_calls }))
    return await ask('decision', undefined, { calls })
  }

  it('begins a task with these calls, whose goal is what was said', async () => {
    const answer = await decide(['todo', { input: 'add Milk' }], ['todo', { input: 'list' }])
    const input = { ...inputs.decision, calls }
    const read = answer.ok ? readReply('decision', input, answer.value) : null
    expect(read).toMatchObject({
      ok: true,
      reply: {
        decision: 'run',
        run: { type: 'agent_task', input: JSON.stringify({ goal: input.message }) },
        calls: [
          { tool: 'todo', input: 'add Milk' },
          { tool: 'todo', input: 'list' },
        ],
      },
    })
    // Where none are offered it is a run without a run.
    const bare = answer.ok ? readReply('decision', inputs.decision, answer.value) : null
    expect(bare).toMatchObject({ ok: false, problem: 'run needs a run' })
  })

  it('is refused where no such tool is offered', async () => {
    expect(await decide(['fly', {}])).toMatchObject({ ok: false, code: 'bad_reply' })
  })
})

const todo = (input: string) => JSON.stringify({ input })
const part = (call: object) => chunk({ tool_calls: [call] })
const made = (name: string, given: unknown) => ({ name, arguments: given })
const heard = async (reply: fake.Reply) => {
  const { server, model } = await bench({ form: 'function' })
  server.on('act', reply)
  const answer = await model.call('act', inputs.act, new AbortController().signal, () => {})
  const value = answer.ok ? answer.value : answer
  return { value, answer, requests: server.requests.length }
}
const both = {
  calls: [
    { tool: 'todo', input: 'list' },
    { tool: 'schedule', input: 'list' },
  ],
}
const list = { calls: [{ tool: 'todo', input: 'list' }] }

describe('calls of a stream are told apart (C992)', () => {
  const half = todo('list').slice(0, 5)
  const rest = todo('list').slice(5)
  it.each<[string, object[], object]>([
    [
      'by their names under one number and one id',
      [
        { index: 0, id: 'x', function: made('todo', todo('list')) },
        { index: 0, id: 'x', function: made('schedule', todo('list')) },
      ],
      both,
    ],
    [
      'by their ids without numbers',
      [
        { id: 'a', function: made('todo', half) },
        { id: 'b', function: made('schedule', half) },
        { id: 'a', function: { arguments: rest } },
        { id: 'b', function: { arguments: rest } },
      ],
      both,
    ],
    [
      'and one stays one whose number rises',
      [
        { index: 0, id: 'a', function: made('todo', half) },
        { index: 1, function: { arguments: rest } },
      ],
      list,
    ],
    [
      'and one stays one with other ids and null in between',
      [
        { index: 0, id: 'a', function: made('todo', null) },
        { index: 0, id: 'b', function: made('', half) },
        { index: 0, id: null, function: { name: null, arguments: null } },
        { index: 0, id: 'c', function: made('', rest) },
      ],
      list,
    ],
  ])('%s', async (_, calls, value) => {
    expect((await heard(stream(...calls.map(part), end, done))).value).toMatchObject(value)
  })
})

it.each<[string, object[], object]>([
  [
    'of another number',
    [{ choices: [{ ...chunk({ content: 'Hi' }, 'stop').choices[0], index: 1 }] }],
    { text: 'Hi' },
  ],
  [
    'beside all that was written so far',
    ['Hi ', 'there'].map((content, at) => ({
      choices: [{ index: 0, delta: { content }, message: { content: ['Hi ', 'Hi there'][at] } }],
    })),
    { text: 'Hi there' },
  ],
])('reads pieces %s (C992)', async (_, pieces, value) => {
  expect((await heard(stream(...pieces, end, done))).value).toMatchObject(value)
})

it('reads a failure that comes in place of a piece (C992)', async () => {
  const failure = { code: 'Throttling', message: 'Requests rate limit exceeded', request_id: 'x' }
  const { value } = await heard(stream(chunk({ content: 'Hi' }), failure))
  expect(value).toMatchObject({ ok: false, kind: 'rate_limited' })
})

it('says nothing on the console of an event that is no JSON, and asks in one piece (C992)', async () => {
  const said = vi.spyOn(console, 'error')
  onTestFinished(() => said.mockRestore())
  const { server, model } = await bench({ form: 'function' })
  server.on('act', stream('data: Number of choices must be greater than 0.'), fake.text('Done.'))
  const answer = await model.call('act', inputs.act, new AbortController().signal, () => {})
  expect(answer).toMatchObject({ ok: true, value: { text: 'Done.' } })
  expect(said).not.toHaveBeenCalled()
})

it('waits for no end of a stream that has said its reason (C992)', async () => {
  const web = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of [chunk({ content: 'Hi' }), end])
      response.write(`data: ${JSON.stringify(one)}\n\n`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void web.close().closeAllConnections())
  await new Promise((resolve) => web.once('listening', resolve))
  const baseURL = `http://127.0.0.1:${(web.address() as AddressInfo).port}/v1`
  const { model } = await bench({ form: 'function', baseURL })
  const answer = await model.call('act', inputs.act, new AbortController().signal, () => {})
  expect(answer).toMatchObject({ ok: true, value: { text: 'Hi' } })
})

describe('a whole answer is read as it was meant (C992)', () => {
  const call = { id: 'x', function: made('todo', todo('list')) }
  it.each<[string, object, object]>([
    ['calls as a JSON text', { tool_calls: JSON.stringify([call]) }, list],
    [
      'a function as a JSON text',
      { tool_calls: [{ function: JSON.stringify(call.function) }] },
      list,
    ],
    ['a custom call', { tool_calls: [{ custom: { name: 'todo', input: todo('list') } }] }, list],
    ['one call twice under one id', { tool_calls: [call, call] }, list],
    ['a name in other letters', { tool_calls: [{ function: made('Todo', todo('list')) }] }, list],
    [
      'several calls in one',
      {
        tool_calls: [
          {
            function: made('multi_tool_use.parallel', {
              tool_uses: ['todo', 'schedule'].map((name) => ({
                recipient_name: `functions.${name}`,
                parameters: { input: 'list' },
              })),
            }),
          },
        ],
      },
      both,
    ],
    ['words in an object', { content: [{ type: 'text', text: { value: 'Hi' } }] }, { text: 'Hi' }],
    [
      'words beside a thought',
      {
        content: [
          { type: 'text', text: 'secret', thought: true },
          { type: 'thought', text: 'secret' },
          { type: 'text', text: 'Hi' },
        ],
      },
      { text: 'Hi' },
    ],
  ])('with %s', async (_, message, value) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('act', completion(message))
    const answer = await ask('act')
    expect(answer).toMatchObject({ ok: true, value })
    const { calls = [] } = value as { calls?: object[] }
    expect(answer.ok && answer.value).toHaveProperty('calls.length', calls.length)
  })

  it.each([
    ['the object itself', { message: { content: thought } }],
    ['a message that is a text', { message: args }],
    ['a text in place of a message', { text: args }],
  ])('with %s', async (_, choice) => {
    const { server, ask } = await bench({ form: 'text' })
    server.on('thought', json({ choices: [{ ...choice, finish_reason: 'stop' }] }))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })
})

it.each([
  [{ input_tokens: 900, output_tokens: 9 }, undefined],
  [{ prompt_tokens: '900', completion_tokens: '9' }, undefined],
  [{ promptTokens: 900, completionTokens: 9 }, undefined],
  [{ prompt_tokens: 900, completion_tokens: 9, prompt_cache_hit_tokens: 800 }, 800],
  [{ prompt_tokens: 900, completion_tokens: 9, cached_tokens: 800 }, 800],
  [{ input_tokens: 900, output_tokens: 9, input_tokens_details: { cached_tokens: 800 } }, 800],
])('counts the tokens of %j (C992)', async (usage, cachedTokens) => {
  const { server, ask } = await bench({ form: 'function' })
  const counted = { promptTokens: 900, completionTokens: 9, cachedTokens }
  server.on('act', json({ usage, choices: [{ message: { content: 'Hi' } }] }))
  expect((await ask('act')).usage).toEqual(counted)
  const { answer } = await heard(stream(chunk({ content: 'Hi' }), { ...end, x_groq: { usage } }))
  expect(answer.usage).toEqual(counted)
})
