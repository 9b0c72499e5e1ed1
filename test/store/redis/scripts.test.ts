import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scripts } from '../../../src/store/redis/scripts.ts'
import { createRedisStore } from '../../../src/store/redis/store.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { describeWith } from '../../support/programs.ts'
import { type RedisServer, startRedis } from '../../support/redis.ts'
import { runs } from '../../support/runs.ts'
import { createActor, histories, tour } from './history.ts'
import { DoublingRedis } from './tapped.ts'

describeWith('redis-server', 'the scripts', (program) => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(() => server.stop())

  it('applied twice in a row equal once, every one of them (P8)', async () => {
    const redis = new DoublingRedis(server.url)
    const raw = server.connect()
    const done = new Map<string, number>()
    const property = fc.asyncProperty(histories, async (history) => {
      await raw.flushall()
      const clock = createManualClock()
      const [store, rival] = [1, 2].map(() => createRedisStore({ redis, clock, worker: 'laptop' }))
      if (store === undefined || rival === undefined) return
      const act = createActor(store, rival, clock)
      for (const step of history) await act(step)
      for (const { script, changed, same } of await Promise.all(redis.doubled.splice(0))) {
        if (!same) throw new Error(`${script}, sent twice, changed more than once`)
        if (changed) done.set(script, (done.get(script) ?? 0) + 1)
      }
    })
    await fc.assert(property, { numRuns: 1, examples: [[tour]] })
    // Only `reserve` may do more the second time: a place in line that nobody uses costs a wait, nothing else.
    // `need` brings in what earlier versions wrote, of which there is nothing here.
    const once = Object.keys(scripts).filter((name) => name !== 'reserve' && name !== 'need')
    expect([...done.keys()].sort(), 'the tour comes by every script').toEqual(once.sort())
    await fc.assert(property, { numRuns: runs() })
    redis.disconnect()
  })
})
