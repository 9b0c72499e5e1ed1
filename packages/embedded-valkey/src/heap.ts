import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Share of a second up to which the thread counts as idle. */
const idleMost = 0.02
/**
 * Time after which it stops looking for an idle second, in ms. A process that was busy throughout
 * has collected by itself.
 */
const lookMs = 30_000

/**
 * Frees the 35 MB of a start, which V8 otherwise keeps while there is little to do. One full
 * collection of this thread's heap does it, in the first idle second: it takes 0.1 s, which nobody
 * may wait for.
 */
export function giveMemoryBack(): void {
  let before = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > idleMost) return
    clearInterval(looking)
    setFlagsFromString('--expose-gc')
    const collect: NonNullable<typeof globalThis.gc> = runInNewContext('gc')
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, 1_000)
  looking.unref()
  setTimeout(() => clearInterval(looking), lookMs).unref()
}
