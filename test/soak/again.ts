import { startNativeRedis } from '../support/native-redis.ts'
import { startChildHost } from './child-host.ts'
import { compare, learnExpected, runStory } from './crash.ts'
import type { Target } from './points.ts'
import type { Soak } from './section.ts'

/** Plays one story again, with the crashes that a failure named. */
export async function again(soak: Soak, names: string): Promise<void> {
  const targets = names.split(', ').map((name): Target => {
    const [point = '', hit = '1'] = name.split(' #')
    return { point, hit: Number(hit) }
  })
  const server = await startNativeRedis(soak.program)
  try {
    const { expected } = await learnExpected({ server, database: 0, start: startChildHost })
    const { outcome, crashes } = await runStory({
      server,
      database: 1,
      start: startChildHost,
      targets,
    })
    soak.say(`Lives ended at: ${crashes.join(', ') || 'nothing'}`)
    compare(outcome, expected)
    soak.say('The story came to what it has to come to.')
  } finally {
    await server.stop()
  }
}
