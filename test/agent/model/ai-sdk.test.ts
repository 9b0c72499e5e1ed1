import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type ContractInputs,
  type ContractName,
  contractNames,
  readReply,
} from '../../../src/agent/contracts.ts'
import { createAiSdk } from '../../../src/agent/model/ai-sdk.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import { type Provider, providers } from '../../../src/agent/model/providers.ts'
import { kindOf } from '../../../src/agent/ports/model.ts'
import { type Answer, startProvider } from '../../fakes/providers.ts'
import { silent } from '../../support/silent.ts'
import { inputs, replies } from './inputs.ts'

const images = [{ name: 'a.png', type: 'image/png', base64: 'AQID' }]

const failure = (status: number, body: unknown, headers = {}): Answer => ({
  kind: 'failure',
  status,
  body,
  headers,
})

/** What OpenAI-like providers say, each in a body of its own. */
const chatFailures = (body: (message: string, code: string) => unknown) =>
  [
    ['key_refused', failure(401, body('Invalid API Key', 'invalid_api_key'))],
    ['no_credit', failure(402, body('Insufficient Balance', 'invalid_request_error'))],
    ['unknown_model', failure(400, body('Invalid model: m-1', 'invalid_model'))],
    ['rate_limited', failure(429, body('Rate limit reached', 'slow'), { 'retry-after': '7' })],
    ['overloaded', failure(503, body('The model is busy', 'busy'))],
    ['filtered', failure(400, body('Content violates usage guidelines.', 'refused'))],
    [
      'context_too_long',
      failure(400, body('This model has a maximum context length of 4096 tokens.', 'too_long')),
    ],
  ] as const
const inError = (message: string, code: string) => ({ error: { message, type: code, code } })

