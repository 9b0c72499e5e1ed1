import { setTimeout as wait } from 'node:timers/promises'
import { startNativeRedis } from '../../support/native-redis.ts'
import { startChildHost } from '../child-host.ts'
import { compare, learnExpected, runStory } from '../crash.ts'
import { type Section, seconds, some } from '../section.ts'

/**
 * The server is killed with -9 and started again on its append-only file, at random instants of a story, for up to a second
 * and a half. It writes `always`: what other settings lose is measured by `durability` (P7).
 */
export const redis: Section = async ({ random, ...soak }) => {
  const began = performance.now()
  const failures: string[] = []
  const wanted = some({ random, ...soak }, 60)
  let kills = 0
  const server = await startNativeRedis(soak.program, { fsync: 'always' })
  try {
    const { expected } = await learnExpected({ server, database: 0, start: startChildHost })
    for (let tries = 0; kills < wanted && tries < wanted; tries++) {
      let over = false
      const beside = async () => {
        while (!over) {
          await wait(random() * 900)
          if (over) return
          await server.kill()
          kills += 1
          await wait(random() * 1_500)
          await server.restart()
        }
      }
      try {
        const { outcome } = await runStory({
          server,
          database: 1,
          targets: [],
          async start(options, targets) {
            const host = await startChildHost(options, targets)
            const going = beside()
            // The story itself ends in peace: anyone who stops Clew while its store is away waits for the store.
            return {
              ...host,
              async bounce() {
                over = true
                await going
                await host.bounce()
              },
            }
          },
        })
        compare(outcome, expected)
      } catch (error) {
        failures.push(`story ${tries}: ${error instanceof Error ? error.message : String(error)}`)
        over = true
      }
    }
  } finally {
    await server.stop()
  }
  return {
    figures: `${kills} kills of redis-server, each within a story, ${seconds(performance.now() - began)}`,
    failures,
  }
}
