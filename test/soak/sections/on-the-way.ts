import { type NativeRedis, startNativeRedis } from '../../support/native-redis.ts'
import { targetsOf } from '../plan.ts'
import type { Target } from '../points.ts'
import { type Findings, type Soak, seconds, some } from '../section.ts'

/** A story on a platform, and what it has to come to. */
interface Way<Outcome> {
  platform: string
  play(
    server: NativeRedis,
    database: number,
    targets: readonly Target[],
  ): Promise<{ outcome: Outcome; crashes: readonly string[]; counts: ReadonlyMap<string, number> }>
  compare(outcome: Outcome, expected: Outcome): void
}

/** Stories that are played at the same time, each on a database of its own. */
const atOnce = 3

/** Points on the way in and out; what happens between is the core's, and has a soak of its own. */
const isOnTheWay = (point: string): boolean =>
  /^(?:channel|inbox|outbox|notes|commits|leases|conversations|wakeups|alarms|schedules)\./.test(
    point,
  )

/** Every point on the way in from a platform and out to it, by kill -9: each thing is said and worked once. */
export async function crashOnTheWay<Outcome>(
  soak: Soak,
  { platform, play, compare }: Way<Outcome>,
): Promise<Findings> {
  const began = performance.now()
  const server = await startNativeRedis(soak.program)
  const failures: string[] = []
  const crashes: string[] = []
  try {
    const smooth = await play(server, 0, [])
    const targets = targetsOf(smooth.counts, 3).filter(({ point }) => isOnTheWay(point))
    const chosen = targets.toSorted(() => soak.random() - 0.5).slice(0, some(soak, targets.length))
    const work = async (database: number) => {
      for (let target = chosen.pop(); target !== undefined; target = chosen.pop()) {
        try {
          const played = await play(server, database, [target])
          crashes.push(...played.crashes)
          compare(played.outcome, smooth.outcome)
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          failures.push(`${target.point} #${target.hit}: ${why}`)
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, (_, index) => work(index)))
  } finally {
    await server.stop()
  }
  const places = new Set(crashes.map((crash) => crash.split(' #')[0])).size
  return {
    figures: `${crashes.length} crashes at ${places} points of the way through ${platform}, ${seconds(performance.now() - began)}`,
    failures,
  }
}
