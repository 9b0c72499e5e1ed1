import { expect, it } from 'vitest'
import { compare, playInDiscord } from '../../soak/discord.ts'
import { startLocalHost } from '../../soak/local-host.ts'
import { crossings, nameOf } from '../../soak/points.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'

/** `npm run soak -- discord` takes all points, one by one. */
describeWith('redis-server', 'a crash on the way through Discord (the short soak)', (program) => {
  it('loses and doubles nothing by kill -9 at ten points where a message, a question and a click cross (P1, P2, P3, P20)', async () => {
    const server = await startNativeRedis(program)
    try {
      const smooth = await playInDiscord(server, 0, [], startLocalHost)
      expect(smooth.outcome).toMatchObject({ plans: 1 })
      expect(smooth.outcome.opened).toHaveLength(2)
      expect(smooth.outcome.deleted.join()).toMatch(/was deleted, so I’ve stopped[\s\S]*mined/)
      const crossed = await playInDiscord(server, 0, crossings)
      compare(crossed.outcome, smooth.outcome)
      // After a kill the story does not always come by the next point: those have a story of their own.
      const missed = crossings.filter((target) => !crossed.crashes.includes(nameOf(target)))
      const alone = await playInDiscord(server, 0, missed)
      compare(alone.outcome, smooth.outcome)
      const crashes = [...crossed.crashes, ...alone.crashes]
      console.info(`Discord was crossed by kill -9 at ${crashes.join(', ')}.`)
      expect(crashes).toEqual(crossings.map(nameOf))
    } finally {
      await server.stop()
    }
  })
})
