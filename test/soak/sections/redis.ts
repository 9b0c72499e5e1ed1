import { setTimeout as wait } from 'node:timers/promises'
import { startNativeRedis } from '../../support/native-redis.ts'
import { type Section, seconds, some } from '../section.ts'
import { playBeside } from './beside.ts'

/**
 * The server is killed with -9 and started again on its append-only file, at random instants of a story, for up to a second
 * and a half. It writes `always`: what other settings lose is measured by `durability` (P7).
 */
export const redis: Section = async ({ random, ...soak }) => {
  const began = performance.now()
  const wanted = some({ random, ...soak }, 60)
  const server = await startNativeRedis(soak.program, { fsync: 'always' })
  try {
    const { count, failures } = await playBeside(server, wanted, async (isOver) => {
      await wait(random() * 900)
      if (isOver()) return false
      await server.kill()
      await wait(random() * 1_500)
      await server.restart()
      return true
    })
    const took = seconds(performance.now() - began)
    return { figures: `${count} kills of redis-server, each within a story, ${took}`, failures }
  } finally {
    await server.stop()
  }
}
