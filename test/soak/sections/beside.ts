import { startChildHost } from '../child-host.ts'
import { compare, learnExpected, runStory } from '../crash.ts'

type Server = Parameters<typeof runStory>[0]['server']

/**
 * Plays stories while `fault` goes on beside each, until it happened `wanted` times in all. Compares
 * each with a story in peace: nothing may be lost or twice.
 *
 * @param fault does the next fault; answers if it did one.
 */
export async function playBeside(
  server: Server,
  wanted: number,
  fault: (isOver: () => boolean) => Promise<boolean>,
): Promise<{ count: number; failures: string[] }> {
  const failures: string[] = []
  let count = 0
  const { expected } = await learnExpected({ server, database: 0, start: startChildHost })
  for (let tries = 0; count < wanted && tries < wanted; tries++) {
    let over = false
    const beside = async () => {
      while (!over) if (await fault(() => over)) count += 1
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
    }
    over = true
  }
  return { count, failures }
}
