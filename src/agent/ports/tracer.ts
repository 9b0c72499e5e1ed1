import type { InboxEntry } from '../domain/event.ts'
import type { Run } from '../domain/run.ts'

/**
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
