import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createBroadcaster, type TabNotice } from '../../../src/adapters/web/broadcaster.ts'
import type { EventLog } from '../../../src/adapters/web/events.ts'
import { limits } from '../../../src/adapters/web/limits.ts'
import { createRedisEventLog } from '../../../src/store/redis/event-log.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { eventOf } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { silent } from '../../support/silent.ts'
import { listenTo, type Tab } from './event-stream.ts'
import { startWeb } from './support.ts'

describeWith('redis-server', 'the event stream', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let redis: Redis
  let web: Awaited<ReturnType<typeof startWeb>>
  const clock = createManualClock()
  const tabs: Tab[] = []
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    web = await startWeb(redis, { clock })
  })
  afterEach(async () => {
    for (const tab of tabs.splice(0)) tab.close()
    await web.stop()
  })
  afterAll(() => server.stop())

  const open = async (query = '', headers: Record<string, string> = {}): Promise<Tab> => {
    const tab = await listenTo(web.url, query, headers)
    tabs.push(tab)
    return tab
  }
  const changed = (conversationId: string, more: object = {}): string =>
    JSON.stringify({ kind: 'changed', conversationId, ...more })
  const isChange = ({ event }: { event: string }): boolean => event === 'changed'

  it('tells every tab what happens, from where it begins to listen', async () => {
    await web.events.append(null, changed('before'))
    const both = [await open(), await open()]
    for (const tab of both) await tab.next(({ event }) => event === 'ready')
    await web.events.append(null, changed('after'))
    for (const tab of both)
      expect((await tab.next(isChange)).data).toMatchObject({ conversationId: 'after' })
  })

  it('says that somebody looks before a tab is ready, until the last one is closed (C557)', async () => {
    const { watchers } = keysOf('web:local')
    const looking = async () => (await redis.zcount(watchers, '1', '+inf')) > 0
    await expect.poll(() => redis.exists(watchers)).toBe(1)
    expect(await looking()).toBe(false)
    const [first, second] = [await open(), await open()]
    for (const tab of [first, second]) {
      await tab.next(({ event }) => event === 'ready')
      expect(await looking()).toBe(true)
    }
    first.close()
    await first.ended
    second.close()
    await expect.poll(looking).toBe(false)
    const third = await open()
    await third.next(({ event }) => event === 'ready')
    expect(await looking()).toBe(true)
    await redis.zremrangebyscore(watchers, 1, '+inf')
    await clock.advance(limits.watchMs)
    await expect.poll(looking).toBe(true)
  })

  it('goes on after the last id that a browser has seen, with nothing lost and nothing twice', async () => {
    const ids: string[] = []
    for (let index = 0; index < 1_200; index++)
      ids.push(await web.events.append(null, changed(`c${index}`)))
    const tab = await open('', { 'last-event-id': ids[99] ?? '' })
    await web.events.append(null, changed('live'))
    await tab.next(({ data }) => data.conversationId === 'live')
    const seen = tab.heard.filter(isChange).map(({ data }) => data.conversationId)
    expect(seen).toEqual([...ids.slice(100).map((_, index) => `c${index + 100}`), 'live'])
  })

  it('resumes by query too, for a browser that had to start anew', async () => {
    const first = await web.events.append(null, changed('one'))
    await web.events.append(null, changed('two'))
    const tab = await open(`?after=${first}`)
    expect((await tab.next(isChange)).data).toMatchObject({ conversationId: 'two' })
  })

  it('says reset when what was missed is gone', async () => {
    const small = createRedisEventLog({ redis, workspace: 'web:local', kept: 10 })
    const first = await small.append(null, changed('old'))
    for (let index = 0; index < 500; index++) await small.append(null, changed(`c${index}`))
    const tab = await open(`?after=${first}`)
    await tab.next(({ event }) => event === 'reset')
  })

  it('keeps nothing of what is erased, and open tabs fetch anew (C118)', async () => {
    const seen = await web.events.append(null, changed('told'))
    const tab = await open(`?after=${seen}`)
    await web.store.privacy.erase('web:local', 'ana')
    expect(
      await web.events.read({
        after: '0',
        limit: 10,
        waitMs: 0,
        signal: AbortSignal.timeout(1_000),
      }),
    ).toEqual({
      events: [],
      lost: false,
    })
    await web.events.append(null, changed('later'))
    await tab.next(({ event }) => event === 'reset')
    await (await open(`?after=${seen}`)).next(({ event }) => event === 'reset')
  })

  const rows = async () =>
    (
      await web.events.read({
        after: '0',
        limit: 10,
        waitMs: 0,
        signal: AbortSignal.timeout(1_000),
      })
    ).events.length

  it('keeps nothing of a thread that is deleted, a member’s own too (C205, C275)', async () => {
    for (const workspace of ['web:local', 'web:dm']) {
      const event = eventOf({ workspace, keys: [workspace] })
      const { conversationId } = await web.store.inbox.accept(event, {
        locale: 'en',
        timeZone: 'UTC',
      })
      await web.events.append(null, changed('told'))
      expect(await web.store.conversations.remove(workspace, conversationId)).toBe('busy')
      await web.events.append(null, changed('later'))
      expect(await rows()).toBe(1)
    }
    await web.store.privacy.erase('web:dm', 'U1')
    expect(await rows()).toBe(0)
  })

  it('keeps nothing for longer than the rest, by the clock of the store itself (C275)', async () => {
    const [seconds] = await redis.time()
    await redis.xadd(
      'clew:{web:local}:events',
      (Number(seconds) - 61) * 1_000,
      'body',
      changed('old'),
    )
    await web.events.append(null, changed('young'))
    await web.store.retention.purge(clock.now() - 120_000)
    expect(await rows()).toBe(2)
    await web.store.retention.purge(clock.now() - 60_000)
    expect(await rows()).toBe(1)
    const tab = await open('', { 'last-event-id': `${(Number(seconds) - 61) * 1_000}-0` })
    expect((await tab.next(isChange)).data).toMatchObject({ conversationId: 'young' })
  })

  it.each(['nonsense', '99999999999999-0'])(
    'says reset for an id that it never gave: %s',
    async (id) => {
      await web.events.append(null, changed('one'))
      const tab = await open('', { 'last-event-id': id })
      await tab.next(({ event }) => event === 'reset')
      await web.events.append(null, changed('two'))
      expect((await tab.next(isChange)).data).toMatchObject({ conversationId: 'two' })
    },
  )

  it('shows a private line to its person only', async () => {
    const [ana, ben] = [await open('?author=ana'), await open('?author=ben')]
    for (const tab of [ana, ben]) await tab.next(({ event }) => event === 'ready')
    await web.events.append(null, changed('secret', { to: 'ana' }))
    await web.events.append(null, changed('open'))
    expect((await ana.next(isChange)).data).toMatchObject({ conversationId: 'secret' })
    expect((await ben.next(isChange)).data).toMatchObject({ conversationId: 'open' })
  })

  it('beats while nothing happens, so that nobody in between closes the line', async () => {
    const tab = await open()
    await tab.next(({ event }) => event === 'ready')
    await clock.advance(limits.heartbeatMs)
    await tab.next(({ event }) => event === 'beat')
  })

  it('passes over an entry that another version wrote', async () => {
    const tab = await open()
    await tab.next(({ event }) => event === 'ready')
    await web.events.append(null, '{"kind":"hologram"}')
    await web.events.append(null, 'not even JSON')
    await web.events.append(null, changed('next'))
    expect((await tab.next(({ event }) => event !== 'beat')).data).toMatchObject({
      conversationId: 'next',
    })
  })

  it('ends the streams when the channel stops', async () => {
    const tab = await open()
    await tab.next(({ event }) => event === 'ready')
    const started = clock.now()
    await web.stop()
    expect(clock.now()).toBe(started)
    await expect(listenTo(web.url)).rejects.toThrow()
  })
})

