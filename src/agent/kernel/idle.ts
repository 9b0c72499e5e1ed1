import type { Done } from '../ports/store.ts'

/**
 * How work on an item ended: nothing left (`idle`; of an outbox, once what is `done` is off it), nothing until a time unless
 * something comes in (`wakeAt`; `seen` entries of its mailbox wait for that time too), nothing until a time whatever comes in
 * (`park`), or never anything again (`over`).
 */
export type Idle =
  | { kind: 'idle'; done?: Done }
  | { kind: 'wakeAt'; at: number; seen?: number }
  | { kind: 'park'; until: number }
  | { kind: 'over' }
export const idle: Idle = { kind: 'idle' }

/** Takes one step after the other until one of them has nothing to do and answers until when. */
export async function untilIdle(
  signal: AbortSignal,
  step: () => Promise<Idle | null>,
): Promise<Idle> {
  while (!signal.aborted) {
    const ended = await step()
    if (ended !== null) return ended
  }
  return idle
}
