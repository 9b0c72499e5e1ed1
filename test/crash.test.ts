import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChildHost } from './soak/child-host.ts'
import { learnExpected, runStories } from './soak/crash.ts'
import { startLocalHost } from './soak/local-host.ts'
import { chains, createRandom, isReachable, targetsOf, unreached, withSecond } from './soak/plan.ts'
import type { Target } from './soak/points.ts'
import { type NativeRedis, startNativeRedis } from './support/native-redis.ts'
import { describeWith } from './support/programs.ts'

/** Fixed, so that a failure here is the same failure everywhere (P16). `npm run soak` takes another one each time. */
const seed = 20_260_101
const minutes = 60_000

describeWith('redis-server', 'a crash at any point (the short soak)', (program) => {
  let server: NativeRedis
  let known: Awaited<ReturnType<typeof learnExpected>>

  beforeAll(async () => {
    server = await startNativeRedis(program)
    known = await learnExpected({ server, database: 0, start: startLocalHost })
  }, 3 * minutes)
  afterAll(async () => {
    await server.stop()
  })

  /** Some of the second visits to a point: with every first one, about 300 crashes. The soak has all of them. */
  function laterPasses(random: () => number): Target[] {
    const first = new Set(targetsOf(known.counts, 1).map(({ point, hit }) => `${point} ${hit}`))
    const later = targetsOf(known.counts, 2).filter(({ point, hit }) => !first.has(`${point} ${hit}`))
    return later.sort(() => random() - 0.5).slice(0, 35)
  }

  it('reaches every point before and after every call of every port', () => {
    expect(unreached(known.counts)).toEqual([])
  })

  it(
    'loses and doubles nothing when a life ends there, and the next one soon after (P1, P13, R109, R144, I10)',
    async () => {
      const random = createRandom(seed)
      const stories = withSecond([...targetsOf(known.counts, 1), ...laterPasses(random)], known.counts, random)
      const { expected } = known
      const { failures, crashes } = await runStories(stories, { server, start: startLocalHost, expected, atOnce: 6 })
      expect(failures).toEqual([])
      const reached = new Set(crashes.map((crash) => crash.split(' #')[0]))
      expect([...known.counts.keys()].filter((point) => isReachable(point) && !reached.has(point))).toEqual([])
      expect(crashes.length).toBeGreaterThan(250)
    },
    12 * minutes,
  )

  it(
    'loses and doubles nothing when the process is killed with -9, four times in one story',
    async () => {
      const random = createRandom(seed)
      const targets = targetsOf(known.counts, 1)
        .sort(() => random() - 0.5)
        .slice(0, 8)
      const stories = chains(targets, known.counts, { length: 4, random })
      const { expected } = known
      const { failures, crashes } = await runStories(stories, { server, start: startChildHost, expected, atOnce: 3 })
      expect(failures).toEqual([])
      expect(crashes.length).toBeGreaterThan(25)
    },
    12 * minutes,
  )
})
