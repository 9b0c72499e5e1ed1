import type { Outbox } from '../../src/agent/ports/store.ts'

/** The line for progress, in memory and among the living alone. */
export function createLine(): Outbox['reserve'] {
  const waiting: { runId: string; isFirst: boolean }[] = []
  let free = 0
  return async (_workspace, { runId, everyMs, isFirst }, now) => {
    if (!waiting.some((one) => one.runId === runId && one.isFirst === isFirst)) {
      leave(runId)
      const place = waiting.findIndex((one) => isFirst && !one.isFirst)
      waiting.splice(place === -1 ? waiting.length : place, 0, { runId, isFirst })
    }
    const at = Math.max(now, free) + waiting.findIndex((one) => one.runId === runId) * everyMs
    if (at > now) return at
    leave(runId)
    free = now + everyMs
    return now
  }

  function leave(runId: string) {
    const place = waiting.findIndex((one) => one.runId === runId)
    if (place !== -1) waiting.splice(place, 1)
  }
}
