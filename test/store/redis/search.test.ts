import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newConversation } from '../../../src/agent/domain/conversation.ts'
import { termsIn } from '../../../src/agent/domain/search-words.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { fieldsOf } from '../../../src/store/redis/codec.ts'
import { wordsFrom } from '../../../src/store/redis/indexed-words.ts'
import { keysOf, workspacesKey } from '../../../src/store/redis/keys.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { at, workspace } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { TappedRedis } from './tapped.ts'

const keys = keysOf(workspace)
const idOf = (n: number) => `c_${n}`
const nothing = { said: [], people: [], places: [], group: null, only: null }

describeWith('redis-server', 'a search of thousands of threads', (program) => {
  let server: RedisServer
  let redis: Redis
  let store: Store
  const openOn = (one: Redis) =>
    createRedisStore({ redis: one, clock: createManualClock(), worker: 'w' })
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    store = openOn(redis)
  })
  afterAll(() => server.stop())

  /** Threads as the store writes them, but by thousands: the n-th is one second newer than that before it. */
  async function fill(count: number, titleOf: (n: number) => string, indexed = true) {
    await redis.sadd(workspacesKey, workspace)
    const batch = redis.pipeline()
    for (let n = 0; n < count; n++) {
      const address = { workspace, channel: 'general', thread: `t${n}` }
      const time = at + 1_000 * n
      const thread = newConversation({ id: idOf(n), address, at: time, title: titleOf(n) })
      const own = keys.conversation(thread.id)
      const words = wordsFrom(thread).split(' ')
      batch.hset(own.row, ...fieldsOf(thread))
      batch.zadd(keys.conversations, time, thread.id)
      if (!indexed) continue
      batch.sadd(own.words, ...words)
      batch.zadd(keys.words.all, ...words.flatMap((word) => [0, `${word}\0${thread.id}`]))
    }
    await batch.exec()
  }

  const find = (text: string, before: { at: number; id: string } | null = null, limit = 5) =>
    store.search.find(
      [workspace],
      { ...nothing, said: termsIn(text), from: null, until: null },
      before,
      limit,
    )
  const idsOf = ({ found }: Awaited<ReturnType<typeof find>>) =>
    found.map(({ line }) => line.conversation.id)

  it('looks at the newest threads alone for common words, says so and goes on behind them (C555)', async () => {
    await fill(7_100, (n) => (n < 5_050 ? 'venue budget' : 'venue'))
    const first = await find('venue budget')
    expect([idsOf(first), first.looked]).toEqual([[], 2_000])
    expect(first.next?.id, 'names no thread, as it may be hidden').toBe('')
    const second = await find('venue budget', first.next)
    expect(idsOf(second)).toEqual([5_049, 5_048, 5_047, 5_046, 5_045].map(idOf))
    expect(second.looked, 'a full page is not cut').toBeNull()
    expect((await find('venue budget', second.next)).found.at(0)?.line.conversation.id).toBe(
      idOf(5_044),
    )
    expect(idsOf(await find('ven bud', first.next)), 'by their beginnings').toHaveLength(5)
  })

  it('finds the oldest thread by a rare word beside a common one, and the few that two frequent words share (C555)', async () => {
    const titleOf = (n: number) =>
      [
        'venue',
        n === 3 ? 'needle' : '',
        n % 2 === 0 || n === 11 ? 'even' : '',
        n % 2 === 1 ? 'odd' : '',
      ].join(' ')
    await fill(6_000, titleOf)
    for (const [text, ids] of [
      ['venue needle', [idOf(3)]],
      ['even odd', [idOf(11)]],
      ['odd nowhere', []],
    ] as const) {
      const answer = await find(text)
      expect([idsOf(answer), answer.looked, answer.next], text).toEqual([ids, null, null])
    }
  })

  it('reads a bounded number of entries in each command (C555)', async () => {
    await fill(6_000, (n) => `venue ${n % 2 === 0 ? 'even' : 'odd'}`)
    const tapped = new TappedRedis(server.url)
    store = openOn(tapped)
    expect(idsOf(await find('even odd'))).toEqual([])
    const names = tapped.sent.map(({ name }) => name)
    // 3,000 entries of each word, 1,000 at a time.
    expect(names.filter((name) => name === 'zrangebylex').length).toBeGreaterThanOrEqual(6)
    for (const text of ['venue', 'even', 'ven eve']) await find(text, null, 20)
    expect(Math.max(...tapped.sent.map(({ bytes }) => bytes))).toBeLessThan(40_000)
    for (const { name } of tapped.sent)
      expect(['smembers', 'zrange', 'hgetall']).not.toContain(name)
    tapped.disconnect()
  })

  it('indexes threads that are older than the index in small parts (C556)', async () => {
    await fill(450, (n) => `plan ${n}`, false)
    const calls: number[] = []
    const tapped = new TappedRedis(server.url)
    let count = 0
    tapped.before = async () => void count++
    const { build } = openOn(tapped).search
    for (let more = true; more; ) {
      count = 0
      more = await build()
      calls.push(count)
    }
    expect(calls.length).toBeGreaterThan(450 / 20)
    expect(Math.max(...calls)).toBeLessThan(100)
    expect(idsOf(await find('plan', null, 3))).toEqual([449, 448, 447].map(idOf))
    expect(idsOf(await find('7'))).toEqual([idOf(7)])
    expect(await build()).toBe(false)
    tapped.disconnect()
  })
})
