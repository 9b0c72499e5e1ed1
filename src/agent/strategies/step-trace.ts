import type { StepTask } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { modelCallOf } from './narration.ts'
import type { StepContract, TaskEvent } from './strategy.ts'

/** The story of one event, in the order in which the thread tells it (R38 to R40, C57). */
export function narrateStep(before: StepTask, event: TaskEvent<StepContract>, after: StepTask): TraceEvent[] {
  switch (event.kind) {
    case 'replied':
      return [modelCallOf(event), ...narrateReply(before, event, after)]
    case 'refused':
    case 'unavailable':
      return [modelCallOf(event)]
    case 'observed':
      if (before.intent === null) return []
      return [{ kind: 'acted', tool: before.intent.tool, step: before.intent.step, ok: event.ok, ms: event.ms }]
    case 'interrupted':
      if (before.intent === null) return []
      return [{ kind: 'acted', tool: before.intent.tool, step: before.intent.step, ok: false, ms: 0 }]
    default:
      return []
  }
}

function narrateReply(
  before: StepTask,
  event: TaskEvent<StepContract> & { kind: 'replied' },
  after: StepTask,
): TraceEvent[] {
  const items = after.planItems.map((item) => item.text)
  if (event.contract === 'plan') return [{ kind: 'planned', items }]
  if (event.contract === 'replan') {
    if (after.settled?.kind === 'finished') return [{ kind: 'task_done' }]
    return [{ kind: 'replanned', items, change: after.lastChange === before.lastChange ? null : after.lastChange }]
  }
  const index = before.currentPlanIndex
  const { iterations } = after.spent
  if (after.intent !== null)
    return [
      { kind: 'thought', decision: 'act', index, step: iterations },
      { kind: 'acting', tool: after.intent.tool, step: iterations },
    ]
  const decision = after.awaitingClarification ? 'ask' : event.reply.status === 'ask_user' ? 'ask' : 'step_done'
  return [{ kind: 'thought', decision, index, step: iterations }]
}
