import { assertNever } from '../domain/assert.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { granted, heldBack, refusal, refused, waitsForApproval } from './approval.ts'
import { editPlan } from './edit-plan.ts'
import { narrate, replannedOf } from './narration.ts'
import type { AnyEvent, GuardEvent, Strategy, TaskContract } from './strategy.ts'

/** A strategy for the driver: it also knows approvals, and what ends or halts a task whatever its way of working. */
export interface Guarded extends Omit<Strategy, 'apply' | 'narrate'> {
  apply(task: Task, event: AnyEvent): Task
  narrate(before: Task, event: AnyEvent, after: Task): TraceEvent[]
}

/** Puts around a strategy what is the same for all of them. */
export function guarded<T extends Task, C extends TaskContract>(plain: Strategy<T, C>): Guarded {
  // The name that a task carries ties it to its strategy; see `strategyOf`.
  const strategy = plain as unknown as Strategy
  return {
    ...strategy,
    apply(task, event) {
      if (isGuardEvent(event)) return applyGuard(task, event)
      if (event.kind !== 'answered' || !waitsForApproval(task)) return strategy.apply(task, event)
      return event.choice === 0 ? granted(task, event.edited) : refused(strategy, task, event)
    },
    narrate(before, event, after) {
      if (isGuardEvent(event))
        return event.kind === 'plan_edited' && before.lastChange !== after.lastChange
          ? [replannedOf(before, after)]
          : []
      if (event.kind !== 'answered' || !waitsForApproval(before)) return narrate(strategy, before, event, after)
      const { tool, step, input } = before.intent
      const { choice, author: by, edited } = event
      const change = edited === undefined ? {} : { edited: { from: input, to: edited } }
      const said: TraceEvent = { kind: 'approval', tool, step, granted: choice === 0, by, ...change }
      return event.choice === 0 ? [said] : [said, ...narrate(strategy, before, refusal(event), after)]
    },
  }
}

const guardKinds: readonly AnyEvent['kind'][] = [
  'held_back',
  'capped',
  'away',
  'back',
  'not_configured',
  'expired',
  'plan_edited',
  'worn_out',
] satisfies GuardEvent['kind'][]

const isGuardEvent = (event: AnyEvent): event is GuardEvent => guardKinds.includes(event.kind)

function applyGuard(task: Task, event: GuardEvent): Task {
  switch (event.kind) {
    case 'held_back':
      return heldBack(task, event.covers)
    case 'capped':
      return { ...task, settled: { kind: 'paused', reason: event.reason } }
    case 'away':
      return { ...task, settled: { kind: 'paused', reason: 'model_unavailable', failure: event.failure } }
    case 'back':
      return { ...task, settled: null, failures: { ...task.failures, unavailable: 0 } }
    case 'not_configured':
      return { ...task, settled: { kind: 'gave_up', reason: 'not_configured' } }
    case 'expired':
      return { ...task, awaitingClarification: false, settled: { kind: 'paused', reason: 'unanswered' } }
    case 'plan_edited':
      return editPlan(task, { id: event.by.id, name: event.by.name }, event) ?? task
    case 'worn_out':
      return { ...task, settled: { kind: 'gave_up', reason: 'attempts' } }
    default:
      return assertNever(event)
  }
}
