import { randomUUID } from 'node:crypto'

/** What a contender is told at its start. */
type Settings = Record<'url' | 'redisUrl' | 'folder' | 'strategy', string>
export const { url, redisUrl, folder, strategy }: Settings = JSON.parse(process.env.CLEW_BENCH ?? '{}')

/** What several runs cost; `stored` is what was handed to a store that is no Redis. */
export interface Cost {
  ms: number
  cpuMs: number
  stored: { statements: number; bytes: number }
}

/** Plays the script, one run after the other, whenever the bench asks for it. */
export function contend(play: (id: string) => Promise<void>, stored = { statements: 0, bytes: 0 }): void {
  process.on('message', async ({ runs }: { runs: number }) => {
    const before = { ...stored }
    const [cpu, began] = [process.cpuUsage(), performance.now()]
    for (let run = 0; run < runs; run++) await play(randomUUID())
    const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(cpu)]
    const { statements, bytes } = stored
    const more = { statements: statements - before.statements, bytes: bytes - before.bytes }
    process.send?.({ ms, cpuMs: (user + system) / 1000, stored: more } satisfies Cost)
  })
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  process.send?.(null)
}
