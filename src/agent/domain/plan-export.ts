import { hasEnded, type Run } from './run.ts'
import type { Task } from './task.ts'

/** The shape of `plan.json` (R74, R75, C41): an export, never read back. */
export interface PlanExport {
  id: string
  goal: string
  status: 'running' | 'paused' | 'completed' | 'failed'
  steps: {
    id: string
    description: string
    status: 'pending' | 'running' | 'completed' | 'failed'
    result: string | null
  }[]
  current_step_index: number
  iteration_count: number
  created_at: string
  updated_at: string | null
}

/**
 * The plan of a run as a file. Steps that were tracked come with their results; the plan of another strategy is shown in
 * the same shape.
 *
 * @param ordinal the run's place among those of its conversation, from 1: `plan_<n>`.
 */
export function exportPlan(run: Run, task: Task, ordinal: number): PlanExport {
  const status = statusOf(run)
  const tracked = task.strategy === 'free' ? (task.plan?.steps ?? []) : null
  const steps: PlanExport['steps'] =
    tracked?.map(({ id, description, status: own, result }) => ({ id, description, status: own, result })) ??
    task.planItems.map((item, index) => ({
      id: `step_${index + 1}`,
      description: item.text,
      status: item.done ? 'completed' : index === task.currentPlanIndex ? 'running' : 'pending',
      result: task.conclusions.findLast((one) => one.item === item.text)?.text ?? null,
    }))
  return {
    id: `plan_${ordinal}`,
    goal: task.goal,
    status,
    // C23: what an ended plan left open stays pending.
    steps: steps.map((step) =>
      hasEnded(run.status) && step.status === 'running' ? { ...step, status: 'pending' } : step,
    ),
    current_step_index: task.currentPlanIndex,
    iteration_count: task.strategy === 'free' ? task.spent.modelCalls : task.spent.iterations,
    created_at: new Date(run.createdAt).toISOString(),
    updated_at: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
  }
}

/** A plan's status is a view of its run's: waiting for a person is a pause. */
function statusOf({ status }: Run): PlanExport['status'] {
  if (status === 'succeeded') return 'completed'
  if (status === 'failed' || status === 'canceled') return 'failed'
  return status === 'running' || status === 'queued' ? 'running' : 'paused'
}
