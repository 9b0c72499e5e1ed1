import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** How late the loop of a process was at most, in milliseconds. */
export interface Stalls {
  /** As a clock on the wall saw it. */
  wall: number
  /** Without the time in which the process stood in the queue for a processor: what is its own doing. */
  own: number
}

/** Often enough that what waited for a processor meanwhile says something of the stall itself. */
const everyMs = 500
/** Of the timer that measures; it fires this late when nothing is wrong. */
const resolutionMs = 10

/**
 * Watches the event loop of a Clew from outside, by `/metrics`, whose figure is the latest since it was last asked for.
 *
 * @returns ends the watch, and answers the worst.
 */
export async function watchStalls(url: string, pid: number): Promise<() => Promise<Stalls>> {
  const worst: Stalls = { wall: 0, own: 0 }
  let over = false
  let waited = queuedMs(pid)
  async function look() {
    const [, seconds] =
      /^clew_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await (await fetch(`${url}/metrics`)).text()) ?? []
    if (seconds === undefined) throw new Error('/metrics says nothing of the event loop')
    const now = queuedMs(pid)
    const late = Number(seconds) * 1000 - resolutionMs
    const seen = { wall: late, own: late - (now - waited) }
    waited = now
    return seen
  }
  // Whatever the start took is not asked for.
  await look()
  const watching = (async () => {
    for (let last = false; !last; ) {
      last = over
      if (!last) await wait(everyMs)
      const { wall, own } = await look()
      worst.wall = Math.max(worst.wall, wall)
      worst.own = Math.max(worst.own, own)
    }
  })()
  return async () => {
    over = true
    await watching
    return worst
  }
}

/** How long the main thread of a process has waited for a processor so far, in milliseconds; 0 where the system does not say. */
export function queuedMs(pid: number): number {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(path)) return 0
  const [, waited = '0'] = readFileSync(path, 'utf8').split(' ')
  return Number(waited) / 1e6
}
