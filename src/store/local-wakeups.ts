import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Item, Wakeups } from '../agent/ports/wakeups.ts'

/**
 * Longest delay of a Node timer, in ms. A process that wakes too early looks again and waits on.
 */
const longestMs = 2 ** 31 - 1

/**
 * Wake-ups for a process that has the store to itself (C175). A due item starts at once; a later
 * one has a single timer, set to its earliest time. A process that dies loses all timers: the rows
 * say what is due, and the next process's sweep finds it (rule 2).
 */
export function createLocalWakeups({ clock, log }: { clock: Clock; log: Log }): Wakeups {
  const stopped = new AbortController()
  const timers = new Map<string, { at: number; stop: AbortController }>()
  const unheard: Item[] = []
  let handle: ((item: Item) => Promise<void>) | null = null

  function begin(item: Item) {
    if (stopped.signal.aborted) return
    if (handle === null) unheard.push(item)
    else
      handle(item).catch((error: unknown) =>
        log.debug({ item, err: error }, 'a wake-up was not handled'),
      )
  }

  async function beginAt(item: Item, at: number) {
    const name = `${item.kind} ${item.workspace} ${item.id}`
    const known = timers.get(name)
    if (known !== undefined && known.at <= at) return
    known?.stop.abort()
    const stop = new AbortController()
    timers.set(name, { at, stop })
    await clock.sleep(
      Math.min(at - clock.now(), longestMs),
      AbortSignal.any([stop.signal, stopped.signal]),
    )
    if (stop.signal.aborted) return
    timers.delete(name)
    begin(item)
  }

  return {
    async wake(item, delayMs = 0) {
      if (delayMs <= 0) begin(item)
      else void beginAt(item, clock.now() + delayMs)
    },
    async start(handler) {
      handle = handler
      for (const item of unheard.splice(0)) begin(item)
    },
    health: async () => ({ ok: true, detail: `in this process; ${timers.size} delayed` }),
    async stop() {
      stopped.abort()
    },
  }
}
