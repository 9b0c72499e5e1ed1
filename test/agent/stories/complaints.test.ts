import { expect, it, onTestFinished } from 'vitest'
import { createModelList } from '../../../src/agent/model/fallback.ts'
import { createOpenAiModel } from '../../../src/agent/model/openai.ts'
import type { Model } from '../../../src/agent/ports/model.ts'
import { decides } from '../../fakes/model.ts'
import * as fake from '../../fakes/openai/replies.ts'
import { startOpenAi } from '../../fakes/openai/server.ts'
import { useClew } from '../../support/agent.ts'
import { silent } from '../../support/silent.ts'
import { recordingTool } from './storm.ts'

/* C345: endpoints that complain of messages that did not come back as they were, each in its own words. */

const start = useClew()

interface Sent {
  role: string
  tool_call_id?: string
  reasoning_content?: string
  tool_calls?: { id: string; extra_content?: { google?: { thought_signature?: string } } }[]
}

interface Endpoint {
  /** Number of a call that it makes. */
  id(number: number): string
  /** Set on a message, and on each of its calls. */
  message?: object
  call?: object
  complaint(messages: readonly Sent[]): string | null
}

const callsIn = (messages: readonly Sent[]) => messages.flatMap((one) => one.tool_calls ?? [])
const calling = (messages: readonly Sent[]) => messages.filter((one) => one.tool_calls)

const endpoints: Readonly<Record<string, Endpoint>> = {
  Mistral: {
    id: (number) => `Abc${String(number).padStart(6, '0')}`,
    complaint(messages) {
      const odd = callsIn(messages).find(({ id }) => !/^[A-Za-z0-9]{9}$/.test(id))
      if (odd) return `Tool call id was ${odd.id} but must be a-z, A-Z, 0-9, with a length of 9.`
      const isBehind = messages.some(
        ({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool',
      )
      return isBehind ? "Unexpected role 'user' after role 'tool'" : null
    },
  },
  DeepSeek: {
    id: (number) => `call_00_${number}`,
    message: { reasoning_content: 'I think SECRET' },
    complaint: (messages) =>
      calling(messages).every((one) => one.reasoning_content === 'I think SECRET')
        ? null
        : 'The reasoning_content in the thinking mode must be passed back to the API.',
  },
  'Gemini 3': {
    id: (number) => `function-call-${number}`,
    call: { extra_content: { google: { thought_signature: 'SIG' } } },
    complaint: (messages) =>
      calling(messages).every(
        ({ tool_calls: [first] = [] }) => first?.extra_content?.google?.thought_signature === 'SIG',
      )
        ? null
        : 'Function call is missing a thought_signature in functionCall parts.',
  },
  Kimi: {
    id: (number) => `functions.ledger:${number}`,
    complaint(messages) {
      const ids = callsIn(messages).map(({ id }) => id)
      const odd = ids.find((id) => !/^functions\.ledger:\d+$/.test(id))
      if (odd) return `tool_call_id ${odd} is not found`
      const lost = messages.find(
        ({ tool_call_id: id, role }) => role === 'tool' && !ids.includes(id ?? ''),
      )
      return lost ? `tool_call_id ${lost.tool_call_id} is not found` : null
    },
  },
}
const names = Object.keys(endpoints)

/** Refuses what it sent itself, in words that say nothing. */
const forgetful: Endpoint = {
  id: (number) => `call${number}`,
  message: { content: [{ type: 'thinking', thinking: 'SECRET' }], annotations: [] },
  complaint: (messages) =>
    calling(messages).every((one) => !('annotations' in one)) ? null : 'Bad request.',
}

/** The model at an endpoint; `answers` is how many requests it answers until it is overloaded for good. */
async function modelAt(name: string, answers = Number.POSITIVE_INFINITY) {
  const { id, message, call, complaint } = endpoints[name] ?? forgetful
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  const complaints: string[] = []
  let left = answers
  server.answer(({ contract, prompt, number }) => {
    if (left-- <= 0) return fake.httpError(503)
    if (contract === 'decision') return fake.value(decides.run('Note both'))
    const next = ['first', 'second'].find((what) => !prompt.includes(`Noted: ${what}.`))
    if (next === undefined) return fake.text('Both are noted.')
    const made = { name: 'ledger', arguments: JSON.stringify({ input: next }) }
    const tool_calls = [{ id: id(number), type: 'function', function: made, ...call }]
    const said = { role: 'assistant', content: null, ...message, tool_calls }
    return fake.raw(JSON.stringify({ choices: [{ finish_reason: 'tool_calls', message: said }] }))
  })
  const strict: typeof fetch = (url, init) => {
    const { messages = [] } = JSON.parse(String(init?.body ?? '{}'))
    const problem = complaint(messages)
    if (problem === null) return fetch(url, init)
    complaints.push(problem)
    return Promise.resolve(Response.json({ error: { message: problem } }, { status: 400 }))
  }
  const model = createOpenAiModel({
    apiKey: 'k',
    baseURL: server.url,
    model: name,
    timeoutMs: 10_000,
    log: silent,
    clock: { now: () => 0 },
    fetch: strict,
  })
  return { model, complaints }
}

async function play(model: Model) {
  const { tool, effects } = recordingTool()
  const clew = await start({ model, tools: [tool], strategy: 'free' })
  await clew.say('Note both')
  await clew.idle()
  expect(await clew.run()).toMatchObject({ status: 'succeeded' })
  expect([...effects.values()]).toEqual(['first', 'second'])
  expect(clew.texts().filter((text) => text.includes('Both are noted.'))).toHaveLength(1)
  expect(clew.texts().join()).not.toMatch(/SECRET|SIG/)
}

it.each(names)('%s gets its messages back so that it never complains (C345)', async (name) => {
  const { model, complaints } = await modelAt(name)
  await play(model)
  expect(complaints).toEqual([])
})

it('rebuilds the messages of an endpoint that refuses its own (C357)', async () => {
  const { model, complaints } = await modelAt('forgetful')
  await play(model)
  expect(complaints).toEqual(['Bad request.'])
})

it.each(names.flatMap((first) => names.filter((one) => one !== first).map((one) => [first, one])))(
  'a task of %s goes on at %s, whose messages those were not (C345, C102)',
  async (first = '', second = '') => {
    const both = [await modelAt(first, 2), await modelAt(second)] as const
    const models: [Model, Model] = [both[0].model, both[1].model]
    const lists = { deciding: models, working: models, seeing: models, summing_up: models }
    await play(createModelList(lists, { clock: { now: () => 0 }, log: silent }))
    // Told once, it is told of calls in words.
    expect(both[1].complaints.length, both[1].complaints.join()).toBeLessThan(2)
  },
)