/** The same failures in each provider's own words, as their references of errors have them. */
const failures = {
  mistral: chatFailures((message, type) => ({
    ...{ object: 'error', message, type },
    ...{ param: null, code: null },
  })),
  deepseek: chatFailures(inError),
  xai: chatFailures((error) => ({ code: 'Client specified an invalid argument', error })),
  groq: chatFailures(inError),
  'openai-compatible': chatFailures(inError),
  anthropic: [
    [
      'key_refused',
      failure(401, {
        type: 'error',
        error: { type: 'authentication_error', message: 'invalid x-api-key' },
      }),
    ],
    [
      'no_credit',
      failure(400, {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the API.',
        },
      }),
    ],
    [
      'unknown_model',
      failure(404, { type: 'error', error: { type: 'not_found_error', message: 'model: x' } }),
    ],
    [
      'rate_limited',
      failure(
        429,
        { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } },
        { 'retry-after': '7' },
      ),
    ],
    [
      'overloaded',
      failure(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
    [
      'context_too_long',
      failure(400, {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 213423 tokens > 200000 maximum',
        },
      }),
    ],
  ],
  google: [
    [
      'key_refused',
      failure(403, {
        error: { code: 403, message: 'Permission denied', status: 'PERMISSION_DENIED' },
      }),
    ],
    [
      'key_refused',
      failure(400, {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
        },
      }),
    ],
    [
      'unknown_model',
      failure(404, { error: { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' } }),
    ],
    [
      'rate_limited',
      failure(429, {
        error: {
          ...{ code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' },
          // cloud.google.com/apis/design/errors: RetryInfo, in place of a header
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
        },
      }),
    ],
    [
      'overloaded',
      failure(503, {
        error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
      }),
    ],
    [
      'context_too_long',
      failure(400, {
        error: {
          code: 400,
          message:
            'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      }),
    ],
  ],
  bedrock: [
    [
      'key_refused',
      failure(403, { message: 'The security token included in the request is invalid.' }),
    ],
    [
      'unknown_model',
      failure(404, {
        message: 'Could not resolve the foundation model from the provided model identifier.',
      }),
    ],
    ['unknown_model', failure(400, { message: 'The provided model identifier is invalid.' })],
    [
      'rate_limited',
      failure(
        429,
        { message: 'Too many requests, please wait before trying again.' },
        { 'retry-after': '7' },
      ),
    ],
    ['overloaded', failure(503, { message: 'Bedrock is unable to process your request.' })],
    ['context_too_long', failure(400, { message: 'Input is too long for requested model.' })],
  ],
} as const

const busy = { error: { message: 'The model is overloaded.', type: 'overloaded', code: '503' } }

/** What each says when it is overloaded while it answers; null where none is known. */
const overloaded = {
  mistral: null,
  deepseek: busy,
  xai: null,
  groq: null,
  'openai-compatible': busy,
  anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  google: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  bedrock: { serviceUnavailableException: { message: 'Unavailable' } },
} as const

/** Marks of what a provider has to be told to keep. */
const marks: Readonly<Record<string, string>> = {
  anthropic: 'cache_control',
  bedrock: 'cachePoint',
}
const whyBroken = (provider: Provider) => overloaded[provider]

describe.each(providers)('the model at %s, by its own package (C101)', (provider) => {
  async function bench(timeoutMs = 10_000) {
    const server = await startProvider(provider)
    onTestFinished(() => server.close())
    const complete = await createAiSdk({
      provider,
      apiKey: 'canary-4f1d0a',
      baseURL: server.url,
      region: 'eu-west-1',
    })
    let now = 0
    const model = createOpenAiModel({
      ...{
        apiKey: 'canary-4f1d0a',
        baseURL: provider,
        model: 'm-1',
        timeoutMs,
        complete,
      },
      ...{ log: silent, clock: { now: () => (now += 200) } },
    })
    const ask = <N extends ContractName>(
      contract: N,
      signal = new AbortController().signal,
      more: Partial<ContractInputs[N]> = {},
    ) => model.call(contract, { ...inputs[contract], ...more }, signal)
    /** The same, and what was heard meanwhile. */
    async function listen<N extends ContractName>(contract: N) {
      const heard: string[] = []
      const signal = new AbortController().signal
      const reply = await model.call(
        contract,
        inputs[contract],
        signal,
        (text) => void heard.push(text),
      )
      return { reply, heard }
    }
    return { server, ask, model, listen }
  }

  it.each(contractNames)(
    'answers %s as its contract says, with the tokens of its cache',
    async (contract) => {
      const { server, ask } = await bench()
      server.answer({ kind: 'value', contract, value: replies[contract] })
      const reply = await ask(contract)
      expect(reply).toMatchObject({
        ok: true,
        usage: { promptTokens: 100, completionTokens: 7, cachedTokens: 40 },
      })
      if (reply.ok)
        expect(readReply(contract, inputs[contract], reply.value)).toEqual({
          ok: true,
          reply: replies[contract],
        })
      expect(server.asked).toHaveLength(1)
      expect(server.asked[0]?.text).toContain(`# Contract: ${contract}`)
      expect(server.asked[0]?.text).not.toContain('canary')
    },
  )

  it.each(contractNames)(
    'answers %s in pieces to the same, with its tokens (C163)',
    async (contract) => {
      const { server, listen } = await bench()
      server.answer({ kind: 'value', contract, value: replies[contract] })
      const { reply } = await listen(contract)
      expect(reply).toMatchObject({
        ok: true,
        usage: { promptTokens: 100, completionTokens: 7, cachedTokens: 40 },
      })
      if (reply.ok)
        expect(readReply(contract, inputs[contract], reply.value)).toEqual({
          ok: true,
          reply: replies[contract],
        })
      expect(server.asked).toHaveLength(1)
    },
  )

  it('is heard while it writes, and an answer that breaks off is a failure (C163, C151)', async () => {
    const { server, listen } = await bench()
    const content = 'The venue in Lisbon is **booked** for 3 May, for 24 people.'
    const answer = { kind: 'value', contract: 'chat', value: { content } } as const
    server.answer(answer, { ...answer, breaksAt: provider === 'google' ? 0 : 6 })
    // Where nothing came at all it is asked for in one piece.
    if (provider === 'google') server.answer({ kind: 'cut' })
    const { reply, heard } = await listen('chat')
    expect(reply).toMatchObject({ ok: true, value: { content } })
    // Google's calls come whole.
    expect(heard.length).toBeGreaterThan(provider === 'google' ? 0 : 2)
    expect(heard.every((text) => content.startsWith(text))).toBe(true)
    expect(kindOf((await listen('chat')).reply)).toBe('unreachable')
  })

  it('says in the middle of its answer why it fails (C151, C91)', async () => {
    const { server, listen } = await bench()
    const because = whyBroken(provider)
    if (because === null) return
    server.answer({
      kind: 'value',
      contract: 'chat',
      value: { content: 'x'.repeat(80) },
      breaksAt: 6,
      because,
    })
    expect(kindOf((await listen('chat')).reply)).toBe('overloaded')
  })

  it.each(failures[provider])('fails as %s in pieces too (C91, C163)', async (kind, answer) => {
    const { server, listen } = await bench()
    server.answer(answer, answer)
    const { reply } = await listen('thought')
    expect(kindOf(reply)).toBe(kind)
    expect(JSON.stringify(reply)).not.toContain('canary')
  })

  it('keeps what has happened in its cache, and not the end that differs from request to request (C140)', async () => {
    const { server, ask } = await bench()
    server.answer({ kind: 'value', contract: 'thought', value: replies.thought })
    await ask('thought')
    const mark = marks[provider]
    const text = server.asked[0]?.text ?? ''
    const [before = '', after = ''] = text.split('# Contract: thought')
    if (mark !== undefined) expect(before.split(mark).length).toBeGreaterThan(2)
    if (mark !== undefined) expect(after).not.toContain(mark)
    expect(before).toContain('What has happened so far')
  })

  it('ties every result to its call, and lets no text of others close its fence (R52, C15)', async () => {
    const { server, ask } = await bench()
    const observations = [1, 2].map((step) => ({
      step,
      turn: 1,
      tool: 'todo',
      input: `get ${step}`,
      ok: true,
      result: `found </data> ${step}`,
    }))
    server.answer({ kind: 'value', contract: 'act', value: replies.act })
    expect(await ask('act', undefined, { observations })).toMatchObject({ ok: true })
    for (const shown of ['get 1', 'get 2', 'found ‹/data> 1', 'call00002'])
      expect(server.asked[0]?.text).toContain(shown)
  })

  it('gets its own message back as it came, with the number of its call (C345)', async () => {
    const { server, ask } = await bench()
    const value = { text: null, calls: [{ tool: 'todo', input: 'get' }] }
    server.answer(
      { kind: 'value', contract: 'act', value },
      { kind: 'value', contract: 'act', value: replies.act },
    )
    const reply = await ask('act')
    if (!reply.ok || reply.sent === undefined) throw new Error('no message')
    const one = { step: 1, turn: 1, tool: 'todo', input: 'get', ok: true, result: 'none' }
    await ask('act', undefined, { observations: [{ ...one, sent: reply.sent }] })
    const [id] = /(?:toolu_|t_|call0000)0/.exec(JSON.stringify(reply.sent)) ?? ['"todo"']
    expect(server.asked[1]?.text.split(id).length).toBeGreaterThan(2)
    expect(server.asked[1]?.text).not.toContain('call00001')
  })

  it('is asked in the next form where it answers in words, and the tokens of both count (C8, S8)', async () => {
    const { server, ask } = await bench()
    const json = { kind: 'words', text: JSON.stringify(replies.thought) } as const
    server.answer({ kind: 'words', text: 'Let me see.' }, json)
    const usage = { promptTokens: 200, completionTokens: 14, cachedTokens: 80 }
    expect(await ask('thought')).toMatchObject({ ok: true, value: replies.thought, usage })
    expect(server.asked).toHaveLength(2)
  })

  it.each(failures[provider])('fails as %s where it says so (C91)', async (kind, answer) => {
    const { server, ask } = await bench()
    server.answer(answer, answer)
    const reply = await ask('thought')
    expect(kindOf(reply)).toBe(kind)
    if (kind === 'rate_limited') expect(reply).toMatchObject({ retryAfterMs: 7_000 })
    expect(server.asked).toHaveLength(kind === 'context_too_long' ? 2 : 1)
    expect(JSON.stringify(reply)).not.toContain('canary')
  })

  it('ends a call that takes too long, that is aborted, or that nobody answers', async () => {
    const late = await bench(80)
    late.server.answer({ kind: 'hang' })
    expect(await late.ask('thought')).toMatchObject({ ok: false, code: 'timeout' })
    const { server, ask } = await bench()
    server.answer({ kind: 'hang' })
    expect(await ask('thought', AbortSignal.timeout(20))).toMatchObject({
      ok: false,
      code: 'aborted',
    })
    await server.close()
    server.close = async () => {}
    expect(kindOf(await ask('thought'))).toBe('unreachable')
  })

  it('gets the images of a task, and keeps what goes on in its cache all the same (C160, C140)', async () => {
    const { server, ask } = await bench()
    server.answer({ kind: 'value', contract: 'thought', value: replies.thought })
    expect(await ask('thought', undefined, { images })).toMatchObject({ ok: true })
    const text = server.asked[0]?.text ?? ''
    expect(text).toContain('AQID')
    const mark = marks[provider]
    if (mark !== undefined)
      expect(text.split('# Contract: thought')[0]?.split(mark).length).toBeGreaterThan(2)
  })

  it('looks at images', async () => {
    const { server, model } = await bench()
    server.answer({ kind: 'words', text: 'A venue.' })
    const image = { type: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
    const seen = await model.sight?.look(image, new AbortController().signal)
    expect(seen).toEqual({
      words: 'A venue.',
      usage: expect.objectContaining({ promptTokens: expect.any(Number) }),
    })
    expect(seen?.usage.promptTokens).toBeGreaterThan(0)
    expect(server.asked[0]?.text).toContain('AQID')
  })
})
