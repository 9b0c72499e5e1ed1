import type { Log } from '../ports/log.ts'
import type { Item } from '../ports/wakeups.ts'
import { nameOf } from './lease.ts'

/**
 * Tracks the items in progress in this process. Each is worked on once at a time. A wake meanwhile
 * makes it look again afterwards, as its release may already have happened.
 */
export function createPool(deps: {
  runsAtOnce: number
  log: Log
  nudges: ReadonlyMap<string, () => void>
}) {
  const again = new Set<string>()
  const going = new Map<string, Promise<void>>()
  const slots = createSlots(deps.runsAtOnce)

  async function workOff(item: Item, name: string, work: () => Promise<void>) {
    do {
      again.delete(name)
      try {
        await work()
      } catch (error) {
        deps.log.error({ item, err: error }, 'item not started or not finished; the sweep retries')
      }
    } while (again.has(name))
    going.delete(name)
    if (item.kind === 'run') slots.release()
  }

  return {
    /** Resolves when the work has begun; a run waits for a free slot when all are taken. */
    async begin(item: Item, work: () => Promise<void>) {
      const name = nameOf(item)
      if (going.has(name)) {
        // An outbox is let go only when it is empty, so that its owner, if it still is one, need
        // not look again.
        const nudge = deps.nudges.get(name)
        if (nudge === undefined || item.kind !== 'outbox') again.add(name)
        nudge?.()
        return
      }
      going.set(name, Promise.resolve())
      if (item.kind === 'run') await slots.take()
      going.set(name, workOff(item, name, work))
    },
    /** Resolves when an item is not worked on here any more. */
    ended: async (item: Item): Promise<void> => await going.get(nameOf(item)),
    /** Runs that would begin at once if they began now. */
    freeSlots: slots.free,
    async idle() {
      await Promise.all(going.values())
    },
  }
}

function createSlots(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    async take() {
      if (taken >= most) return await new Promise<void>((resolve) => waiting.push(resolve))
      taken += 1
    },
    /** A slot that somebody waits for is handed over, so that nobody takes it in between. */
    release() {
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
    },
    free: () => Math.max(0, most - taken),
  }
}
