import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { createBullWakeups } from '../../../src/store/queue.ts'
import { connect } from '../../../src/store/redis/connection.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { describeWith } from '../../support/programs.ts'
import { type FaultProxy, startProxy } from '../../support/proxy.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { silent } from '../../support/silent.ts'

/** Longest time until everything works again, in milliseconds (P28). */
const backWithin = { timeout: 10_000, interval: 100 }

describeWith('redis-server', 'Redis behind an address that changes places (P28)', (program) => {
  /** A primary with a replica that has caught up, and an address that leads to the primary. */
  async function startPair(): Promise<{ first: RedisServer; second: RedisServer; at: FaultProxy }> {
    const first = await startRedis(program)
    onTestFinished(() => first.stop())
    const second = await startRedis(program, { replicaof: `127.0.0.1 ${first.port}` })
    onTestFinished(() => second.stop())
    const replica = second.connect()
    await vi.waitFor(
      async () => expect(await replica.info('replication')).toContain('master_link_status:up'),
      20_000,
    )
    const at = await startProxy(first.port)
    onTestFinished(() => at.stop())
    return { first, second, at }
  }

  /** A store, a worker and an outbox's listener over the address; each says whether it works now. */
  async function startParts(at: FaultProxy) {
    const url = `redis://127.0.0.1:${at.port}`
    const clock = createSystemClock()
    const redis = connect(url, 'commands')
    onTestFinished(() => redis.disconnect())
    const store = createRedisStore({ redis, clock, worker: 'one' })
    const wakeups = createBullWakeups({
      connect: (use) => connect(url, use),
      clock,
      log: silent,
      worker: true,
      platforms: ['web'],
      concurrency: 1,
    })
    onTestFinished(() => wakeups.stop())
    const heard = new Set<string>()
    await wakeups.start(async ({ id }) => void heard.add(id))
    let count = 0
    async function isWoken(kind: Item['kind']): Promise<boolean> {
      count += 1
      const item: Item = { kind, workspace: 'web:local', id: `${kind}-${count}` }
      await wakeups.wake(item).catch(() => undefined)
      return await vi
        .waitUntil(() => heard.has(item.id), { timeout: 900, interval: 20 })
        .catch(() => false)
    }
    return {
      redis,
      async works() {
        const { ok } = await store.health()
        return [ok, await isWoken('run'), await isWoken('outbox')]
      },
    }
  }
  const all = [true, true, true]

  /** The second becomes the primary; connections to the first stay open. */
  async function failOver({ first, second, at }: Awaited<ReturnType<typeof startPair>>) {
    await second.connect().replicaof('NO', 'ONE')
    await first.connect().replicaof('127.0.0.1', String(second.port))
    at.lead(second.port)
  }

  it('works again when the primary has become a replica', async () => {
    const pair = await startPair()
    const parts = await startParts(pair.at)
    expect(await parts.works()).toEqual(all)
    await failOver(pair)
    await expect.poll(() => parts.works(), backWithin).toEqual(all)
  })

  it('works again when the server of its open connections has fallen silent', async () => {
    const pair = await startPair()
    const parts = await startParts(pair.at)
    expect(await parts.works()).toEqual(all)
    await pair.second.connect().replicaof('NO', 'ONE')
    pair.at.lead(pair.second.port)
    pair.at.mute()
    await expect.poll(() => parts.works()).toEqual(all)
  })

  it('works again when a subscriber alone was connected to what is a replica now', async () => {
    const pair = await startPair()
    const subscriber = connect(`redis://127.0.0.1:${pair.at.port}`, 'blocking')
    onTestFinished(() => subscriber.disconnect())
    const heard: string[] = []
    subscriber.on('message', (_channel: string, text: string) => heard.push(text))
    await subscriber.subscribe('news')
    await failOver(pair)
    // What is published there would be passed on to a replica; this one is cut off from it.
    await pair.first.connect().replicaof('127.0.0.1', '1')
    const primary = pair.second.connect()
    await expect
      .poll(async () => await primary.publish('news', 'back').then(() => heard), backWithin)
      .toContain('back')
  })

  it('works again when the server at the address never ends to load', async () => {
    const { second, at } = await startPair()
    await second.connect().replicaof('NO', 'ONE')
    const loading = createServer((socket) =>
      socket.on('error', () => {}).on('data', () => void socket.write('$9\r\nloading:1\r\n')),
    ).listen(0, '127.0.0.1')
    onTestFinished(() => void loading.close())
    await vi.waitFor(() => expect(loading.listening).toBe(true))
    const address = loading.address()
    at.lead(typeof address === 'object' && address !== null ? address.port : 0)
    const redis = connect(`redis://127.0.0.1:${at.port}`, 'commands')
    onTestFinished(() => redis.disconnect())
    await expect(redis.ping()).rejects.toThrow('timed out')
    at.lead(second.port)
    await expect.poll(() => redis.ping().catch(() => 'no answer'), { timeout: 15_000 }).toBe('PONG')
  })

  it('calls itself stuck when its own connection is deaf and a new one takes writes (P29)', async () => {
    const { second, at } = await startPair()
    await second.connect().replicaof('NO', 'ONE')
    at.lead(second.port)
    // A client without the shipped options, so that nothing opens it anew.
    const redis = new Redis(at.port, '127.0.0.1', { maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
    onTestFinished(() => redis.disconnect())
    let later = 0
    const system = createSystemClock()
    const clock = { ...system, now: () => system.now() + later }
    const store = createRedisStore({ redis, clock, worker: 'one' })
    expect(await store.health()).toEqual({ ok: true, detail: 'takes writes' })
    at.mute()
    expect(await store.health()).toEqual({ ok: false, detail: 'it does not answer' })
    later = 20_000
    await expect
      .poll(() => store.health(), backWithin)
      .toEqual({
        ok: false,
        stuck: true,
        detail: 'it does not answer; a new connection works: restart Clew',
      })
    at.reset()
    await expect
      .poll(() => store.health(), backWithin)
      .toEqual({ ok: true, detail: 'takes writes' })
  })

  it('does not call itself stuck while the server takes nothing from anybody (P29)', async () => {
    const { first } = await startPair()
    const redis = new Redis(first.port, '127.0.0.1', { maxRetriesPerRequest: null })
    redis.on('error', () => undefined)
    onTestFinished(() => redis.disconnect())
    let later = 0
    const system = createSystemClock()
    const clock = { ...system, now: () => system.now() + later }
    const store = createRedisStore({ redis, clock, worker: 'one' })
    await first.connect().config('SET', 'maxmemory', '1')
    await store.health()
    later = 20_000
    for (let looks = 0; looks < 5; looks++) {
      const { stuck, detail } = await store.health()
      expect([stuck, detail]).toEqual([undefined, expect.stringContaining('memory is full')])
    }
  })
})
