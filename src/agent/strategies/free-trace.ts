import type { FreeTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { actedOf, actingOf, modelCallOf } from './narration.ts'
import type { FreeContract, TaskEvent } from './strategy.ts'

/** The story of one event of a free loop: the plan when it grows, each step when it is closed. */
export function narrateFree(before: FreeTask, event: TaskEvent<FreeContract>, after: FreeTask): TraceEvent[] {
  switch (event.kind) {
    case 'replied':
      return [
        modelCallOf(event),
        ...planOf(before, after),
        ...actingOf(before, after),
        ...(after.settled?.kind === 'finished' ? [{ kind: 'task_done' } as const] : []),
      ]
    case 'refused':
    case 'unavailable':
      return [modelCallOf(event)]
    case 'observed':
    case 'interrupted':
      return [...actedOf(before, event), ...actingOf(before, after)]
    default:
      return []
  }
}

function planOf(before: FreeTask, after: FreeTask): TraceEvent[] {
  if (after.plan === null || after.plan === before.plan) return []
  const items = after.planItems.map((item) => item.text)
  const grown: TraceEvent[] =
    before.plan === null || items.length > before.planItems.length ? [{ kind: 'planned', items }] : []
  const closed: TraceEvent[] =
    after.plan.current > (before.plan?.current ?? 0)
      ? [{ kind: 'thought', decision: 'step_done', index: after.plan.current - 1, step: after.spent.iterations }]
      : []
  return [...grown, ...closed]
}
