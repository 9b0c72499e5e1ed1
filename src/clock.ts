import { randomUUID } from 'node:crypto'
import type { Clock } from './agent/ports/clock.ts'

/** The machine's own clock. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      if (signal?.aborted) return
      // Not the timer of `timers/promises`: each sleep that is cut short would make an error with a
      // stack.
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          resolve()
        }
        const timer = setTimeout(end, ms)
        signal?.addEventListener('abort', end, { once: true })
      })
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
