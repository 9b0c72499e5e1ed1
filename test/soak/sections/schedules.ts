import { startNativeRedis } from '../../support/native-redis.ts'
import { simulateYear } from '../schedule-year.ts'
import { type Section, seconds, some } from '../section.ts'
import { runTests } from '../vitest.ts'

/** P10: a simulated year in four zones, and a process that is killed around a hundred due instants. */
export const schedules: Section = async (soak) => {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  try {
    const days = some(soak, 365)
    const from = Date.UTC(2026, 0, 1, 0, 10)
    const year = await simulateYear({ redis: server.connect(0), from, days, seed: soak.seed })
    const walked = seconds(performance.now() - began)
    const kills = some(soak, 100)
    const killed = await runTests(['test/schedules/kills.long.test.ts'], {
      CLEW_KILLS: String(kills),
      CLEW_SOAK_SEED: String(soak.seed),
    })
    const { fired, late, missed } = year.rows
    const { outages, restarts, crashes, jumps } = year.tried
    return {
      figures:
        `${days} days in 4 zones: ${year.expected} due slots, ${fired} on time, ${late} late, ${missed} caught up by a later one; ` +
        `${outages} outages, ${restarts} restarts, ${crashes} crashes, ${jumps} jumps of the clock, ${walked}; ` +
        `${kills} kills -9 around a due instant, ${seconds(performance.now() - began)}`,
      failures: [...year.problems, ...killed],
    }
  } finally {
    await server.stop()
  }
}
