import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './agent/ports/clock.ts'

/** The machine's own clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      await wait(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
    },
    every(ms, tick) {
      let going = false
      const timer = setInterval(async () => {
        if (going) return
        going = true
        await tick().finally(() => {
          going = false
        })
      }, ms)
      return () => clearInterval(timer)
    },
    randomId: () => randomUUID(),
  }
}
