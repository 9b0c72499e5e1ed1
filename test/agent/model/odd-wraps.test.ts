import { describe, expect, it } from 'vitest'
import { withoutThinking } from '../../../src/agent/domain/thinking.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { inputs, replies } from './inputs.ts'
import { bench } from './support.ts'

/* What endpoints, gateways and templates put around an answer: bodies within bodies, marks in other signs, fields beside the call. */

const { thought } = replies
const args = JSON.stringify(thought)
const call = { function: { name: 'thought', arguments: args } }
const choice = (message: object) => ({
  finish_reason: 'stop',
  message: { content: null, ...message },
})
const usage = { prompt_tokens: 900, completion_tokens: 9 }
const body = { choices: [choice({ tool_calls: [call] })], usage }
const raw = (held: unknown, type = 'application/json') =>
  fake.raw(typeof held === 'string' ? held : JSON.stringify(held), {
    headers: { 'content-type': type },
  })
const event = (held: unknown) => `data: ${JSON.stringify(held)}\n\n`
const piece = {
  choices: [{ delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: 'stop' }],
}

describe('a completion is found wherever it stands (C485)', () => {
  it.each([
    ['under data', { data: body }],
    ['under data, megabytes of it', { data: { ...body, echo: 'x'.repeat(3_000_000) } }],
    ['beside a code and a message', { code: 0, message: 'success', data: body }],
    ['beside no errors', { success: true, errors: [], messages: [], result: body }],
    ['as the text of a body', { statusCode: 200, body: JSON.stringify(body) }],
    ['with its tokens outside', { output: { choices: body.choices }, usage, request_id: 'x' }],
    ['two levels down', { data: { response: body } }],
    ['in a list', [body]],
    ['as JSON of its JSON', JSON.stringify(JSON.stringify(body))],
    ['beside an error that says nothing', { ...body, error: { message: '' } }],
    ['with one choice and no list', { choices: body.choices[0], usage }],
    ['behind a choice that is null', { choices: [null, ...body.choices], usage }],
    ['as a delta', { choices: [{ delta: { tool_calls: [call] } }], usage }],
  ])('%s', async (_, held) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', raw(held))
    const counted = { promptTokens: 900, completionTokens: 9 }
    expect(await ask('thought')).toEqual({ ok: true, value: thought, usage: counted })
  })

  it.each([
    ['that says why it failed', { code: 500, message: 'busy', data: null }],
    ['whose error quotes one', { error: { message: 'Upstream', metadata: { raw: body } } }],
    ['beside an error of its own', { error: { code: 503, message: 'Upstream' }, data: body }],
  ])('and not in a body %s', async (_, held) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', raw(held))
    expect(await ask('thought')).toMatchObject({ ok: false, kind: 'overloaded' })
  })

  it.each([
    ['of a stream that nobody asked for', event(piece), false],
    ['of a stream whose pieces are wrapped', event({ data: piece }), true],
    ['of a stream that is a whole answer', event(body), true],
  ])('in the pieces %s', async (_, held, isHeard) => {
    const { server, model } = await bench({ form: 'function' })
    server.on('thought', raw(held, 'text/event-stream'))
    const { signal } = new AbortController()
    const heard = isHeard ? () => {} : undefined
    expect(await model.call('thought', inputs.thought, signal, heard)).toMatchObject({
      ok: true,
      value: thought,
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a call is read wherever it stands (C347)', () => {
  it.each([
    ['its arguments under "parameters"', { function: { name: 'thought', parameters: thought } }],
    ['its arguments under "args"', { function: { name: 'thought', args } }],
    ['a name and "input" of its own', { id: 'x', name: 'thought', input: thought }],
    ['an empty call in front', { function: { name: 'thought', arguments: '{}' } }, call],
    ['a call without a name', call, { function: { name: '', arguments: '' } }],
    ['itself again, spaced', call, { function: { name: 'thought', arguments: thought } }],
  ])('with %s', async (_, ...tool_calls) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', raw({ choices: [choice({ tool_calls })], usage }))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it('among the parts of the content', async () => {
    const { server, ask } = await bench({ form: 'function' })
    const content = [
      { type: 'text', text: 'I go on.' },
      { type: 'tool_use', id: 'x', name: 'thought', input: thought },
    ]
    server.on('thought', raw({ choices: [choice({ content })], usage }))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it.each([
    '<thought>',
    '[thought]',
    'functions->thought',
    'thought</tool_call>',
    'function=thought',
  ])('by a name in %s', async (name) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on('thought', raw({ choices: [choice({ tool_calls: [{ name, input: args }] })], usage }))
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it.each([
    ['under "input"', JSON.stringify({ input: thought })],
    ['as text in an object', JSON.stringify({ parameters: args })],
    ['beside the name', JSON.stringify({ name: 'thought', arguments: thought })],
    ['with a brace too many', `${args}}`],
    ['with marks that are escaped', args.replaceAll('"', '\\"')],
    ['with undefined', args.replaceAll('null', 'undefined')],
  ])('by arguments %s', async (_, given) => {
    const { server, ask } = await bench({ form: 'function' })
    server.on(
      'thought',
      raw({ choices: [choice({ tool_calls: [{ name: 'thought', args: given }] })], usage }),
    )
    expect(await ask('thought')).toMatchObject({ ok: true, value: thought })
  })

  it('and not where two of them differ', async () => {
    const { server, ask } = await bench({ form: 'function' })
    const other = {
      function: { name: 'thought', arguments: JSON.stringify({ ...thought, status: 'done' }) },
    }
    server.on('thought', raw({ choices: [choice({ tool_calls: [call, other] })], usage }))
    expect(await ask('thought')).toMatchObject({ ok: false, code: 'bad_reply' })
  })
})

it.each([
  '&lt;think&gt;secret&lt;/think&gt;FINAL',
  '&#60;thinking&#62;\nsecret\n&#60;/thinking&#62;\n\nFINAL',
  'secret\n&lt;/think&gt;\nFINAL',
  '\\u003cthink\\u003esecret\\u003c/think\\u003eFINAL',
  '＜think＞secret＜/think＞FINAL',
  '【思考】secret【/思考】FINAL',
  '< think >secret</ think >FINAL',
  '\u200b<think>secret</think>FINAL',
  '<thinking_process>secret</thinking_process>FINAL',
  '<mm:think>secret</mm:think>FINAL',
  '<|begin_of_thought|>secret<|end_of_thought|><|begin_of_solution|>FINAL<|end_of_solution|>',
  '<|START_THINKING|>secret<|END_THINKING|><|START_RESPONSE|>FINAL<|END_RESPONSE|>',
  '<think>secret</think><answer>FINAL</answer>',
  '<details><summary>Thought for 3 seconds</summary>secret</details>\nFINAL',
])('takes thinking out in the signs of other writers: %s (C351, R42)', (text) => {
  expect(withoutThinking(text)).toBe('FINAL')
})

it.each([
  '&lt;think&gt;secret&lt;/think&gt;FINAL',
  '【思考】secret【/思考】FINAL',
  '<think>secret</think><answer>FINAL</answer>',
])('takes it out of one text of a reply: %s (C351, R42)', (text) => {
  expect(withoutThinking(text, false)).toBe('FINAL')
})

it.each([
  'Write &lt;think&gt; and &lt;/think&gt; around it.',
  '<answer>42</answer> is what the form wants.',
  '【分析】三个地点都开着。',
  '<details><summary>Costs</summary>42</details>',
])('leaves words about such signs whole: %s (C351)', (text) => {
  expect(withoutThinking(text)).toBe(text)
})
