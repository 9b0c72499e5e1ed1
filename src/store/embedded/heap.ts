import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Of a second. */
const idleMost = 0.02
/** A process that has had something to do all the time until then has collected by itself, and has more to collect. */
const lookMs = 30_000

/**
 * Lets the heap grow by 30 % between two full collections. By itself V8 waits until it is four times as large as what is in
 * use: after 10,000 tasks at full speed 558 MB instead of 336, for up to a tenth of the calls (`npm run bench -- aims memory rate`).
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=30')
}

/**
 * A start leaves 35 MB behind that V8 keeps for as long as there is little to do. One full collection of this thread's heap
 * gives them back, in the first second in which nothing is done: it takes a tenth of one, which nobody may wait for (S11).
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
