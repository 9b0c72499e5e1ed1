import type { CodingTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { modelCallOf } from './narration.ts'
import type { CodingContract, TaskEvent } from './strategy.ts'

/** The story of one event of a mission: its steps, what the agent was given, and what was made of its reports. */
export function narrateCoding(before: CodingTask, event: TaskEvent<CodingContract>, after: CodingTask): TraceEvent[] {
  switch (event.kind) {
    case 'replied':
      return [modelCallOf(event), ...replyOf(before, event, after)]
    case 'refused':
    case 'unavailable':
      return [modelCallOf(event)]
    case 'handed_over':
      return before.intent === null ? [] : [{ kind: 'acting', tool: before.intent.tool, step: before.intent.step }]
    case 'reported':
    case 'overdue': {
      if (before.intent === null) return []
      const ok = event.kind === 'reported' && event.report.status !== 'failed' && event.report.status !== 'partial'
      return [{ kind: 'acted', tool: before.intent.tool, step: before.intent.step, ok, ms: event.ms }]
    }
    default:
      return []
  }
}

function replyOf(
  before: CodingTask,
  event: TaskEvent<CodingContract> & { kind: 'replied' },
  after: CodingTask,
): TraceEvent[] {
  const items = after.planItems.map((item) => item.text)
  switch (event.contract) {
    case 'mission':
      if (before.stage === 'plan') return [{ kind: 'planned', items }]
      return [{ kind: 'replanned', items, change: after.lastChange === before.lastChange ? null : after.lastChange }]
    case 'evaluate': {
      if (after.verdict === null) return []
      const { decision, index, step } = after.verdict
      return [{ kind: 'evaluated', decision, index, step }]
    }
    default:
      return [{ kind: 'task_done' }]
  }
}
