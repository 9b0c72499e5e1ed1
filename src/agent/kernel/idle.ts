import type { Done } from '../ports/store.ts'

/**
 * Outcome of work on an item:
 *
 * - `idle`: nothing is left; an outbox drops what is `done`
 * - `wakeAt`: nothing to do until then unless something comes in; `seen` mailbox entries wait for
 *   that time too
 * - `park`: nothing to do until then, whatever comes in
 * - `over`: never anything again
 */
export type Idle =
  | { kind: 'idle'; done?: Done }
  | { kind: 'wakeAt'; at: number; seen?: number }
  | { kind: 'park'; until: number }
  | { kind: 'over' }
export const idle: Idle = { kind: 'idle' }

/** Runs steps until one reports that it is idle, and returns that. */
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
