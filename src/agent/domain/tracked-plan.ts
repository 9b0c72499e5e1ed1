import { z } from 'zod'

/** Step that the model has declared with a `[Step]` line (R74, F22). */
const TrackedStep = z.object({
  /** `step_1`, `step_2` … in the order in which they were declared. */
  id: z.string(),
  description: z.string(),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  /** Results of its last tool calls, when it was completed. */
  result: z.string().nullable(),
  /** Iterations since it began; a person's "continue" does not start it over (F25). */
  iterations: z.int(),
})
export type TrackedStep = z.infer<typeof TrackedStep>

/**
 * The plan of a `free` task (R74). Steps are a linear list, worked in order (R71). Whether it is
 * running, paused, completed or failed follows from its run (`export.ts`), so the two can never
 * differ.
 */
export const TrackedPlan = z.object({
  steps: z.array(TrackedStep),
  /** The step that is being worked on; `steps.length` when all are completed. */
  current: z.int(),
})
export type TrackedPlan = z.infer<typeof TrackedPlan>

/** R81: so many iterations in one step complete it. */
export const stepIterationsMost = 5

export const emptyPlan: TrackedPlan = { steps: [], current: 0 }

/**
 * Adds declared steps at the end; the first open one is running at once (R76, R78). Declared twice
 * is declared once.
 */
export function declare(plan: TrackedPlan, descriptions: readonly string[]): TrackedPlan {
  const known = new Set(plan.steps.map((step) => step.description))
  const fresh = [...new Set(descriptions)].filter((one) => !known.has(one))
  if (fresh.length === 0) return plan
  const added = fresh.map(
    (description, index): TrackedStep => ({
      id: `step_${plan.steps.length + index + 1}`,
      description,
      status: 'pending',
      result: null,
      iterations: 0,
    }),
  )
  return begin({ ...plan, steps: [...plan.steps, ...added] })
}

/** Closes the running step, keeps what it came to, and sets the next one running (R83). */
export function complete(
  plan: TrackedPlan,
  result: string | null,
  status: 'completed' | 'failed' = 'completed',
): TrackedPlan {
  const step = plan.steps[plan.current]
  if (step === undefined) return plan
  const steps = plan.steps.with(plan.current, { ...step, status, result })
  const current = plan.current + 1
  return begin({ ...plan, steps, current })
}

/** Counts further iterations in the running step. */
export function tick(plan: TrackedPlan, times: number): TrackedPlan {
  const step = plan.steps[plan.current]
  if (step === undefined || times === 0) return plan
  return {
    ...plan,
    steps: plan.steps.with(plan.current, { ...step, iterations: step.iterations + times }),
  }
}

function begin(plan: TrackedPlan): TrackedPlan {
  const step = plan.steps[plan.current]
  if (step?.status !== 'pending') return plan
  return { ...plan, steps: plan.steps.with(plan.current, { ...step, status: 'running' }) }
}
