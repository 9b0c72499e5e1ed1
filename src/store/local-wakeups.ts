import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Item, Wakeups } from '../agent/ports/wakeups.ts'

/** As long as a timer of Node can be; a process that is woken early looks and waits on. */
const longestMs = 2 ** 31 - 1

/**
 * Wake-ups where one process has the store to itself (C175): what is due is begun at once, and what is due later has one timer an
 * item, the earliest. A process that dies loses them all; the rows say what is due, and the sweep of the next one finds it (rule 2).
 */
export function createLocalWakeups({ clock, log }: { clock: Clock; log: Log }): Wakeups {
  const stopped = new AbortController()
  const timers = new Map<string, { at: number; stop: AbortController }>()
  const unheard: Item[] = []
  let handle: ((item: Item) => Promise<void>) | null = null

  function begin(item: Item): void {
    if (stopped.signal.aborted) return
    if (handle === null) unheard.push(item)
    else
      handle(item).catch((error: unknown) =>
        log.debug({ item, err: error }, 'a wake-up was not handled'),
      )
  }

  async function beginAt(item: Item, at: number): Promise<void> {
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
