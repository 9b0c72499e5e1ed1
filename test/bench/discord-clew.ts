import { createSystemClock } from '../../src/clock.ts'
import { startClew } from '../../src/compose/clew.ts'
import { readConfig } from '../../src/config.ts'
import { silent } from '../support/silent.ts'
import { toolResult } from './script.ts'

/*
 * Clew in Discord as production runs it, in a process of its own. The one thing that is added besides the tool is a watch on
 * the inbox: it tells when a message was stored.
 */

const clew = await startClew(readConfig(JSON.parse(process.env.CLEW_BENCH ?? '{}')), {
  clock: createSystemClock(),
  log: silent,
  tools: [
    {
      name: 'lookup',
      effect: 'none',
      description: 'Looks something up. The input is what to look up, in a few words.',
      run: async (input) => ({ ok: true, text: toolResult(input) }),
    },
  ],
  wrap(_name, port) {
    if (!('accept' in port) || typeof port.accept !== 'function') return port
    const accept = port.accept
    return {
      ...port,
      async accept(...args: unknown[]) {
        const result = await accept.apply(port, args)
        const [event] = args as [{ keys: string[] }]
        process.send?.({ stored: event.keys[0], at: performance.timeOrigin + performance.now() })
        return result
      },
    }
  },
})
process.on('SIGTERM', async () => {
  await clew.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ up: true })
