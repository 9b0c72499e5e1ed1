import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { examine, printed } from '../scripts/doctor.ts'
// The doctor loads these when it looks, which holds a busy machine's loop for longer than a model server on it may take.
import '../src/adapters/discord/doctor.ts'
import '../src/adapters/slack/doctor.ts'
import { contractNames } from '../src/agent/contracts.ts'
import { createFirstModel } from '../src/agent/model/first-model.ts'
import { kindOf, type Model } from '../src/agent/ports/model.ts'
import { openModel } from '../src/compose/model.ts'
import { readConfig } from '../src/config.ts'
import { createHealth, watchModel } from '../src/health.ts'
import { inputs, replies } from './agent/model/inputs.ts'
import { createManualClock } from './fakes/clock.ts'
import * as fake from './fakes/openai/replies.ts'
import { startOpenAi } from './fakes/openai/server.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => 0 } as never
const open = (env: Record<string, string>) => openModel(readConfig(env), { log, clock })

it.each([
  ['its model is not named', {}],
  ['its model is named', { OPENAI_MODEL: 'fake-large' }],
])(
  'an endpoint that cannot be reached at the start is named, and used when it is there: %s (C94, C66)',
  async (_, env) => {
    const gone = await startOpenAi()
    await gone.close()
    const port = Number(new URL(gone.url).port)
    const { model, line } = await open({ OPENAI_BASE_URL: gone.url, ...env })
    expect(line).toMatch(
      /^Model: at OPENAI_BASE_URL \(127\.0\.0\.1:\d+\), .*nothing listens there\. .*whether the server runs/,
    )
    expect(line).not.toContain('OPENAI_API_KEY')
    const ask = () => model.call('chat', inputs.chat, new AbortController().signal)
    expect(kindOf(await ask())).toBe('unreachable')
    const server = await startOpenAi({ port })
    onTestFinished(() => server.close())
    server.on('chat', fake.value({ content: 'Hello.' }))
    expect(await ask()).toMatchObject({ ok: true })
    expect(server.requests[0]?.body.model).toBe('fake-large')
  },
)

it('a model that is found later sees images from then on (C94, C160)', async () => {
  let isThere = false
  const usage = { promptTokens: 1, completionTokens: 1 }
  const found: Model = {
    ...{ name: 'found', call: async () => ({ ok: true, value: null, usage }) },
    sight: { estimate: usage, look: async () => ({ words: 'A venue.', usage }) },
  }
  const model = createFirstModel({
    ...{ name: 'the first', create: () => found },
    find: async () => (isThere ? { name: 'found' } : { failure: 'unreachable', problem: 'gone' }),
  })
  const look = async () =>
    await model.sight?.look(
      { type: 'image/png', bytes: new Uint8Array() },
      new AbortController().signal,
    )
  expect(await look()).toMatchObject({ words: null })
  isThere = true
  expect(await look()).toMatchObject({ words: 'A venue.' })
  expect([model.sight?.estimate, model.image?.promptTokens]).toEqual([usage, 2_500])
})

it('an endpoint that is there answers by the first model that it lists, or by the one that is named (C94)', async () => {
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  expect((await open({ OPENAI_BASE_URL: server.url })).line).toBe('Model: fake-large.')
  expect((await open({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'other' })).line).toBe(
    'Model: other.',
  )
})

it('the decision model answers decisions and chat, each model in a form of its own', async () => {
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  const { model } = await open({
    ...{ OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'large', AGENT_DECISION_MODEL: 'small' },
  })
  server.answer(({ body, contract }) =>
    body.tools !== undefined && body.model === 'small'
      ? fake.httpError(400, { message: 'small does not support tools' })
      : fake.value(replies[contract]),
  )
  const names: Record<string, unknown> = {}
  for (const contract of contractNames) {
    const answer = await model.call(contract, inputs[contract], new AbortController().signal)
    expect(answer).toMatchObject({ ok: true, usage: { model: server.requests.at(-1)?.body.model } })
    names[contract] = answer.usage.model
  }
  const { decision, overheard, chat, ...rest } = names
  expect({ decision, overheard, chat }).toEqual({
    ...{ decision: 'small', overheard: 'small', chat: 'small' },
  })
  expect(new Set(Object.values(rest))).toEqual(new Set(['large']))
  const forms = server.requests.map(({ contract, form }) => `${contract} ${form}`)
  expect(forms.slice(0, 3)).toEqual(['decision function', 'decision schema', 'overheard schema'])
  expect(forms).toContain('thought function')
  expect(model.name).toBe('large')
})

it('without a setting, a model server on this machine is offered with the two lines to set, by one GET of its list (C95)', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama3.2' }] }))
  })
  const page = createServer((_, response) => response.end('<html>Not a model</html>'))
  const [port = 0, other = 0] = await Promise.all([server, page].map(listening))
  const servers = [
    { name: 'Other', port: other },
    { name: 'Ollama', port },
  ]
  const { line, offer, model } = await openModel(readConfig({}), { log, clock, servers })
  const url = `http://127.0.0.1:${port}/v1`
  expect(line).toContain(
    `Ollama runs on this machine: set OPENAI_BASE_URL=${url} and OPENAI_MODEL=llama3.2`,
  )
  expect(asked).toEqual(['GET /v1/models'])
  const well = { health: async () => ({ ok: true, detail: 'well' }) }
  const parts = {
    store: well,
    wakeups: well,
    channels: [],
    model: watchModel(model, createManualClock()),
  }
  const health = createHealth({ ...parts, offer: offer ?? null, clock: createManualClock() })
  expect((await health(500)).model.offer).toEqual({ server: 'Ollama', url, model: 'llama3.2' })
  const found = (await examine({}, [], servers))
    .map(printed)
    .find((text) => text.includes('Model:'))
  expect(found).toMatch(
    /Ollama is running on this machine\. To use it, set OPENAI_BASE_URL=.* and OPENAI_MODEL=llama3\.2/,
  )
  // A person who has chosen is asked nothing.
  asked.length = 0
  expect(
    (await openModel(readConfig({ OPENAI_MODEL: 'rehearsal' }), { log, clock, servers })).offer,
  ).toBeNull()
  expect(asked).toEqual([])
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
