import type { BatchTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { actedOf, actingOf, modelCallOf } from './narration.ts'
import type { BatchContract, TaskEvent } from './strategy.ts'

/** The story of one event of a round (R67, R69). */
export function narrateBatch(before: BatchTask, event: TaskEvent<BatchContract>, after: BatchTask): TraceEvent[] {
  switch (event.kind) {
    case 'replied':
    case 'refused':
    case 'unavailable':
      return [modelCallOf(event), ...roundOf(before, event, after)]
    case 'observed':
    case 'interrupted':
      return [...actedOf(before, event), ...actingOf(before, after)]
    default:
      return []
  }
}

function roundOf(before: BatchTask, event: TaskEvent<BatchContract>, after: BatchTask): TraceEvent[] {
  if (event.kind !== 'replied') return []
  switch (event.contract) {
    case 'plan_tool_call':
      return [{ kind: 'planned', items: after.planItems.map((item) => item.text) }, ...actingOf(before, after)]
    case 'think':
      return [
        { kind: 'round', round: after.rounds, completed: event.reply.task_completed },
        ...(event.reply.task_completed ? [{ kind: 'task_done' } as const] : []),
      ]
    default:
      return []
  }
}
