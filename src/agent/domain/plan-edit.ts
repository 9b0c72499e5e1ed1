import { z } from 'zod'
import type { Task } from './task.ts'

/**
 * A person's own replan (C208): the steps that had not begun when they looked, and those that shall
 * be left, in order.
 */
export const PlanEdit = z.object({ seen: z.array(z.string()), steps: z.array(z.string()) })
export type PlanEdit = z.infer<typeof PlanEdit>

/** A person leaves at most so many open steps, each of so many characters. */
export const planEditMost = { steps: 30, characters: 200 }

/**
 * The steps that have not begun, which people may change: the open ones behind the one that is
 * worked on. Null where there is no plan, or where only a strategy from outside knows what its plan
 * means.
 */
export function stepsLeft({ strategy, planItems, currentPlanIndex }: Task): string[] | null {
  if (strategy === 'custom' || planItems.length === 0) return null
  return planItems.slice(currentPlanIndex + 1).flatMap(({ text, done }) => (done ? [] : [text]))
}
