import { assertNever } from '../domain/assert.ts'
import type { FailureKind } from '../domain/model-failure.ts'
import { present } from '../domain/present.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { callsOf, resultsIn } from './calls.ts'
import type { Strategy, TaskEvent } from './strategy.ts'

/**
 * The story of one event for the trace and the progress lines, in the order in which the thread
 * tells it (R38 to R41). What a reply came to is the strategy's to say; all else is the same
 * whatever the way of working.
 */
export function narrate(
  strategy: Strategy,
  before: Task,
  event: TaskEvent,
  after: Task,
): TraceEvent[] {
  switch (event.kind) {
    case 'replied':
      // Calls that a task begins with took no request of its own (C578).
      return present([
        event.usage.requests !== 0 && modelCallOf(event),
        ...strategy.narrate(before, event, after),
      ])
    case 'refused':
    case 'unavailable':
      return [modelCallOf(event)]
    case 'observed':
      // What its agent may not do is no call of a mission (C871).
      if (before.strategy === 'coding') return []
      return [...actedOf(before, resultsIn(event)), ...actingOf(before, after)]
    case 'interrupted':
      return [...actedOf(before, [{ ok: false, ms: 0 }]), ...actingOf(before, after)]
    case 'order_sent':
      return before.intent === null
        ? []
        : [{ kind: 'acting', tool: before.intent.tool, step: before.intent.step }]
    case 'reported': {
      const { status } = event.report
      return actedOf(before, [{ ok: status !== 'failed' && status !== 'partial', ms: event.ms }])
    }
    case 'overdue':
      return actedOf(before, [{ ok: false, ms: event.ms }])
    case 'report_seen':
    case 'agent_at':
    case 'agent_asks':
    case 'no_folder':
    case 'answered':
    case 'joined':
    case 'continued':
      return []
    default:
      return assertNever(event)
  }
}

/** A model call, whatever it asked for. */
export function modelCallOf(
  event: TaskEvent & { kind: 'replied' | 'refused' | 'unavailable' },
): TraceEvent {
  const { contract, usage, ms } = event
  const problem = problemOf(event)
  return { kind: 'model_call', contract, ok: problem === null, problem, ms, ...usage }
}

function problemOf(
  event: TaskEvent & { kind: 'replied' | 'refused' | 'unavailable' },
): string | null {
  if (event.kind === 'refused') return `bad_reply: ${event.problem}`
  return event.kind === 'unavailable' ? unavailableOf(event) : null
}

const unavailableOf = ({ failure }: { failure?: FailureKind }) =>
  failure === undefined ? 'unavailable' : `unavailable: ${failure}`

/** Returns a trace event for each call that was made. */
function actedOf(before: Task, results: readonly { ok: boolean; ms: number }[]): TraceEvent[] {
  const calls = callsOf(before)
  return results.flatMap(({ ok, ms }, index) => {
    const call = calls[index]
    return call === undefined
      ? []
      : [{ kind: 'acted' as const, tool: call.tool, step: call.step, ok, ms }]
  })
}

/** The call that is made next, when it is another than before. */
export function actingOf(before: Task, after: Task): TraceEvent[] {
  if (after.intent === null || after.intent.step === before.intent?.step) return []
  return [{ kind: 'acting', tool: after.intent.tool, step: after.intent.step }]
}

/** The call that is made next, and the end. */
export const callsAndEnd = (before: Task, after: Task): TraceEvent[] =>
  present([
    ...actingOf(before, after),
    after.settled?.kind === 'finished' && { kind: 'task_done' as const },
  ])

/** The list of a task, when it was made or remade. */
export const itemsOf = (task: Task): string[] => task.planItems.map((item) => item.text)

export const replannedOf = (before: Task, after: Task): TraceEvent => ({
  kind: 'replanned',
  items: itemsOf(after),
  change: after.lastChange === before.lastChange ? null : after.lastChange,
})
