import { afterEach, describe, expect, it } from 'vitest'
import { delayed, held, text, value } from './replies.ts'
import { type FakeOpenAi, type FakeOpenAiOptions, startOpenAi } from './server.ts'

let server: FakeOpenAi | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function start(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  server = await startOpenAi(options)
  return server
}

const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const tool = (parameters: unknown = schema, name = 'chat') => ({
  type: 'function',
  function: { name, strict: true, parameters },
})
const good = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [tool()],
  tool_choice: { type: 'function', function: { name: 'chat' } },
}
const call = { id: 'c1', type: 'function', function: { name: 'chat', arguments: '{}' } }
const called = { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'c2' }] }
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' })

interface Answer {
  status: number
  json: {
    error?: { message: string; param: string | null }
    choices?: { message: { content: string | null } }[]
  }
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${server?.url}/chat/completions`, {
    method: 'POST',
    body: sent,
    headers,
  })
  return { status: response.status, json: (await response.json()) as Answer['json'] }
}

describe('the scripted endpoint', () => {
  it.each([
    ['tool_choice without tools (C14, I9)', { ...good, tools: undefined }, 'tool_choice'],
    [
      'tool_choice "none" without tools (C14, I9)',
      { ...good, tools: undefined, tool_choice: 'none' },
      'tool_choice',
    ],
    ['an empty list of tools', { ...good, tools: [] }, 'tools'],
    [
      'parallel_tool_calls without tools',
      { ...good, tools: undefined, tool_choice: undefined, parallel_tool_calls: false },
      'parallel_tool_calls',
    ],
    [
      'a forced function that is not offered',
      { ...good, tool_choice: { type: 'function', function: { name: 'plan' } } },
      'tool_choice',
    ],
    [
      'a function name with a blank',
      { ...good, tools: [tool(schema, 'a b')] },
      'tools.0.function.name',
    ],
    [
      'a strict schema with an optional key',
      { ...good, tools: [tool({ ...schema, required: [] })] },
      'tools[0].function.parameters',
    ],
    [
      'a strict schema that is open',
      { ...good, tools: [tool({ ...schema, additionalProperties: undefined })] },
      'tools[0].function.parameters',
    ],
    [
      'required within a property (C16)',
      {
        ...good,
        tools: [tool({ ...schema, properties: { a: { type: 'string', required: true } } })],
      },
      null,
    ],
    [
      'calls that nobody answered (C15)',
      { ...good, messages: [...good.messages, called] },
      'messages.[2].role',
    ],
    [
      'calls of which one is answered (C15)',
      { ...good, messages: [...good.messages, called, result('c1'), ...good.messages] },
      'messages.[3].role',
    ],
    [
      'an answer to no call (C15)',
      { ...good, messages: [...good.messages, result('c9')] },
      'messages.[1].role',
    ],
    [
      'json_object without the word',
      { model: 'm', messages: good.messages, response_format: { type: 'json_object' } },
      'messages',
    ],
    ['a field that it does not know', { ...good, seed_of_doubt: 1 }, null],
    ['a field of another type', { ...good, temperature: 'warm' }, 'temperature'],
    ['no messages', { ...good, messages: [] }, 'messages'],
    ['no model', { ...good, model: undefined }, 'model'],
    ['half of a surrogate pair', { ...good, model: '\ud83d' }, null],
    ['a body that is not JSON', '{"model":', null],
  ])('refuses %s, and is then not done', async (_, body, param) => {
    const fake = await start()
    const { status, json } = await post(body)
    expect(status).toBe(400)
    if (param !== null) expect(json.error?.param).toBe(param)
    expect(fake.requests).toEqual([])
    expect(() => fake.assertDone()).toThrow(/refused: 400/)
  })

  it('accepts calls that are all answered (C15)', async () => {
    const fake = await start()
    fake.on('chat', value({ content: 'Hi' }))
    const messages = [...good.messages, called, result('c2'), result('c1')]
    expect((await post({ ...good, messages })).status).toBe(200)
    fake.assertDone()
  })

  it('lets in only its key', async () => {
    const fake = await start({ apiKey: 'k' })
    fake.on('chat', text('Hi'))
    expect((await post(good, { authorization: 'Bearer other' })).status).toBe(401)
    expect((await post(good, { authorization: 'Bearer k' })).status).toBe(200)
  })

  it('plays a script by contract, then asks the function, then complains', async () => {
    const fake = await start()
    fake.on('chat', text('one'), ({ number }) => text(`two is ${number}`))
    const words = async () => (await post(good)).json.choices?.[0]?.message.content
    expect([await words(), await words()]).toEqual(['one', 'two is 2'])
    fake.assertDone()
    expect((await post(good)).status).toBe(500)
    expect(() => fake.assertDone()).toThrow('no reply for request 3 (chat)')
    fake.answer(({ prompt }) => text(prompt))
    expect(await words()).toBe('Hi')
  })

  it('is not done while replies are left', async () => {
    const fake = await start()
    fake.on('plan', text('never'))
    expect(() => fake.assertDone()).toThrow('1 unused reply to plan')
  })

  it('holds a reply back until it is told', async () => {
    const fake = await start()
    const reply = held(delayed(1, text('at last')))
    fake.on('chat', reply)
    let answered = false
    const answer = post(good).then((got) => {
      answered = true
      return got
    })
    await fake.received(1)
    expect(answered).toBe(false)
    reply.release()
    expect((await answer).json.choices?.[0]?.message.content).toBe('at last')
  })
})
