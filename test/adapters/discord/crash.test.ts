import { expect, it } from 'vitest'
import { compare, playInDiscord } from '../../soak/discord.ts'
import type { Target } from '../../soak/points.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'

/** One of each kind; `npm run soak -- discord` takes all. */
const targets: Target[] = [
  { point: 'inbox.accept:before', hit: 1 },
  { point: 'inbox.accept:after', hit: 2 },
  { point: 'channel.send:after', hit: 2 },
  { point: 'channel.show:after', hit: 1 },
]

describeWith('redis-server', 'a crash on the way through Discord (the short soak)', (program) => {
  it('loses and doubles nothing by kill -9 before and after each kind of step (P1, P2, P3)', {
    timeout: 300_000,
  }, async () => {
    const server = await startNativeRedis(program)
    try {
      const smooth = await playInDiscord(server, 0, [])
      expect(smooth.outcome).toMatchObject({ plans: 1 })
      for (const target of targets) {
        const { outcome, crashes } = await playInDiscord(server, 0, [target])
        expect(crashes).toEqual([`${target.point} #${target.hit}`])
        compare(outcome, smooth.outcome)
      }
    } finally {
      await server.stop()
    }
  })
})
