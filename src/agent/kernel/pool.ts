import type { Log } from '../ports/log.ts'
import type { Item } from '../ports/wakeups.ts'
import { nameOf } from './lease.ts'

/**
 * What is being worked on in this process. An item is worked on once at a time; a wake that comes meanwhile makes it look
 * again afterwards, because its release may already have happened.
 */
export function createWorking(deps: { runsAtOnce: number; log: Log; nudge: (name: string) => void }) {
  const again = new Set<string>()
  const going = new Map<string, Promise<void>>()
  const waiting: (() => void)[] = []
  let runs = 0

  async function slot(item: Item) {
    if (item.kind !== 'run') return
    if (runs >= deps.runsAtOnce) return await new Promise<void>((resolve) => waiting.push(resolve))
    runs += 1
  }
  /** A place that somebody waits for is handed over, so that nobody takes it in between. */
  function free(item: Item) {
    if (item.kind !== 'run') return
    const next = waiting.shift()
    if (next === undefined) runs -= 1
    else next()
  }
  async function workOff(item: Item, name: string, work: () => Promise<void>) {
    do {
      again.delete(name)
      try {
        await work()
      } catch (error) {
        deps.log.error({ item, err: error }, 'work on an item could not begin or end; the sweep tries again')
      }
    } while (again.has(name))
    going.delete(name)
    free(item)
  }

  return {
    /** Resolves when the work has begun; waits for a free place when all are taken. */
    async begin(item: Item, work: () => Promise<void>): Promise<void> {
      const name = nameOf(item)
      if (going.has(name)) {
        again.add(name)
        deps.nudge(name)
        return
      }
      going.set(name, Promise.resolve())
      await slot(item)
      going.set(name, workOff(item, name, work))
    },
    /** Runs that would begin at once if they began now. */
    places: () => Math.max(0, deps.runsAtOnce - runs),
    async idle(): Promise<void> {
      await Promise.all(going.values())
    },
  }
}
