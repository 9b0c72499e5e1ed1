import { expect, it } from 'vitest'
import { compare, playInDiscord } from '../../soak/discord.ts'
import type { Target } from '../../soak/points.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'

/** On the way in and on the way out, one after the other; `npm run soak -- discord` takes all points, one by one. */
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
      expect(smooth.outcome.opened).toHaveLength(2)
      const { outcome, crashes } = await playInDiscord(server, 0, targets)
      expect(crashes).toEqual(targets.map(({ point, hit }) => `${point} #${hit}`))
      compare(outcome, smooth.outcome)
    } finally {
      await server.stop()
    }
  })
})
