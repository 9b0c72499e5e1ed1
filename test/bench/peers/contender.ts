import { randomUUID } from 'node:crypto'
import { goalOf } from './script.ts'

/** What a contender is told at its start. */
type Settings = Record<'url' | 'redisUrl' | 'folder' | 'strategy', string>
export const { url, redisUrl, folder, strategy }: Settings = JSON.parse(
  process.env.CLEW_BENCH ?? '{}',
)

/** What several runs cost; `stored` is what was handed to a store that is no Redis. */
export interface Cost {
  ms: number
  cpuMs: number
  stored: { statements: number; bytes: number }
}

let played = 0

/** Plays the script, `wide` runs at a time, whenever the bench asks for it. The number of a run is in its goal. */
export function contend(
  play: (id: string, goal: string) => Promise<void>,
  stored = { statements: 0, bytes: 0 },
): void {
  process.on('message', async ({ runs, wide }: { runs: number; wide: number }) => {
    const before = { ...stored }
    const [cpu, began] = [process.cpuUsage(), performance.now()]
    for (let run = 0; run < runs; run += wide)
      await Promise.all(Array.from({ length: wide }, () => play(randomUUID(), goalOf(++played))))
    const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(cpu)]
    const { statements, bytes } = stored
    const more = { statements: statements - before.statements, bytes: bytes - before.bytes }
    process.send?.({ ms, cpuMs: (user + system) / 1000, stored: more } satisfies Cost)
  })
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  process.send?.(null)
}
