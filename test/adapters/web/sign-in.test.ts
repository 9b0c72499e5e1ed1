import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { WebDeps } from '../../../src/adapters/web/deps.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { startWeb } from './support.ts'

const token = 'a-long-and-random-token'
const right = { authorization: `Bearer ${token}` }
const session = createHmac('sha256', token).update('clew web session').digest('hex')

describeWith('redis-server', 'wrong tokens', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  const clock = createManualClock()
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  afterEach(() => web.stop())
  afterAll(() => server.stop())
  const start = async (overrides: Partial<WebDeps> = {}): Promise<void> => {
    web = await startWeb(redis, { token, clock, ...overrides })
  }

  /** What a request from one of this machine's addresses is answered. */
  function from(
    address: string,
    headers: Record<string, string>,
    path = '/api/conversations',
  ): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(web.url + path, { headers, localAddress: address }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end()
    })
  }
  /** Twenty different guesses of one address, in whatever way they are shown. */
  async function guess(
    address: string,
    shown: (n: number) => Record<string, string>,
    path?: string,
  ): Promise<void> {
    for (let n = 0; n < 20; n++) expect(await from(address, shown(n), path)).not.toBe(429)
  }

  it.each([
    ['bearers', (n: number) => ({ authorization: `Bearer guess-${n}` }), '/api/conversations'],
    [
      'bearers on the health page',
      (n: number) => ({ authorization: `Bearer guess-${n}` }),
      '/healthz',
    ],
    ['cookies made from guesses', (n: number) => ({ cookie: `clew_session=${n}` }), '/'],
  ])('are limited as %s too, for one minute and one address (S14)', async (_, shown, path) => {
    await start()
    await guess('127.0.0.1', shown, path)
    expect(await from('127.0.0.1', right)).toBe(429)
    expect(await from('127.0.0.1', { cookie: `clew_session=${session}` })).toBe(429)
    // A person who comes from elsewhere, or shows nothing, is not kept out by it.
    expect(await from('127.0.0.2', right)).toBe(200)
    expect(await from('127.0.0.1', {}, '/healthz')).toBe(200)
    await clock.advance(60_000)
    expect(await from('127.0.0.1', right)).toBe(200)
  })

  it('shown again and again by a client that has an old one keep nobody out (S14)', async () => {
    await start()
    for (let n = 0; n < 50; n++)
      expect(await from('127.0.0.1', { authorization: 'Bearer the-old-one' })).toBe(401)
    expect(await from('127.0.0.1', right)).toBe(200)
  })

  it('are not the cookies of sessions that ran out overnight, however many people come from one address (S14, S27)', async () => {
    await start()
    for (let n = 0; n < 50; n++) {
      const cookie = `clew_session=${randomBytes(32).toString('base64url')}`
      expect(await from('127.0.0.1', { cookie })).toBe(401)
    }
    expect(await from('127.0.0.1', right)).toBe(200)
  })

  it('count for the address that the last proxy heard, where a setting names proxies, and else for the socket (S14)', async () => {
    const claims = (client: string, n = 0) => ({
      authorization: `Bearer guess-${n}`,
      'x-forwarded-for': client,
    })
    await start()
    await guess('127.0.0.1', (n) => claims(`203.0.113.${n}`, n))
    expect(await from('127.0.0.1', { ...right, 'x-forwarded-for': '198.51.100.9' })).toBe(429)
    await web.stop()

    await clock.advance(60_000)
    await start({ proxies: 1 })
    // What stands before the proxy's own word is whatever the client claims.
    await guess('127.0.0.1', (n) => claims(`10.0.0.${n}, 203.0.113.5`, n))
    expect(await from('127.0.0.1', { ...right, 'x-forwarded-for': '203.0.113.5' })).toBe(429)
    expect(
      await from('127.0.0.1', { ...right, 'x-forwarded-for': '203.0.113.5, 198.51.100.9' }),
    ).toBe(200)
    await guess('127.0.0.1', (n) => claims(`2001:db8:0:1::${n}`, n))
    expect(await from('127.0.0.1', { ...right, 'x-forwarded-for': '2001:db8:0:1:ffff::1' })).toBe(
      429,
    )
    expect(await from('127.0.0.1', { ...right, 'x-forwarded-for': '2001:db8:0:2::1' })).toBe(200)
  })
})
