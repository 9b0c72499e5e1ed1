import type { Clock } from '../../src/agent/ports/clock.ts'

export interface ManualClock extends Clock {
  /** Moves the time on, past everything that waits for it in its order. */
  advance(ms: number): Promise<void>
}

/**
 * A clock that stands still until a test moves it. Its ids are counted, so that one history is always the same; a second
 * clock beside the first one needs another `name`.
 */
export function createManualClock({
  start = Date.UTC(2026, 2, 4, 2),
  name = 'id',
} = {}): ManualClock {
  let now = start
  let made = 0
  const waiting = new Set<{ at: number; wake(): void }>()

  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const sleeper = {
        at: now + ms,
        wake() {
          waiting.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      waiting.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake, { once: true })
    })

  return {
    now: () => now,
    sleep,
    every(ms, tick) {
      const stop = new AbortController()
      void (async () => {
        for (await sleep(ms, stop.signal); !stop.signal.aborted; await sleep(ms, stop.signal))
          await tick()
      })()
      return () => stop.abort()
    },
    randomId: () => `${name}-${++made}`,
    async advance(ms) {
      const end = now + ms
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        now = Math.max(now, next.at)
        next.wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
      now = end
    },
  }
}
