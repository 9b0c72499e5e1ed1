import type { MissionStep } from '../domain/mission.ts'
import type { CodingTask } from '../domain/task.ts'

/** The thread shows the steps like any plan. */
export function withSteps(task: CodingTask, steps: MissionStep[]): CodingTask {
  const open = steps.findIndex(({ state }) => state === 'open')
  return {
    ...task,
    steps,
    planItems: steps.map(({ title, state }) => ({ text: title, done: state === 'done' })),
    currentPlanIndex: open === -1 ? steps.length : open,
  }
}

export const stepAt = (task: CodingTask): MissionStep | undefined =>
  task.steps[task.currentPlanIndex]

export function marked(task: CodingTask, index: number, state: MissionStep['state']): CodingTask {
  return withSteps(
    task,
    task.steps.map((step, at) => (at === index ? { ...step, state } : step)),
  )
}

/**
 * True if a step is done and all others are done or skipped. A step that a person skipped is no
 * failure.
 */
export function isReached({ steps }: CodingTask): boolean {
  const isDone = steps.some(({ state }) => state === 'done')
  return isDone && steps.every(({ state }) => state === 'done' || state === 'skipped')
}

export function concluded(task: CodingTask, text: string | null, ok: boolean): CodingTask {
  const conclusion = {
    step: task.spent.iterations,
    item: stepAt(task)?.title ?? task.goal,
    text,
    ok,
  }
  return { ...task, conclusions: [...task.conclusions, conclusion] }
}
