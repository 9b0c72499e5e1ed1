import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { silent } from '../support/silent.ts'
import { configOf } from './config.ts'
import { toolResult } from './script.ts'

/*
 * Clew as production runs it, in a process of its own: the real client of the model, Redis, BullMQ, outbox, page and metrics,
 * with nothing wrapped or switched off. The one thing that is added is a tool that answers at once.
 */

// As `main` does; the version before it did not.
const heap: { collectSooner?(): void } = await import('../../src/heap.ts').catch(() => ({}))
heap.collectSooner?.()
const { LOOKUP_EFFECT: effect = 'none', ...settings } = JSON.parse(process.env.CLEW_BENCH ?? '{}')
const clew = await startClew(configOf(settings), {
  clock: createSystemClock(),
  log: silent,
  tools: [
    {
      name: 'lookup',
      effect,
      description: 'Looks something up. The input is what to look up, in a few words.',
      run: async (input) => ({ ok: true, text: toolResult(input) }),
    },
  ],
})
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', (message) => {
  const loop = { p99: delay.percentile(99) / 1e6 }
  if (typeof message === 'object' && message !== null && 'fresh' in message) delay.reset()
  process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss, loop })
})
process.on('SIGTERM', async () => {
  await clew.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(0))
process.send?.(clew.url ?? '')
