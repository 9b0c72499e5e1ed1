import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src/agent/ports/clock.ts'

/** All processes of one soak stretch the time from this instant on. */
const origin = Date.UTC(2026, 0, 1)

export interface FastClock extends Clock {
  /** Ends every timer and every sleep: the process that they belonged to is dead. */
  end(): void
}

/**
 * The machine's clock, but faster: at speed 10 a lease of 10 s lasts one real second. Every instance that shares a speed
 * shares the time, also across processes, since it is the machine's time that is stretched.
 */
export function createFastClock(speed: number): FastClock {
  const timers = new Set<NodeJS.Timeout>()
  const sleeping = new Set<() => void>()
  let ended = false
  return {
    now: () => Math.round(origin + (Date.now() - origin) * speed),
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (ended || signal?.aborted) return resolve()
        const wake = () => {
          clearTimeout(timer)
          sleeping.delete(wake)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, ms / speed)
        sleeping.add(wake)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
    every(ms, tick) {
      if (ended) return () => {}
      let going = false
      const timer = setInterval(async () => {
        if (going || ended) return
        going = true
        await tick().finally(() => {
          going = false
        })
      }, ms / speed)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        clearInterval(timer)
      }
    },
    randomId: () => randomUUID(),
    end() {
      ended = true
      for (const timer of timers) clearInterval(timer)
      for (const wake of sleeping) wake()
    },
  }
}
