import type { Done } from '../ports/store.ts'

/**
 * How work on an item ended: nothing left (`rest`; of an outbox, once what is `done` is off it), nothing until a time unless
 * something comes in (`wakeAt`; `seen` entries of its mailbox wait for that time too), nothing until a time whatever comes in
 * (`park`), or never anything again (`over`).
 */
export type Rest =
  | { kind: 'rest'; done?: Done }
  | { kind: 'wakeAt'; at: number; seen?: number }
  | { kind: 'park'; until: number }
  | { kind: 'over' }
export const rest: Rest = { kind: 'rest' }

/** Takes one step after the other until one of them answers how to rest. */
export async function untilRest(signal: AbortSignal, step: () => Promise<Rest | null>): Promise<Rest> {
  while (!signal.aborted) {
    const ended = await step()
    if (ended !== null) return ended
  }
  return rest
}
