import { expect, it, onTestFinished } from 'vitest'
import { kindOf } from '../src/agent/ports/model.ts'
import { readConfig } from '../src/config.ts'
import { openModel } from '../src/model.ts'
import { inputs } from './agent/model/inputs.ts'
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

it('an endpoint that is there answers by the first model that it lists, or by the one that is named (C94)', async () => {
  const server = await startOpenAi()
  onTestFinished(() => server.close())
  expect((await open({ OPENAI_BASE_URL: server.url })).line).toBe('Model: fake-large.')
  expect((await open({ OPENAI_BASE_URL: server.url, OPENAI_MODEL: 'other' })).line).toBe('Model: other.')
})
