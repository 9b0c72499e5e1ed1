import { Hono } from 'hono'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SetupForm, WebDeps } from '../../../src/adapters/web/deps.ts'
import { mayWriteSettings } from '../../../src/adapters/web/guard.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask, startWeb } from './support.ts'

const token = 'a-long-and-random-token'
const values = { OPENAI_API_KEY: 'sk-1' }

describeWith('redis-server', 'Set up as a form', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  let done: string[] = []
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterEach(() => web.stop())
  afterAll(() => server.stop())

  const setup: SetupForm = {
    startedAt: 1,
    problem: null,
    isWaiting: () => false,
    steps: async () => [],
    async connect(part) {
      done.push(part)
      return { kind: 'tried', findings: [], hide: (text) => text, saved: null }
    },
    restart: () => void done.push('restart'),
  }
  async function start(overrides: Partial<WebDeps> = {}): Promise<void> {
    done = []
    web = await startWeb(redis, { setup, ...overrides })
  }
  /** Status and code of each of its three requests, and what they did. */
  async function asked(headers: Record<string, string> = {}) {
    const answers = [
      await ask(`${web.url}/api/setup/form`, 'GET', undefined, headers),
      await ask(`${web.url}/api/setup/form/model`, 'POST', { values }, headers),
      await ask(`${web.url}/api/setup/restart`, 'POST', {}, headers),
    ]
    const codes = answers.map(({ body }) => (body as { error?: { code: string } }).error?.code)
    return { codes: [...new Set(codes)], done }
  }

  it('answers this machine (C563c)', async () => {
    await start()
    expect(await asked()).toEqual({ codes: [undefined], done: ['model', 'restart'] })
  })

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost' },
    { forwarded: 'for=127.0.0.1' },
    { via: '1.1 cache' },
    { 'x-real-ip': '127.0.0.1' },
    { 'true-client-ip': '127.0.0.1' },
    { 'cf-connecting-ip': '127.0.0.1' },
  ])('refuses what comes through a proxy without the token: %o (C563c)', async (headers) => {
    await start()
    expect(await asked(headers)).toEqual({ codes: ['setup_elsewhere'], done: [] })
  })

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('refuses another site’s page, also with the token: %o (C563c)', async (headers) => {
    await start({ token })
    const authorization = `Bearer ${token}`
    expect(await asked({ ...headers, authorization })).toEqual({
      codes: ['cross_site'],
      done: [],
    })
  })

  it('asks for the token where there is one, from this machine too, and through a proxy takes it (C563c)', async () => {
    await start({ token })
    expect(await asked()).toEqual({ codes: ['not_signed_in'], done: [] })
    const shown = { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' }
    expect((await asked(shown)).done).toEqual(['model', 'restart'])
  })

  it('does not exist in a process that cannot write its settings (C563c)', async () => {
    await start({ setup: null })
    expect(await asked()).toEqual({ codes: ['not_found'], done: [] })
  })

  it('takes values of one line (C563c)', async () => {
    await start()
    for (const bad of ['a\nPORT=1', 'x'.repeat(2001)]) {
      const body = { values: { OPENAI_API_KEY: bad } }
      expect((await ask(`${web.url}/api/setup/form/model`, 'POST', body)).status).toBe(400)
    }
    expect(done).toEqual([])
  })
})

it.each([
  ['127.0.0.1', 'localhost:3000', true],
  ['::1', '[::1]:3000', true],
  ['::ffff:127.0.0.1', '127.0.0.1', true],
  ['192.168.1.5', 'localhost:3000', false],
  ['2001:db8::1', 'localhost', false],
  ['127.0.0.1', 'clew.example', false],
])('takes %s under the name %s as this machine: %s (C563c)', async (address, host, isHere) => {
  const app = new Hono().get('/', (c) => c.json(mayWriteSettings(c, null)))
  const incoming = { socket: { remoteAddress: address, remotePort: 1, remoteFamily: 'IPv4' } }
  const answer = await app.request('http://x/', { headers: { host } }, { incoming })
  expect(await answer.json()).toBe(isHere)
})
