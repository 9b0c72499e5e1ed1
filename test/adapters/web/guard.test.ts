import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { WebDeps } from '../../../src/adapters/web/deps.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { ask, startWeb } from './support.ts'

const token = 'a-long-and-random-token'

describeWith('redis-server', 'the way to the web page', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterEach(() => web.stop())
  afterAll(() => server.stop())
  const start = async (overrides: Partial<WebDeps> = {}): Promise<void> => {
    web = await startWeb(redis, overrides)
  }

  it('opens no other address than this machine without a token', async () => {
    await start()
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org']) {
      await expect(startWeb(redis, { host })).rejects.toThrow('WEB_TOKEN')
    }
  })

  it('keeps a quiet connection for longer than proxies do (C281)', async () => {
    await start()
    const { headers } = await fetch(`${web.url}/healthz`)
    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  it('refuses a name that was pointed at this machine (DNS rebinding, S58)', async () => {
    await start()
    for (const host of [
      'evil.example',
      'evil.example:3000',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ]) {
      expect(await statusFor('/api/conversations', { host })).toBe(403)
      expect(await statusFor('/', { host })).toBe(403)
    }
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'LOCALHOST']) {
      expect(await statusFor('/api/conversations', { host })).toBe(200)
    }
  })

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
  ])('refuses requests of other sites: %o', async (headers) => {
    await start()
    const body = { text: 'Hello', clientMessageId: 'x' }
    const answers = [
      await ask(`${web.url}/api/conversations`, 'POST', body, headers),
      await ask(`${web.url}/api/events`, 'GET', undefined, headers),
      await ask(`${web.url}/api/conversations`, 'GET', undefined, headers),
      await ask(`${web.url}/sign-in`, 'POST', 'token=x', {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
      }),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'cross_site' } } })
  })

  it('refuses every route of the API, signing in and signing out to another site’s page (S32)', async () => {
    await start()
    const { paths } = (await ask(`${web.url}/api/openapi.json`)).body as {
      paths: Record<string, object>
    }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [path, method.toUpperCase() as 'GET'] as const),
    )
    const guarded = routes.filter(([path]) => path.startsWith('/api/'))
    expect(guarded.length).toBeGreaterThan(20)
    for (const [path, method] of [
      ...guarded,
      ['/sign-in', 'POST'],
      ['/sign-out', 'POST'],
    ] as const) {
      const answer = await ask(web.url + path.replaceAll(/\{\w+\}/g, '1'), method, undefined, {
        origin: 'https://evil.example',
      })
      expect({ path, method, ...answer }).toMatchObject({
        status: 403,
        body: { error: { code: 'cross_site' } },
      })
    }
  })

  it('lets its own page, the address bar and programs in', async () => {
    await start()
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin', origin: web.url },
      { 'sec-fetch-site': 'none' },
      {},
    ]
    for (const headers of own) {
      const body = { text: 'Hello', clientMessageId: 'x' }
      expect((await ask(`${web.url}/api/conversations`, 'POST', body, headers)).status).toBe(202)
    }
    // A link on another site may open the page; only what it then asks for is its own.
    expect(
      (await ask(`${web.url}/`, 'GET', undefined, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(200)
  })

  it('allows nothing from elsewhere in the page, by headers', async () => {
    await start()
    for (const path of ['/', '/api/conversations', '/nothing']) {
      const { headers } = await ask(`${web.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })

  it('asks for the token, as a bearer or by signing in, and never keeps it in the cookie (S7)', async () => {
    await start({ token })
    const api = `${web.url}/api/conversations`
    expect(await ask(api)).toMatchObject({
      status: 401,
      body: { error: { code: 'not_signed_in' } },
    })
    expect((await ask(api, 'GET', undefined, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await ask(api, 'GET', undefined, { authorization: `Bearer ${token}` })).status).toBe(
      200,
    )

    const page = await ask(`${web.url}/`)
    expect(page.status).toBe(401)
    expect(page.body).toContain('action="/sign-in"')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask(`${web.url}/sign-in`, 'POST', 'token=wrong', form)).status).toBe(401)
    const signedIn = await ask(`${web.url}/sign-in`, 'POST', `token=${token}`, form)
    expect(signedIn.status).toBe(303)
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).not.toContain(token)
    const session = { cookie: cookie.split(';')[0] ?? '' }
    expect((await ask(api, 'GET', undefined, session)).status).toBe(200)
    expect((await ask(`${web.url}/`, 'GET', undefined, session)).status).toBe(200)
    expect((await ask(api, 'GET', undefined, { cookie: 'clew_session=guess' })).status).toBe(401)
  })

  it('reads nothing that a stranger sends before it refuses them', async () => {
    await start({ token })
    const sent = request(`${web.url}/api/uploads/${'0'.repeat(32)}?name=a.txt`, { method: 'PUT' })
    sent.on('error', () => {})
    const status = new Promise((resolve) =>
      sent.on('response', (answer) => resolve(answer.statusCode)),
    )
    sent.write('what never ends')
    expect(await status).toBe(401)
    sent.destroy()
  })

  it('opens what is kept of people to the admins’ secret alone, which opens nothing else (S19)', async () => {
    const { privacy: store } = createRedisStore({
      redis,
      clock: createManualClock(),
      worker: 'test',
    })
    const admins = 'a-secret-of-the-admins-alone'
    const of = (secret: string) => ({ authorization: `Bearer ${secret}` })
    const statuses = async (headers: Record<string, string>) => {
      const asks = (['GET', 'DELETE'] as const).map((method) =>
        ask(`${web.url}/api/privacy/u1`, method, undefined, headers),
      )
      return [
        ...(await Promise.all(asks)),
        await ask(`${web.url}/api/conversations`, 'GET', undefined, headers),
      ].map(({ status }) => status)
    }
    await start({ token, privacy: { store, token: admins } })
    expect(await statuses(of(admins))).toEqual([200, 200, 403])
    expect(await statuses(of(token))).toEqual([403, 403, 200])
    expect(await statuses(of('wrong'))).toEqual([401, 401, 401])
    expect(await statuses({})).toEqual([401, 401, 401])
    await web.stop()
    await start({ token, privacy: { store, token: null } })
    expect(await statuses(of(token))).toEqual([403, 403, 200])
    await web.stop()
    // Where only this machine can ask, it can read the store, too; unless a secret was set.
    await start({ privacy: { store, token: null } })
    expect(await statuses({})).toEqual([200, 200, 200])
    expect(await statuses({ origin: 'https://evil.example' })).toEqual([403, 403, 403])
    await web.stop()
    await start({ privacy: { store, token: admins } })
    expect(await statuses({})).toEqual([403, 403, 200])
  })

  it('answers under any name when there is a token', async () => {
    await start({ token })
    expect(
      await statusFor('/api/conversations', {
        host: 'clew.example',
        authorization: `Bearer ${token}`,
      }),
    ).toBe(200)
  })

  it('stops listening to somebody who guesses', async () => {
    const clock = createManualClock()
    await start({ token, clock })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const guess = async (given: string): Promise<number> =>
      (await ask(`${web.url}/sign-in`, 'POST', `token=${given}`, form)).status
    for (let tries = 0; tries < 20; tries++) expect(await guess(`guess${tries}`)).toBe(401)
    expect(await guess(token)).toBe(429)
    await clock.advance(60_000)
    expect(await guess(token)).toBe(303)
  })

  it('tells strangers only whether it is well', async () => {
    await start({ token })
    expect((await ask(`${web.url}/healthz`)).body).toEqual({ ok: true })
    const known = await ask(`${web.url}/healthz`, 'GET', undefined, {
      authorization: `Bearer ${token}`,
    })
    expect(known.body).toMatchObject({ store: { ok: true }, model: { rehearsal: true } })
  })

  it('is alive and not ready when it is not well (P19), and serves metrics to those who may see them', async () => {
    const health = async () => ({
      ok: false,
      store: { ok: false, detail: 'away' },
      queue: { ok: true, detail: '' },
      channels: {},
      model: { ok: true, detail: '', name: 'm', rehearsal: false, last: null },
    })
    await start({ token, health, metrics: async () => 'clew_runs 3\n' })
    expect(await ask(`${web.url}/readyz`)).toMatchObject({ status: 503, body: { ok: false } })
    expect(await ask(`${web.url}/healthz`)).toMatchObject({ status: 200, body: { ok: false } })
    expect((await ask(`${web.url}/metrics`)).status).toBe(401)
    expect(
      (await ask(`${web.url}/metrics`, 'GET', undefined, { authorization: `Bearer ${token}` }))
        .body,
    ).toBe('clew_runs 3\n')
  })

  it('is not alive when only a new process can help (P29)', async () => {
    const health = async () => ({
      ok: false,
      store: { ok: false, detail: 'it does not answer', stuck: true },
      queue: { ok: true, detail: '' },
      channels: {},
      model: { ok: true, detail: '', name: 'm', rehearsal: false, last: null },
    })
    await start({ token, health })
    expect(await ask(`${web.url}/healthz`)).toMatchObject({ status: 503, body: { ok: false } })
  })

  it('serves the page and nothing beside it', async () => {
    await start()
    const page = await ask(`${web.url}/`, 'GET', undefined, { 'accept-language': 'zh-CN' })
    expect(page.body).toContain('<html lang="zh">')
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    const root = rootOf(page.body)
    const script = await ask(`${root}page.js`)
    expect(script.headers.get('content-type')).toContain('text/javascript')
    const again = await ask(`${root}page.js`, 'GET', undefined, {
      'if-none-match': script.headers.get('etag') ?? '',
    })
    expect(again.status).toBe(304)
    for (const path of [
      'guard.ts',
      'adapters/web/guard.ts',
      '../package.json',
      '%2e%2e/package.json',
    ])
      expect((await ask(root + path)).status).toBe(404)
  })

  it('is one script and one style sheet, small and compressed (C225), kept for good where they are of this version (C224)', async () => {
    await start()
    const { body: document, headers } = await ask(`${web.url}/`)
    const files = [...String(document).matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(files.map((path) => path.split('/').at(-1))).toEqual([
      ...['icon.svg', 'manifest.webmanifest', 'page.css', 'page.js'],
    ])
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    const most: Record<string, number> = { svg: 300, webmanifest: 300, css: 8_200, js: 83_000 }
    for (const path of files) {
      const { body, headers } = await ask(web.url + path)
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(headers.get('cache-control')).toContain('immutable')
      expect(gzipSync(text).length).toBeLessThan(most[path.split('.').at(-1) ?? ''] ?? 0)
      expect(text).not.toMatch(/@import|\bimport\s*["']|\bfrom\s*["']/)
    }
    const code = await ask(`${web.url}${files[3]?.replace('page.js', 'code.js')}`)
    expect(code.status).toBe(200)
    expect(gzipSync(String(code.body)).length, 'what colours code (C250)').toBeLessThan(24_000)
    const other = await ask(`${web.url}/assets/0123456789abcdef/page.css`)
    expect(other.headers.get('cache-control')).toBe('no-cache')
  })

  const rootOf = (document: unknown): string =>
    web.url + (/href="(\/assets\/[0-9a-f]{16}\/)/.exec(String(document))?.[1] ?? '')

  /** `fetch` sets its own Host header; this one does not. */
  function statusFor(path: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(web.url + path, { headers, setHost: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end()
    })
  }
})
