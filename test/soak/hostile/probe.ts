import { performance } from 'node:perf_hooks'
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
  const look = () => {
    const wall = performance.now() - at - everyMs
    // No delay is longer than it was, and the work between two looks that came in time is none.
    const own = Math.min(wall, used() - before)
    if (wall > leastMs) process.stderr.write(`stall ${JSON.stringify({ wall, own })}\n`)
    at = performance.now()
    before = used()
  }
  setInterval(look, everyMs).unref()
}

if (isMainThread) watch()
