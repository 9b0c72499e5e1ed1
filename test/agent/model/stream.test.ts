import fc from 'fast-check'
import { APIConnectionTimeoutError } from 'openai'
import { describe, expect, it } from 'vitest'
import { type ContractName, contractNames } from '../../../src/agent/contracts.ts'
import { draftIn } from '../../../src/agent/model/draft.ts'
import { styleOf } from '../../../src/agent/model/forms.ts'
import { partialObject } from '../../../src/agent/model/json-text.ts'
import { inTime } from '../../../src/agent/model/stream.ts'
import * as fake from '../../fakes/openai/replies.ts'
import type { FakeOpenAiOptions } from '../../fakes/openai/server.ts'
import { anyText } from '../../support/any-text.ts'
import { inputs, replies } from './inputs.ts'
import { bench, sentBy } from './support.ts'

const long =
  'The venue in Lisbon is **booked** for 3 May 🎉, for 24 people.\n\n- 2 rooms\n- “lunch” \\ included'
const reply = {
  decision: 'reply',
  reply: { content: long },
  run: null,
  runs: null,
  confidence: 0.9,
  reason: 'r',
}

/** A bench whose clock goes on at every look, so that every piece is looked at. */
async function listening(
  options: Parameters<typeof bench>[0] = {},
  endpoint: FakeOpenAiOptions = {},
) {
  let now = Date.parse('2026-05-01T08:00:00Z')
  const made = await bench({ clock: { now: () => (now += 200) }, ...options }, endpoint)
  const heard: string[] = []
  const hear = <N extends ContractName>(contract: N) =>
    made.model.call(
      contract,
      inputs[contract],
      new AbortController().signal,
      (text) => void heard.push(text),
    )
  const streams = () => made.server.requests.map(({ body }) => body.stream === true)
  return { ...made, heard, hear, streams }
}

const forms = ['function', 'schema', 'plain_function', 'json', 'text'] as const

