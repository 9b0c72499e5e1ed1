import type { AuditEntry, Audited } from './audit.ts'
import { deriveId } from './id.ts'
import { ownerOf, type Run } from './run.ts'
import type { Task } from './task.ts'
import type { TraceEvent } from './trace.ts'

/** Name of the coding agent among tools: it is handed files instead of calls. */
export const codingTool = 'coding_agent'

/** Something that a task does outside or to what Clew keeps, before it is done. */
export interface Act {
  step: number
  tool: string
  /** Step whose effect it has, where it makes up for one that was cut off (C13). */
  effect?: number | undefined
}

/** Id under which a call acts once: the same after a crash (rule 5). */
const effectIdOf = (run: Pick<Run, 'id'>, { step, effect = step, tool }: Act) =>
  deriveId('x', run.id, String(effect), tool)

/** Fields of every row about a call of a run. */
export function rowOf(run: Run, act: Act) {
  const { step, tool } = act
  return {
    version: 1 as const,
    workspace: run.workspace,
    thread: run.conversationId,
    by: ownerOf(run)?.id ?? null,
    run: run.id,
    step,
    tool,
    effect: effectIdOf(run, act),
  }
}

/**
 * Row of the outcome of the call that `before` announced, where `after` has it no more (C710). A
 * call that left without a result is `unknown`.
 */
export function outcomeRow(run: Run, before: Task, after: Task): Audited | null {
  const { announced } = before
  const act = announcedIn(before)
  if (announced == null || act === null) return null
  const isOver = after.settled?.kind === 'finished' || after.settled?.kind === 'gave_up'
  if (!isOver && announcedIn({ ...after, announced }) !== null) return null
  const entry = { ...rowOf(run, act), kind: 'outcome' as const }
  if (after.strategy === 'coding') {
    const isSent = after.order?.ordinal === announced && after.order.sentAt !== null
    return { entry: { ...entry, result: isSent ? 'ok' : 'unknown' } }
  }
  const made = after.observations.findLast(({ step }) => step === announced)
  if (made === undefined) return { entry: { ...entry, result: 'unknown' } }
  const result = made.ok ? 'ok' : 'failed'
  return { entry: { ...entry, result: made.unknown ? 'unknown' : result }, contents: made.result }
}

/** Row of a call that a run was stopped in: nobody can tell what became of it. */
export function cutOff(run: Run, task: Task): Audited[] {
  const act = announcedIn(task)
  return act === null ? [] : [{ entry: { ...rowOf(run, act), kind: 'outcome', result: 'unknown' } }]
}

/** The call of a task that is announced and still to be made or waited for. */
function announcedIn(task: Task): Act | null {
  const { announced = null } = task
  if (announced === null) return null
  if (task.strategy === 'coding') {
    const { order } = task
    return order?.ordinal === announced && order.sentAt === null
      ? { step: announced, tool: codingTool }
      : null
  }
  return task.intent?.step === announced ? task.intent : null
}

/** Rows of what people said to calls that had to be approved. */
export function approvalRows(run: Run, trace: readonly TraceEvent[]): Audited[] {
  return trace.flatMap((what): Audited[] => {
    if (what.kind !== 'approval') return []
    const { granted, by, edited, standing } = what
    const entry: AuditEntry = {
      ...rowOf(run, what),
      by: by?.id ?? null,
      kind: 'approval' as const,
      granted,
      standing,
    }
    return [edited === undefined ? { entry } : { entry, contents: edited.to }]
  })
}
