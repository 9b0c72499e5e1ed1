import { expect, it } from 'vitest'
import { compare, playApprovals } from '../../soak/approvals.ts'
import { startChildHost } from '../../soak/child-host.ts'
import { startLocalHost } from '../../soak/local-host.ts'
import type { Target } from '../../soak/points.ts'
import { startNativeRedis } from '../../support/native-redis.ts'
import { describeWith } from '../../support/programs.ts'
import { runs } from '../../support/runs.ts'

/** Around the one call that must not happen twice; `npm run soak -- approvals` takes every point, under every strategy. */
const targets: Target[] = [
  { point: 'tool booking.run:before', hit: 1 },
  { point: 'tool booking.run:after', hit: 1 },
  { point: 'runs.state:before', hit: 2 },
]

describeWith(
  'redis-server',
  'a crash while people are asked for approval (the short soak)',
  (program) => {
    it.each(runs() > 50 ? (['step', 'batch', 'free'] as const) : (['batch'] as const))(
      'books once what is approved and never what is refused, by kill -9, under %s (P1, P13)',
      async (strategy) => {
        const server = await startNativeRedis(program)
        try {
          const smooth = await playApprovals(server, 0, {
            strategy,
            start: startLocalHost,
            targets: [],
          })
          expect(smooth.outcome).toMatchObject({ booked: ['Lisbon'], interrupted: false })
          for (const target of targets) {
            const { outcome, crashes } = await playApprovals(server, 0, {
              strategy,
              start: startChildHost,
              targets: [target],
            })
            expect(crashes).toEqual([`${target.point} #${target.hit}`])
            expect(outcome.interrupted).toBe(target.point.startsWith('tool'))
            compare(outcome, smooth.outcome)
          }
        } finally {
          await server.stop()
        }
      },
    )
  },
)