describe('an answer that is heard while it is written', () => {
  it.each(contractNames)(
    'of %s comes to the same as one in one piece, in every form (C150, C8)',
    async (contract) => {
      for (const form of styleOf(contract) === 'plain' ? (['text'] as const) : forms) {
        const { server, hear } = await listening({ form })
        server.on(contract, fake.value(replies[contract]))
        const usage = { promptTokens: expect.any(Number), completionTokens: expect.any(Number) }
        const answer = await hear(contract)
        const isCalled = contract === 'act' && form.endsWith('function')
        const sent = isCalled && { sent: sentBy(server) }
        expect(answer).toEqual({ ok: true, value: replies[contract], usage, ...sent })
        expect(answer.usage.promptTokens).toBeGreaterThan(0)
        expect(server.requests).toHaveLength(1)
        server.assertDone()
      }
    },
  )

  it.each([
    ['decision', reply],
    ['decision', { ...reply, decision: 'reply_and_run', run: replies.decision.run }],
    ['chat', { content: long }],
    ['replan', { status: 'done', plan: [], response: long }],
    [
      'think',
      {
        internal_analysis: 'secret',
        task_completed: true,
        user_summary: long,
        next_steps_preview: null,
      },
    ],
    ['mission_report', { report: long }],
  ] as const)(
    'shows the text for people of %s as it grows, and nothing else (C150, R42)',
    async (contract, value) => {
      for (const form of forms) {
        const { server, hear, heard } = await listening({ form })
        server.on(contract, fake.value(value))
        expect(await hear(contract)).toMatchObject({ ok: true, value })
        expect(heard.length).toBeGreaterThan(4)
        for (const [at, text] of heard.entries()) {
          expect(long.startsWith(text)).toBe(true)
          expect(text.length).toBeGreaterThan(heard[at - 1]?.length ?? 0)
        }
        server.assertDone()
      }
    },
  )

  it.each([
    ['decision', replies.decision],
    // The outcome comes last, so it is known last.
    [
      'decision',
      {
        reply: { content: long },
        run: null,
        runs: null,
        confidence: 1,
        reason: 'r',
        decision: 'run',
      },
    ],
    ['overheard', { ...reply, decision: 'reply' }],
    ['replan', { status: 'replanned', plan: ['Book it'], response: long }],
    [
      'think',
      {
        internal_analysis: long,
        task_completed: false,
        user_summary: long,
        next_steps_preview: 'x',
      },
    ],
    ['thought', { ...replies.thought, status: 'done', next_action: null, response: long }],
    ['act', { text: long, calls: [] }],
    ['summary', { content: long }],
  ] as const)(
    'shows nothing of %s where it may not be what people will read (C150, R42)',
    async (contract, value) => {
      const { server, hear, heard } = await listening()
      server.on(contract, fake.value(value))
      await hear(contract)
      expect(heard).toEqual([])
    },
  )

  it('shows no thinking, wherever a model puts it (C150, R42)', () => {
    const json = JSON.stringify({
      status: 'done',
      plan: [],
      response: '<think>hm, secret</think>All is booked.',
    })
    const parts = (content: string) =>
      Array.from({ length: content.length }, (_, end) => ({
        content: content.slice(0, end + 1),
        calls: [],
      }))
    for (const content of [
      json,
      `<think>secret {"a": 1}</think>${json}`,
      `\`\`\`json\n${json}\n\`\`\``,
      `secret</think>${json}`,
    ]) {
      const shown = parts(content).map((part) => draftIn('replan', 'text', part))
      expect(shown.filter((text) => text?.includes('secret') || text?.includes('think'))).toEqual(
        [],
      )
      expect(shown.at(-1)).toBe('All is booked.')
    }
    const args = parts(json).map(({ content }) => ({
      content: 'secret',
      calls: [{ name: 'replan', arguments: content }],
    }))
    expect(args.map((part) => draftIn('replan', 'function', part)).join()).not.toContain('secret')
  })

  it('that breaks off is a failure like any other, and the next request is whole again (C151, C91)', async () => {
    const { server, hear, heard, streams } = await listening()
    server.on('decision', fake.inPieces(fake.value(reply), undefined, 9), fake.value(reply))
    expect(await hear('decision')).toMatchObject({
      ok: false,
      code: 'unavailable',
      kind: 'unreachable',
    })
    expect(heard.at(-1)).toMatch(/^The venue/)
    expect(await hear('decision')).toMatchObject({ ok: true, value: reply })
    expect(streams()).toEqual([true, true])
  })

  it.each(contractNames)(
    'of %s by the Responses API comes to the same as one in one piece (C163, C8)',
    async (contract) => {
      const { server, hear } = await listening({ api: 'responses' })
      server.on(
        contract,
        fake.value(replies[contract], { usage: { prompt: 100, completion: 7, cached: 40 } }),
      )
      const usage = { promptTokens: 100, completionTokens: 7, cachedTokens: 40 }
      const sent = contract === 'act' && { sent: sentBy(server, 'responses') }
      expect(await hear(contract)).toEqual({ ok: true, value: replies[contract], usage, ...sent })
      expect(server.requests).toHaveLength(1)
      server.assertDone()
    },
  )

  it.each(['function', 'text'] as const)(
    'by the Responses API shows its text as it grows, and fails where it breaks off: %s (C163, C151, R42)',
    async (form) => {
      const { server, hear, heard } = await listening({ api: 'responses', form })
      server.on('decision', fake.value(reply), fake.inPieces(fake.value(reply), undefined, 12))
      expect(await hear('decision')).toMatchObject({ ok: true, value: reply })
      expect(heard.length).toBeGreaterThan(4)
      expect(heard.every((text) => long.startsWith(text))).toBe(true)
      expect(await hear('decision')).toMatchObject({
        ok: false,
        code: 'unavailable',
        kind: 'unreachable',
      })
      const failed = {
        status: 'failed',
        output: [],
        error: { code: 'rate_limit_exceeded', message: 'slow' },
      }
      const events = [
        {
          type: 'error',
          sequence_number: 2,
          error: { type: 'server_error', code: 'server_error', message: 'no' },
        },
        { type: 'response.failed', sequence_number: 2, response: failed },
      ]
      for (const event of events)
        server.on(
          'decision',
          fake.raw(`data: ${JSON.stringify(event)}\n\n`, {
            headers: { 'content-type': 'text/event-stream' },
          }),
        )
      expect(await hear('decision')).toMatchObject({ ok: false, kind: 'overloaded' })
      expect(await hear('decision')).toMatchObject({ ok: false, kind: 'rate_limited' })
      // An endpoint that answers at once is asked for one piece.
      const usage = { input_tokens: 9, output_tokens: 0 }
      const whole = fake.raw(JSON.stringify({ status: 'completed', output: [], usage }))
      server.on('decision', whole, whole)
      expect(await hear('decision')).toMatchObject({ ok: false, code: 'bad_reply' })
    },
  )

  it('lets others in between however much of it is there at once (S11)', async () => {
    const { server, hear } = await listening()
    const content = 'a word and '.repeat(2_000)
    server.on('chat', fake.value({ content }))
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    expect(await hear('chat')).toMatchObject({ ok: true, value: { content } })
    isDone = true
    expect(turns).toBeGreaterThan(50)
  })

  it('that stops without an end is late, and one that is called off is aborted (C151, C91)', async () => {
    const stands = fake.inPieces(fake.value(reply), (piece) =>
      piece === 6 ? new Promise(() => undefined) : Promise.resolve(),
    )
    const late = await listening({ timeoutMs: 300 })
    late.server.on('decision', stands)
    expect(await late.hear('decision')).toMatchObject({
      ok: false,
      code: 'timeout',
      kind: 'timed_out',
    })
    const { server, model } = await listening()
    server.on('decision', stands)
    const stop = new AbortController()
    expect(
      await model.call('decision', inputs.decision, stop.signal, () => stop.abort()),
    ).toMatchObject({
      code: 'aborted',
    })
  })

  it('holds on to nothing of a request that is answered in time (C91)', async () => {
    const { signal } = new AbortController()
    const request = { timeout: 20, signal }
    const answered = await inTime(request, async (stop) => stop)
    const late = inTime(
      request,
      (stop) => new Promise((_, reject) => stop.addEventListener('abort', reject)),
    )
    await expect(late).rejects.toThrow(APIConnectionTimeoutError)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(answered.aborted).toBe(false)
  })

  it('says in its middle why it fails (C151, C91)', async () => {
    const { server, hear } = await listening()
    const error = {
      error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' },
    }
    const headers = { 'content-type': 'text/event-stream' }
    server.on(
      'decision',
      fake.raw(
        `data: {"choices":[{"delta":{"content":"x"}}]}\n\ndata: ${JSON.stringify(error)}\n\n`,
        { headers },
      ),
    )
    expect(await hear('decision')).toMatchObject({
      ok: false,
      code: 'unavailable',
      kind: 'rate_limited',
    })
  })

  it('is asked for in one piece of an endpoint that refuses streams, from then on (C151)', async () => {
    const { server, hear, heard, streams } = await listening()
    server.on(
      'decision',
      fake.httpError(400, {
        message: 'Unknown parameter: stream_options',
        param: 'stream_options',
      }),
    )
    server.on('decision', fake.value(reply), fake.value(reply))
    expect(await hear('decision')).toMatchObject({ ok: true, value: reply })
    expect(await hear('decision')).toMatchObject({ ok: true, value: reply })
    expect([streams(), heard]).toEqual([[true, false, false], []])
  })

  it('is asked for in one piece where only that counts tokens (C151, S8)', async () => {
    const { server, hear, streams } = await listening()
    server.on('decision', fake.value(reply, { usage: null }), fake.value(reply), fake.value(reply))
    for (let n = 0; n < 3; n++) expect(await hear('decision')).toMatchObject({ ok: true })
    expect(streams()).toEqual([true, false, false])
    // Where nothing does, nothing is lost by it.
    const never = await listening()
    never.server.answer(() => fake.value(reply, { usage: null }))
    for (let n = 0; n < 3; n++) await never.hear('decision')
    expect(never.streams()).toEqual([true, false, true])
  })

  it('is taken in one piece of an endpoint that does not know streams (C151)', async () => {
    const { server, hear } = await listening()
    const body = {
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ function: { name: 'decision', arguments: JSON.stringify(reply) } }],
          },
        },
      ],
    }
    server.on('decision', fake.raw(JSON.stringify(body)))
    expect(await hear('decision')).toMatchObject({ ok: true, value: reply })
  })
})

it('the beginning of a JSON text holds what is whole and the beginning of the last text (C150, P16)', () => {
  const text = anyText(20)
  const value = fc.record({
    a: text,
    b: fc.array(text, { maxLength: 3 }),
    c: fc.record({ d: text, e: fc.boolean() }),
    f: text,
  })
  fc.assert(
    fc.property(value, fc.double({ min: 0, max: 1, noNaN: true }), (object, part) => {
      const json = JSON.stringify(object)
      const read = partialObject(json.slice(0, Math.max(1, Math.floor(json.length * part))))
      for (const key of ['a', 'f'] as const) {
        const shown = read?.[key]
        if (typeof shown === 'string') {
          // Control characters are taken out, and half a character is on its way.
          const whole = partialObject(json)?.[key] as string
          expect(whole.startsWith(shown.replace(/\ufffd$/, ''))).toBe(true)
        }
      }
    }),
    { numRuns: 50 },
  )
  for (const nothing of ['', 'x', '[1', '"a', '}{']) expect(partialObject(nothing)).toBe(null)
})
