import { PerformanceObserver, performance } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into Clew's own process by `watchStalls`: says on stderr when its loop stood still, which nobody outside can tell
 * from having to wait for a processor.
 */

const everyMs = 10
/** Shorter ones are nothing to speak of. */
const leastMs = 20

const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function watch(): void {
  let at = performance.now()
  let before = used()
  const collections: { from: number; ms: number }[] = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, ms: duration })
    collections.splice(0, collections.length - 100)
  }).observe({ entryTypes: ['gc'] })
  /** What collections took since then; they are told of a moment later. */
  const collecting = (since: number) =>
    collections.filter(({ from }) => from >= since - everyMs).reduce((sum, { ms }) => sum + ms, 0)
  const look = () => {
    const wall = performance.now() - at - everyMs
    // No delay is longer than it was, and the work between two looks that came in time is none.
    const own = Math.min(wall, used() - before)
    if (wall > leastMs) {
      const since = at
      setTimeout(() => {
        process.stderr.write(
          `stall ${JSON.stringify({ wall, own, gc: Math.min(own, collecting(since)) })}\n`,
        )
      }, everyMs).unref()
    }
    at = performance.now()
    before = used()
  }
  setInterval(look, everyMs).unref()
}

if (isMainThread) watch()
