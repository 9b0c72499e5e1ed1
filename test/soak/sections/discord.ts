import { startNativeRedis } from '../../support/native-redis.ts'
import { compare, isOnTheWay, playInDiscord } from '../discord.ts'
import { targetsOf } from '../plan.ts'
import { type Section, seconds, some } from '../section.ts'

/** Every point on the way in from Discord and out to it, by kill -9: each thing is said and worked once. */
export const discord: Section = async (soak) => {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  const failures: string[] = []
  const crashes: string[] = []
  try {
    const smooth = await playInDiscord(server, 0, [])
    const targets = targetsOf(smooth.counts, 3).filter(
      ({ point }) => isOnTheWay(point) && (smooth.counts.get(point) ?? 0) > 0,
    )
    const chosen = targets.toSorted(() => soak.random() - 0.5).slice(0, some(soak, targets.length))
    for (const target of chosen) {
      const name = `${target.point} #${target.hit}`
      try {
        const played = await playInDiscord(server, 0, [target])
        crashes.push(...played.crashes)
        compare(played.outcome, smooth.outcome)
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  } finally {
    await server.stop()
  }
  const places = new Set(crashes.map((crash) => crash.split(' #')[0])).size
  return {
    figures: `${crashes.length} crashes at ${places} points of the way through Discord, ${seconds(performance.now() - began)}`,
    failures,
  }
}
