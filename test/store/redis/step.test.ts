import { afterAll, beforeAll, expect, it } from 'vitest'
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
})
