import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChildHost } from './soak/child-host.ts'
import { learnExpected, runStories } from './soak/crash.ts'
import { startLocalHost } from './soak/local-host.ts'
import { chains, createRandom, inPairs, isReachable, targetsOf, unreached } from './soak/plan.ts'
import type { Target } from './soak/points.ts'
import { type NativeRedis, startNativeRedis } from './support/native-redis.ts'
import { describeWith } from './support/programs.ts'

/** Fixed, so that a failure here is the same failure everywhere (P16). `npm run soak` takes another one each time. */
const seed = 20_260_101

describeWith('redis-server', 'a crash at any point (the short soak)', (program) => {
  let server: NativeRedis
  let known: Awaited<ReturnType<typeof learnExpected>>

  beforeAll(async () => {
    server = await startNativeRedis(program)
    known = await learnExpected({ server, database: 0, start: startLocalHost })
  })
  afterAll(async () => {
    await server.stop()
  })

  const unreachedOf = (targets: readonly Target[], crashes: readonly string[]) =>
    targets.filter(({ point }) => !crashes.some((crash) => crash.startsWith(`${point} #`)))

  it('reaches every point before and after every call of every port', () => {
    expect(unreached(known.counts)).toEqual([])
  })

  it('loses and doubles nothing when a life ends there, and the next one soon after (P1, P13, R109, R144, I10)', async () => {
    const random = createRandom(seed)
    const settings = { server, start: startLocalHost, expected: known.expected, atOnce: 8 }
    // A twelfth of the points; `npm run soak -- points` crashes at every one of them.
    const points = targetsOf(known.counts, 1).filter(({ point }) => isReachable(point))
    const targets = points.sort(() => random() - 0.5).slice(0, Math.ceil(points.length / 12))
    const pairs = await runStories(inPairs(targets, known.counts, random), settings)
    expect(pairs.failures).toEqual([])
    // After a first crash not every story comes to its second point: those get a story of their own.
    const missed = unreachedOf(targets, pairs.crashes).map((target) => [target])
    const alone = await runStories(missed, settings)
    expect(alone.failures).toEqual([])
    expect(unreachedOf(targets, [...pairs.crashes, ...alone.crashes])).toEqual([])
    expect(targets.length).toBeGreaterThan(8)
  })

  // The suites of Slack and Discord kill twenty more; `npm run soak` hundreds.
  it('loses and doubles nothing when the process is killed with -9, four times in one story', async () => {
    const random = createRandom(seed)
    // A point that is passed again and again, so that the last life comes to it, too.
    const targets = targetsOf(known.counts, 1)
      .filter(
        ({ point }) => (known.counts.get(point) ?? 0) >= 30 && !point.startsWith('leases.renew:'),
      )
      .sort(() => random() - 0.5)
      .slice(0, 1)
    const stories = chains(targets, known.counts, { length: 4, random })
    const { expected } = known
    const { failures, crashes } = await runStories(stories, {
      server,
      start: startChildHost,
      expected,
      atOnce: 1,
    })
    expect(failures).toEqual([])
    expect(crashes).toHaveLength(4)
  })
})
