import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { messageEvent, opening, workspace } from '../../contracts/store/rows.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { driven } from './driven.ts'
import { TappedRedis } from './tapped.ts'

describeWith('redis-server', 'a step', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())

  it('is one round trip, whatever it writes (rule 3)', async () => {
    const redis = new TappedRedis(server.url)
    const { store, steps } = await driven(redis, 3)
    expect(steps.map((sent) => sent.map(({ name, script }) => [name, script]))).toEqual(
      Array(3).fill([['evalsha', 'commit']]),
    )
    await store.close()
  })

  it('costs as many bytes after 200 steps as after 10', async () => {
    const redis = new TappedRedis(server.url)
    const { store, steps } = await driven(redis, 200)
    const bytes = steps.map((sent) => sent.reduce((sum, one) => sum + one.bytes, 0))
    expect(bytes[199] ?? 0).toBeLessThan((bytes[9] ?? 0) * 1.05)
    await store.close()
  })

  it('is not all that is bounded: a message is stored in one round trip, fifty conversations are listed in three (C107, C271)', async () => {
    const redis = new TappedRedis(server.url)
    const store = createRedisStore({ redis, clock: createManualClock(), worker: 'w' })
    const say = (n: number) => store.inbox.accept(messageEvent(n, { thread: `t${n}` }), opening)
    const ids = [(await say(0)).conversationId]
    redis.sent.length = 0
    for (let n = 1; n < 50; n++) ids.push((await say(n)).conversationId)
    expect(redis.sent).toHaveLength(49)
    await store.conversations.list(workspace, 1)
    redis.sent.length = 0
    expect(
      new Set((await store.conversations.list(workspace, 50)).map((one) => one.conversation.id)),
    ).toEqual(new Set(ids))
    expect(redis.sent).toHaveLength(3)
    // The first time each script goes with its text.
    await store.conversations.page([workspace], null, 50)
    redis.sent.length = 0
    const { lines } = await store.conversations.page([workspace], null, 50)
    expect(new Set(lines.map((one) => one.conversation.id))).toEqual(new Set(ids))
    expect(redis.sent, 'of a page as people keep it').toHaveLength(3)
    await store.close()
  })
})
