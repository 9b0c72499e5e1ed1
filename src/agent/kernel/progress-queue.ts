import type { Outbox } from '../ports/store.ts'

/** Time after which a waiter that has not polled is dropped, in milliseconds. */
const leftAfterMs = 5_000

/** Poll interval of waiters further back, in milliseconds. */
const asksAfterMs = leftAfterMs / 2

/**
 * The line that the store keeps for all processes, for what each process paces by itself. Who is
 * first waits for the place that is taken and for nobody else: the ends of a busy team's tasks
 * would stand in line longer and longer.
 */
export function createProgressQueue(): Outbox['reserve'] {
  const waiting = new Map<string, { isFirst: boolean; heardAt: number }>()
  let free = 0
  return async (workspace, { runId, everyMs, isFirst }, now) => {
    const name = `${workspace} ${runId}`
    waiting.set(name, { isFirst, heardAt: now })
    let [before, isBehind] = [0, false]
    for (const [other, one] of isFirst ? [] : waiting) {
      if (before * everyMs >= asksAfterMs) break
      if (now - one.heardAt > leftAfterMs) waiting.delete(other)
      else if (other === name) isBehind = true
      // First ones stand before all others, else in the order of arrival.
      else if (one.isFirst || !isBehind) before += 1
    }
    const at = isFirst ? free : Math.max(now, free) + before * everyMs
    if (at > now) return Math.min(at, now + asksAfterMs)
    waiting.delete(name)
    if (!isFirst) free = now + everyMs
    return now
  }
}
