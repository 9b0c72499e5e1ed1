import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { simulateYear } from '../soak/schedule-year.ts'
import { describeWith } from '../support/programs.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

/** `CLEW_SOAK_DAYS=365` walks through the whole year; in between the weeks in which clocks are turned. */
const days = Number(process.env.CLEW_SOAK_DAYS ?? 16)

describeWith(
  'redis-server',
  'schedules through the changes of the clocks (the short year)',
  (program) => {
    let server: RedisServer
    let redis: Redis
    beforeAll(async () => {
      server = await startRedis(program)
      redis = server.connect()
    })
    afterAll(() => server.stop())

    it.each([
      ['spring in the north', '2026-03-01'],
      ['spring in Europe, autumn in the south', '2026-03-26'],
      ['spring in the south', '2026-09-01'],
      ['autumn in the north', '2026-10-20'],
    ])('misses and doubles nothing: %s (P10, I7, C46)', async (_, start) => {
      const seed = 20_260_101
      const report = await simulateYear({ redis, from: Date.parse(`${start}T00:10Z`), days, seed })
      expect(report.problems).toEqual([])
      expect(report.expected).toBeGreaterThan(days * 16)
      expect(Object.entries(report.tried).filter(([, count]) => count === 0)).toEqual([])
      expect(report.rows.missed).toBeGreaterThan(0)
    })
  },
)
