import type { Outbox } from '../ports/store.ts'

/** Who asks for a place and is not heard of for so long has left the line, in milliseconds. */
const leftAfterMs = 5_000

/** The line that the store keeps for all processes, for what each process paces by itself. */
export function createLine(): Outbox['reserve'] {
  const waiting = new Map<string, { isFirst: boolean; heardAt: number }>()
  let free = 0
  return async (workspace, { runId, everyMs, isFirst }, now) => {
    const name = `${workspace} ${runId}`
    waiting.set(name, { isFirst, heardAt: now })
    for (const [other, { heardAt }] of waiting) if (now - heardAt > leftAfterMs) waiting.delete(other)
    const order = [...waiting].toSorted(([, one], [, other]) => Number(other.isFirst) - Number(one.isFirst))
    const at = Math.max(now, free) + order.findIndex(([other]) => other === name) * everyMs
    if (at > now) return Math.min(at, now + leftAfterMs / 2)
    waiting.delete(name)
    free = now + everyMs
    return now
  }
}
