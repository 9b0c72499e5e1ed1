import { isTaskType, type Run } from '../domain/run.ts'
import { type ChangePart, mergeChanges, traced } from './change.ts'
import { leaseMs } from './lease.ts'

/** Fields that are the same for every run that has not begun. */
type Unbegun = 'version' | 'status' | 'startedAt' | 'endedAt' | 'error' | 'result' | 'attempts'
type NewRun = Omit<Run, Unbegun | 'parentRunId' | 'afterRunId'> &
  Partial<Pick<Run, 'parentRunId' | 'afterRunId'>>

/**
 * A run that waits to be worked on. Its id follows from what asked for it, so that asking twice
 * makes one (R116).
 */
export function newRun(asked: NewRun): Run {
  return {
    parentRunId: null,
    afterRunId: null,
    ...asked,
    version: 1,
    status: 'queued',
    startedAt: null,
    endedAt: null,
    error: null,
    result: null,
    attempts: 0,
  }
}

/**
 * A run that comes after another in the same place, or tries it again (F27, R121); what people
 * thought of that is its own (C182).
 */
export const runAfter = (
  { feedback: _, from: __, first: ___, forecast: ____, spent: _____, ...parent }: Run,
  asked: Partial<NewRun> & Pick<Run, 'id' | 'createdAt'>,
): Run => newRun({ ...parent, afterRunId: null, ...asked, parentRunId: parent.id })

/**
 * Builds the change that starts runs: their rows, the foreground of their conversation and the
 * trace (R119).
 */
export function createRuns(
  conversationId: string | null,
  runs: readonly Run[],
  at: number,
): ChangePart {
  const shown = conversationId === null ? undefined : runs.find((run) => isTaskType(run.type))
  return {
    create: runs,
    conversation:
      conversationId === null || shown === undefined
        ? undefined
        : { id: conversationId, patch: { foreground: shown.id } },
    progress: shown?.id,
    trace: runs.flatMap(({ id: runId, type, parentRunId, from }) =>
      [conversationId, runId, from === undefined ? null : parentRunId].flatMap((of) =>
        of === null
          ? []
          : traced(of, at, {
              kind: 'created',
              runId,
              type,
              parentRunId,
              from,
            }).trace,
      ),
    ),
  }
}

/** R119: a run begins, or works again. */
export const goesOn = (runId: string, at: number) =>
  traced(runId, at, { kind: 'status', status: 'running', reason: null })

/** Starts runs at once in the process that creates them. */
export interface Beginning {
  /** Runs that this process could begin at once. */
  freeSlots(): number
  /** Works on a run that was made, by this commit, and is held by this process. */
  begin(run: Run, commitId?: string): void
}

/**
 * As many of the new runs as there are places for are made running and held: no queue, no claim and
 * no look delays them.
 *
 * @param may which of them may begin now.
 */
export function beginHere(
  change: ChangePart,
  { now, freeSlots, may }: { now: number; freeSlots: number; may(run: Run): boolean },
): { change: ChangePart; runs: Run[] } {
  const all = change.create ?? []
  const ids = new Set(
    all
      .filter(may)
      .slice(0, Math.max(0, freeSlots))
      .map(({ id }) => id),
  )
  if (ids.size === 0) return { change, runs: [] }
  const create = all.map(
    (run): Run => (ids.has(run.id) ? { ...run, status: 'running', startedAt: now } : run),
  )
  const runs = create.filter(({ id }) => ids.has(id))
  const begun = runs.map(({ id, createdAt }) => {
    const ms = Math.max(0, now - createdAt)
    return traced(id, now, { kind: 'status', status: 'running', reason: null, ms })
  })
  const held: ChangePart = { hold: { runs: ids, until: now + leaseMs } }
  return { change: mergeChanges({ ...change, create }, held, ...begun), runs }
}
