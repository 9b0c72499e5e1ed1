import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import type { TaskEvent } from './strategy.ts'

/** A model call, whatever it asked for. */
export function modelCallOf(event: TaskEvent & { kind: 'replied' | 'refused' | 'unavailable' }): TraceEvent {
  const { promptTokens, completionTokens } = event.usage
  const problem =
    event.kind === 'refused' ? `bad_reply: ${event.problem}` : event.kind === 'unavailable' ? 'unavailable' : null
  return {
    kind: 'model_call',
    contract: event.contract,
    ok: problem === null,
    problem,
    ms: event.ms,
    promptTokens,
    completionTokens,
  }
}

type Queued = Extract<Task, { queue: unknown }>

/** What the calls came to that were made. */
export function actedOf(before: Queued, event: TaskEvent & { kind: 'observed' | 'interrupted' }): TraceEvent[] {
  const calls = before.intent === null ? [] : [before.intent, ...before.queue]
  const results = event.kind === 'observed' ? [event, ...(event.along ?? [])] : [{ ok: false, ms: 0 }]
  return calls.slice(0, results.length).map(({ tool, step }, index) => {
    const { ok, ms } = results[index] ?? { ok: false, ms: 0 }
    return { kind: 'acted', tool, step, ok, ms }
  })
}

/** The call that is made next, when it is another than before. */
export function actingOf(before: Queued, after: Queued): TraceEvent[] {
  if (after.intent === null || after.intent.step === before.intent?.step) return []
  return [{ kind: 'acting', tool: after.intent.tool, step: after.intent.step }]
}
