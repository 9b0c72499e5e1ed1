import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Store } from '../../../src/agent/ports/store.ts'
import { createRedisEventLog } from '../../../src/store/redis/event-log.ts'
import { keysOf } from '../../../src/store/redis/keys.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { changeOf, claim, deliveryOf, itemOf, openThread } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'

const served = 'web:local'
const member = 'web:dm'

describeWith('redis-server', 'progress that nobody looks at', (program) => {
  let server: RedisServer
  let redis: Redis
  let store: Store
  beforeAll(async () => {
    server = await startRedis(program)
    redis = server.connect()
  })
  beforeEach(async () => {
    await redis.flushall()
    store = createRedisStore({ redis, clock: createManualClock(), worker: 'w' })
  })
  afterAll(() => server.stop())

  const page = () => createRedisEventLog({ redis, workspace: served, others: [member] })

  /** Commits progress of a run in a new thread, and answers if it is to be shown. */
  async function isShown(workspace: string, n: number, more: object = {}): Promise<boolean> {
    const thread = { workspace, thread: `t${n}`, keys: [`m${n}`] }
    const conversationId = await openThread(store, thread)
    const lease = await claim(store, itemOf('conversation', conversationId, workspace))
    const change = changeOf({ conversationId, progress: `r${n}`, ...more })
    const committed = await store.commits.commit(lease, change)
    const keys = keysOf(workspace)
    const marks = await redis.hlen(keys.conversation(conversationId).progress)
    expect(committed).toMatchObject({ kind: 'committed' })
    expect('isUnseen' in committed && committed.isUnseen === true).toBe(marks === 0)
    const isDue = (await redis.zscore(keys.due('outbox'), conversationId)) !== null
    expect(isDue).toBe(marks > 0 || 'deliveries' in more)
    return marks > 0
  }

  it('is marked where no page says who looks, as on Slack (C557)', async () => {
    expect(await isShown('slack:T1', 1)).toBe(true)
    await page().watch(false)
    expect(await isShown('slack:T1', 2)).toBe(true)
  })

  it.each([served, member])(
    'is not marked in %s while no page is open (C557)',
    async (workspace) => {
      const [one, another] = [page(), page()]
      await one.watch(false)
      expect(await isShown(workspace, 1)).toBe(false)
      await another.watch(true)
      expect(await isShown(workspace, 2), 'another process has a page open').toBe(true)
      await one.watch(false)
      expect(await isShown(workspace, 3)).toBe(true)
      await another.watch(false)
      expect(await isShown(workspace, 4)).toBe(false)
    },
  )

  it('counts no page of a process that has died, after a minute (C557)', async () => {
    await page().watch(true)
    const { watchers } = keysOf(served)
    const [, , name = '', until] = await redis.zrange(watchers, '0', '-1', 'WITHSCORES')
    const [now = 0] = await redis.time()
    expect(Number(until) - Number(now)).toBeGreaterThan(50)
    await redis.zadd(watchers, Number(now) - 1, name)
    expect(await isShown(served, 1)).toBe(false)
  })

  it('keeps what has to be said, seen or not (C557)', async () => {
    await page().watch(false)
    const id = await openThread(store, { workspace: served })
    const deliveries = [deliveryOf(1, id)]
    expect(await isShown(served, 2, { deliveries })).toBe(false)
  })
})
