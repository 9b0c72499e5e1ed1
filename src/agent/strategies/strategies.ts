import type { Task } from '../domain/task.ts'
import { batch } from './batch.ts'
import { free } from './free.ts'
import { step } from './step.ts'
import type { Strategy } from './strategy.ts'

/** Every way of working, by the name that a task carries. */
export const strategies = { step, batch, free } as const satisfies Record<Task['strategy'], object>

/** A task's own strategy. The name that it carries is what ties the two together. */
export function strategyOf(task: Pick<Task, 'strategy'>): Strategy {
  return strategies[task.strategy] as Strategy
}
