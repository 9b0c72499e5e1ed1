import type { Task } from '../domain/task.ts'
import { batch } from './batch.ts'
import { coding } from './coding.ts'
import { free } from './free.ts'
import { type Guarded, guarded } from './guards.ts'
import { step } from './step.ts'

/** Every way of working, by the name that a task carries. */
export const strategies = {
  step: guarded(step),
  batch: guarded(batch),
  free: guarded(free),
  coding: guarded(coding),
} as const satisfies Record<Task['strategy'], Guarded>

/** A task's own strategy. The name that it carries is what ties the two together. */
export function strategyOf(task: Pick<Task, 'strategy'>): Guarded {
  return strategies[task.strategy]
}
