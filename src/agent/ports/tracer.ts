import type { InboxEntry } from '../domain/event.ts'
import type { Run } from '../domain/run.ts'

/**
 * Unit of work as operators see it: one input, a run for as long as it is held here, or one step of
 * it.
 * `came`: true if the step did anything; else it only waits.
 */
export type Traced<T = unknown> =
  | { kind: 'turn'; conversationId: string; entry: InboxEntry }
  | { kind: 'run'; run: Run }
  | { kind: 'step'; came(result: T): boolean }

/**
 * Does the work; the calls that it makes are seen as its parts (C188).
 *
 * Contract: it answers and throws what the work does, and keeps nothing waiting.
 */
export type Tracer = <T>(what: Traced<T>, work: () => Promise<T>) => Promise<T>

export const untraced: Tracer = (_, work) => work()
