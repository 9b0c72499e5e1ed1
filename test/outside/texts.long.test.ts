import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playHostile } from '../soak/hostile/play.ts'
import { tooSlow } from '../soak/sections/hostile.ts'
import { type NativeRedis, startNativeRedis } from '../support/native-redis.ts'
import { describeWith } from '../support/programs.ts'

/** The same history each time (P16); `npm run soak -- hostile` has 10,000 texts of another one. */
const short = { seed: 20_260_101, count: 50 }

async function expectNoHarm(settings: Record<string, string>) {
  const played = await playHostile(settings, short)
  expect([...played.failures, ...tooSlow(played)]).toEqual([])
  // It was no empty talk.
  expect(played.blank).toBeLessThan(played.texts / 4)
  expect(played.modelCalls).toBeGreaterThan(played.texts / 2)
}

describe('nasty texts from people and the model (the short soak)', () => {
  it('stall, break and silence nothing, on the embedded store (S11, S12, P17)', () =>
    expectNoHarm({}))
})

describeWith('redis-server', 'nasty texts on a store of its own (the short soak)', (program) => {
  let server: NativeRedis
  beforeAll(async () => {
    server = await startNativeRedis(program)
  })
  afterAll(() => server.stop())

  it('stall, break and silence nothing there either (S11, S12, P17)', () =>
    expectNoHarm({ REDIS_URL: server.url() }))
})