describeWith('redis-server', 'the event log on Redis', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let log: EventLog
  beforeAll(async () => {
    server = await startRedis(program)
  })
  beforeEach(async () => {
    const redis = server.connect()
    await redis.flushall()
    log = createRedisEventLog({ redis, workspace: 'web:local' })
  })
  afterEach(() => log.close())
  afterAll(() => server.stop())

  const never = new AbortController().signal

  it('appends once for a key, however often it is told to (P8)', async () => {
    const first = await log.append('d_1', 'one')
    expect(await log.append('d_1', 'one')).toBe(first)
    expect(await log.find('d_1')).toBe(first)
    expect(await log.find('d_2')).toBeNull()
    const { events } = await log.read({ after: '0-0', limit: 10, waitMs: 0, signal: never })
    expect(events).toEqual([{ id: first, body: 'one' }])
  })

  it('answers as soon as something is appended', async () => {
    const reading = log.read({
      after: await log.position(),
      limit: 10,
      waitMs: 60_000,
      signal: never,
    })
    await log.append(null, 'new')
    expect((await reading).events.map(({ body }) => body)).toEqual(['new'])
  })

  it('stops waiting when it is told to', async () => {
    const abort = new AbortController()
    const reading = log.read({
      after: await log.position(),
      limit: 10,
      waitMs: 60_000,
      signal: abort.signal,
    })
    abort.abort()
    expect((await reading).events).toEqual([])
  })

  it('answers in pages', async () => {
    for (const body of ['a', 'b', 'c']) await log.append(null, body)
    const first = await log.read({ after: '0-0', limit: 2, waitMs: 0, signal: never })
    expect(first.events.map(({ body }) => body)).toEqual(['a', 'b'])
    const rest = await log.read({
      after: first.events.at(-1)?.id ?? '',
      limit: 2,
      waitMs: 0,
      signal: never,
    })
    expect(rest.events.map(({ body }) => body)).toEqual(['c'])
  })
})

describeWith('redis-server', 'the broadcaster', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())

  it('reads once for all tabs, says when the store is away, and goes on by itself', async () => {
    const redis = server.connect()
    const real = createRedisEventLog({ redis, workspace: 'web:test' })
    let away = false
    let waiting = 0
    let most = 0
    const events: EventLog = {
      ...real,
      async read(options) {
        if (away) throw new Error('connection lost')
        waiting += options.waitMs > 0 ? 1 : 0
        most = Math.max(most, waiting)
        try {
          return await real.read(options)
        } finally {
          waiting -= options.waitMs > 0 ? 1 : 0
        }
      },
    }
    const clock = createManualClock()
    const broadcaster = createBroadcaster({ events, clock, log: silent })
    const seen: TabNotice['kind'][] = []
    let news = (): void => undefined
    const until = async (kind: TabNotice['kind'], count: number): Promise<void> => {
      while (seen.filter((one) => one === kind).length < count)
        await new Promise<void>((resolve) => {
          news = resolve
        })
    }
    for (let tab = 0; tab < 5; tab++)
      broadcaster.subscribe(null, (told) => {
        if (told !== null) seen.push(told.kind)
        news()
      })
    await until('ready', 5)
    away = true
    await real.append(null, 'wakes the reader, which then finds the store away')
    await until('away', 5)
    away = false
    await clock.advance(1_000)
    await until('back', 5)
    await real.append(null, 'one')
    await until('event', 10)
    expect(most).toBe(1)
    await broadcaster.stop()
    await real.close()
  })
})
