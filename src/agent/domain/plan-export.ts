import { hasEnded, type Run } from './run.ts'
import type { FreeTask, PlanItem, Task } from './task.ts'
import { stepIterationsMost, type TrackedStep, tick } from './tracked-plan.ts'

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
    /** Iterations of a running step that is tracked, and the most that it may have. */
    progress?: { current: number; total: number }
    /** Sub-steps, where it turned out to be several (C127). */
    parts?: { description: string; status: 'pending' | 'completed' }[]
  }[]
  current_step_index: number
  iteration_count: number
  created_at: string
  updated_at: string | null
}

/**
 * The plan of a run as a file. Steps that were tracked come with their results; the plan of another
 * strategy is shown in the same shape.
 *
 * @param ordinal the run's place among those of its conversation, from 1: `plan_<n>`.
 */
export function exportPlan(run: Run, task: Task, ordinal: number): PlanExport {
  const status = statusOf(run)
  const tracked = task.strategy === 'free' ? stepsOf(task) : null
  const steps: PlanExport['steps'] =
    tracked?.map(trackedStep) ?? task.planItems.map((item, index) => plannedStep(task, item, index))
  return {
    id: `plan_${ordinal}`,
    goal: task.goal,
    status,
    steps: hasEnded(run.status) ? steps.map((step) => leftBehind(step, run)) : steps,
    current_step_index: task.currentPlanIndex,
    iteration_count: task.strategy === 'free' ? task.spent.modelCalls : task.spent.iterations,
    created_at: new Date(run.createdAt).toISOString(),
    updated_at: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
  }
}

const stepsOf = ({ plan, inStep = 0 }: FreeTask): readonly TrackedStep[] =>
  plan === null ? [] : tick(plan, inStep).steps

type Step = PlanExport['steps'][number]

function trackedStep({ id, description, status, result, iterations }: TrackedStep): Step {
  const progress = { current: Math.min(iterations, stepIterationsMost), total: stepIterationsMost }
  return { id, description, status, result, progress: status === 'running' ? progress : undefined }
}

function plannedStep(task: Task, { text, done, parts }: PlanItem, index: number): Step {
  const concluded = task.conclusions.findLast((one) => one.item === text)
  const left = concluded?.ok === false ? 'failed' : 'pending'
  const open = index === task.currentPlanIndex ? 'running' : left
  return {
    id: `step_${index + 1}`,
    description: text,
    status: done ? 'completed' : open,
    result: concluded?.text ?? null,
    parts: parts?.map(partOf),
  }
}

const partOf = ({ text, done }: { text: string; done: boolean }) => ({
  description: text,
  status: done ? ('completed' as const) : ('pending' as const),
})

/**
 * C23, C113: sets the running step of an ended plan to failed if the run failed, else to pending.
 */
function leftBehind({ progress: _, ...step }: Step, { status }: Run): Step {
  if (step.status !== 'running') return step
  return { ...step, status: status === 'failed' ? 'failed' : 'pending' }
}

/** A plan's status is a view of its run's: waiting for a person is a pause. */
function statusOf({ status }: Run): PlanExport['status'] {
  if (status === 'succeeded') return 'completed'
  if (hasEnded(status)) return 'failed'
  return status === 'running' || status === 'queued' ? 'running' : 'paused'
}
