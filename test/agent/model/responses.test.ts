import { expect, it } from 'vitest'
import { contractNames } from '../../../src/agent/contracts.ts'
import { kindOf } from '../../../src/agent/ports/model.ts'
import { providerErrors } from '../../fakes/openai/provider-errors.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { replies } from './inputs.ts'
import { bench, sentBy } from './support.ts'

const api = 'responses' as const

it.each(contractNames)(
  '%s comes back by the Responses API as its contract says (C135)',
  async (contract) => {
    const { server, ask } = await bench({ api })
    server.on(
      contract,
      fake.value(replies[contract], { usage: { prompt: 100, completion: 7, cached: 40 } }),
    )
    const usage = { promptTokens: 100, completionTokens: 7, cachedTokens: 40 }
    const sent = contract === 'act' && { sent: sentBy(server, api) }
    expect(await ask(contract)).toEqual({ ok: true, value: replies[contract], usage, ...sent })
    server.assertDone()
  },
)

it.each(providerErrors)(
  'tells %s apart by the Responses API: %s (C91, C135)',
  async (kind, _, reply) => {
    const { server, ask } = await bench({ api, form: 'function' })
    const requests = kind === 'context_too_long' ? [reply, reply] : [reply]
    server.on('thought', ...requests)
    expect(kindOf(await ask('thought'))).toBe(kind)
    expect(server.requests).toHaveLength(requests.length)
  },
)

it.each([
  ['rate_limited', 'rate_limit_exceeded'],
  ['overloaded', 'server_error'],
  ['filtered', 'bio_policy'],
  ['reply_unusable', 'invalid_prompt'],
] as const)(
  'tells %s apart that comes under 200, as a response that failed: %s (C91, C135)',
  async (kind, code) => {
    const { server, ask } = await bench({ api, form: 'function' })
    const failed = {
      id: 'r',
      object: 'response',
      created_at: 0,
      model: 'm',
      status: 'failed',
      output: [],
      error: { code, message: 'no' },
    }
    server.on('thought', fake.raw(JSON.stringify(failed)))
    expect(kindOf(await ask('thought'))).toBe(kind)
  },
)

it('finds the form that the endpoint can do by the Responses API too, and keeps it apart from the other way in (C99)', async () => {
  const { server, ask, log } = await bench({ api }, { functions: 'refused' })
  server.on('thought', fake.value(replies.thought), fake.value(replies.thought))
  expect(await ask('thought')).toMatchObject({ ok: true })
  expect(await ask('thought')).toMatchObject({ ok: true })
  expect(server.requests.map(({ form }) => form)).toEqual(['schema', 'schema'])
  expect(log.some(({ fields }) => JSON.stringify(fields).includes('/responses'))).toBe(true)
})

it('asks for as much thinking as is set, and names the requests of one task alike (C135)', async () => {
  const asked: { prompt_cache_key: string; reasoning: unknown }[] = []
  const seeing: typeof fetch = (url, init) => {
    asked.push(JSON.parse(String(init?.body)))
    return fetch(url, init)
  }
  const { server, ask } = await bench({ api, effort: 'low', fetch: seeing })
  server.on(
    'thought',
    fake.value(replies.thought),
    fake.value(replies.thought),
    fake.value(replies.thought),
  )
  await ask('thought')
  await ask('thought', undefined, { stepCount: 9 })
  await ask('thought', undefined, { goal: 'Something else entirely' })
  expect(asked.map(({ reasoning }) => reasoning)).toEqual(Array(3).fill({ effort: 'low' }))
  const [one, same, other] = asked.map(({ prompt_cache_key: key }) => key)
  expect([one === same, one === other]).toEqual([true, false])
})

it('sends thoughts back sealed as they came, before their call (C345, C135)', async () => {
  const asked: { input: { type?: string; encrypted_content?: string; call_id?: string }[] }[] = []
  const seeing: typeof fetch = (url, init) => {
    asked.push(JSON.parse(String(init?.body)))
    return fetch(url, init)
  }
  const { server, ask } = await bench({ api, model: 'gpt-5', fetch: seeing })
  const call = { text: null, calls: [{ tool: 'todo', input: 'list' }] }
  server.on('act', fake.value(call), fake.text('Done.'))
  const reply = await ask('act')
  const sent = reply.ok ? reply.sent : undefined
  const one = { step: 1, turn: 1, tool: 'todo', input: 'list', ok: true, result: 'none', sent }
  expect(await ask('act', undefined, { observations: [one] })).toMatchObject({ ok: true })
  const back = asked[1]?.input.filter(({ type }) => type !== undefined)
  expect(back).toMatchObject([
    { type: 'reasoning', encrypted_content: 'SEALED' },
    { type: 'function_call', call_id: 'call_1_0' },
    { type: 'function_call_output', call_id: 'call_1_0' },
  ])
})

it('takes the images of a task by the Responses API (C160)', async () => {
  const { server, ask } = await bench({ api })
  server.on('thought', fake.value(replies.thought))
  const images = [{ name: 'a.png', type: 'image/png', base64: 'AQID' }]
  expect(await ask('thought', undefined, { images })).toMatchObject({ ok: true })
  expect(JSON.stringify(server.requests[0]?.body)).toContain('data:image/png;base64,AQID')
})
