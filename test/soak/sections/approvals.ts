import { startNativeRedis } from '../../support/native-redis.ts'
import { compare, playApprovals } from '../approvals.ts'
import { startChildHost } from '../child-host.ts'
import type { StartHost } from '../crash.ts'
import { startLocalHost } from '../local-host.ts'
import { targetsOf, withSecond } from '../plan.ts'
import type { Target } from '../points.ts'
import { type Section, seconds, some } from '../section.ts'

/** Stories that are played at the same time, each on a database of its own. */
const atOnce = 3

/**
 * Every point of a task whose calls have to be approved, under every strategy: each in an abandoned life, with a second crash
 * soon after, and once by kill -9 (P13).
 */
export const approvals: Section = async (soak) => {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  const failures: string[] = []
  const crashes: string[] = []
  try {
    for (const strategy of ['step', 'batch', 'free'] as const) {
      const smooth = await playApprovals(server, 0, {
        strategy,
        start: startLocalHost,
        targets: [],
      })
      const targets = targetsOf(smooth.counts, 3)
      const stories: { start: StartHost; targets: Target[] }[] = [
        ...withSecond(targets, smooth.counts, soak.random).map((two) => ({
          start: startLocalHost,
          targets: two,
        })),
        ...targets
          .filter(({ hit }) => hit === 1)
          .map((target) => ({ start: startChildHost, targets: [target] })),
      ]
      const waiting = stories
        .toSorted(() => soak.random() - 0.5)
        .slice(0, some(soak, stories.length))
      const work = async (database: number) => {
        for (let story = waiting.pop(); story !== undefined; story = waiting.pop()) {
          try {
            const played = await playApprovals(server, database, { strategy, ...story })
            crashes.push(...played.crashes)
            compare(played.outcome, smooth.outcome)
          } catch (error) {
            const names = story.targets.map(({ point, hit }) => `${point} #${hit}`).join(', ')
            failures.push(
              `${strategy}, ${names}: ${error instanceof Error ? error.message : String(error)}`,
            )
          }
        }
      }
      await Promise.all(Array.from({ length: atOnce }, (_, index) => work(index)))
    }
  } finally {
    await server.stop()
  }
  const places = new Set(crashes.map((crash) => crash.split(' #')[0])).size
  return {
    figures: `${crashes.length} crashes at ${places} points under three strategies, ${seconds(performance.now() - began)}`,
    failures,
  }
}
