import { once } from 'node:events'
import { startChildHost } from '../child-host.ts'
import { gatherCrowd } from '../crowd.ts'
import { type Section, seconds, some } from '../section.ts'

/** P15: SIGTERM with 100 running tasks: the process ends within 10 s, and the next one has all of them. */
export const sigterm: Section = async (soak) => {
  const failures: string[] = []
  const times: number[] = []
  const rounds = some(soak, 3)
  for (let round = 0; round < rounds; round++) {
    const crowd = await gatherCrowd(soak.program)
    try {
      const host = await startChildHost(crowd.life('one', 1_000), [])
      const threads = await crowd.gather(host, 100)
      const ended = once(host.process(), 'exit')
      const at = Date.now()
      const back = host.bounce()
      await ended
      times.push(Date.now() - at)
      await back
      failures.push(...(await crowd.check(threads)))
      await host.close()
    } finally {
      await crowd.stop()
    }
  }
  const latest = Math.max(...times)
  if (latest > 10_000) failures.push(`the process ended only after ${seconds(latest)}`)
  return {
    figures: `100 running tasks at SIGTERM: the process ended after ${times.map(seconds).join(', ')} (P15: 10 s)`,
    failures,
  }
}
