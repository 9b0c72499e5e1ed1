import { passesByItself } from '../domain/model-failure.ts'
import type { ModelFailure, Task } from '../domain/task.ts'
import type { ChangePart } from '../kernel/change.ts'
import { strategyOf } from '../strategies/strategies.ts'
import type { CallModel } from './call-model.ts'
import type { Session, StepResult } from './session.ts'

/** Work that nobody watches fails when the model stays away for longer. */
const longestMs = 60 * 60_000
/** A model that is back sooner is back before the time is read. */
const untilSaidMs = 2 * 60_000

/** Why the model did not answer, of a task that paused for it (C91). */
export const failureOf = ({ settled }: Task): ModelFailure | null =>
  settled?.kind === 'paused' ? (settled.failure ?? null) : null

/** The same, of a task that goes on by itself when the model is back (C93). */
export function modelAway(task: Task): ModelFailure | null {
  const failure = failureOf(task)
  return failure !== null && passesByItself(failure.kind) ? failure : null
}

export const isGivenUp = (task: Task, { since }: ModelFailure, now: number): boolean =>
  task.unattended && now - since >= longestMs

/** Until when the model takes no requests, where that is known and far enough away to be said. */
export const untilWords = (
  { waitMs }: ModelFailure,
  at: number,
  show: (at: number) => string,
): string | null => (waitMs < untilSaidMs ? null : show(at + waitMs))

/**
 * Tries the request again that the task paused at. While nobody answers nothing changes and nothing
 * is said or counted.
 */
export async function lookAgain(
  { deps }: Session,
  task: Task,
  callModel: CallModel,
): Promise<StepResult | null> {
  const failure = modelAway(task)
  if (failure !== null && isGivenUp(task, failure, deps.clock.now()))
    return { event: { kind: 'away', failure } }
  const awake = strategyOf(task, deps.strategies).apply(task, { kind: 'back' })
  const action = strategyOf(awake, deps.strategies).next(awake)
  if (action.kind !== 'call_model') return { event: { kind: 'back' } }
  const step = await callModel(awake, action.contract)
  if (step === null || 'idle' in step) return step
  const waitMs = stillAwayFor(step.event)
  return waitMs === null ? step : { idle: { kind: 'wakeAt', at: deps.clock.now() + waitMs } }
}

/** Null: it answered, or something else is the matter. */
function stillAwayFor(event: Extract<StepResult, { event: unknown }>['event']): number | null {
  if (event.kind === 'away') return event.failure.waitMs
  return event.kind === 'unavailable' && passesByItself(event.failure ?? 'unreachable')
    ? event.waitMs
    : null
}

/** The model answered: the task works again. */
export async function goOn(session: Session, task: Task): Promise<Task> {
  const { run, deps } = session
  const after = strategyOf(task, deps.strategies).apply(task, { kind: 'back' })
  const change: ChangePart = {
    task: { before: session.task, after },
    runs: [{ id: run.id, patch: { status: 'running' } }],
    progress: run.id,
  }
  await session.commit(change, [{ kind: 'status', status: 'running', reason: null }])
  return after
}
