import { isTaskType, type Run } from '../domain/run.ts'
import { type ChangePart, traced } from './change.ts'

/** What is the same for every run that has not begun. */
type Unbegun = 'version' | 'status' | 'startedAt' | 'endedAt' | 'error' | 'result' | 'attempts'
type NewRun = Omit<Run, Unbegun | 'parentRunId' | 'afterRunId'> & Partial<Pick<Run, 'parentRunId' | 'afterRunId'>>

/** A run that waits to be worked on. Its id follows from what asked for it, so that asking twice makes one (R116). */
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

/** A run that comes after another in the same place, or tries it again (F27, R121). */
export const runAfter = (parent: Run, asked: Partial<NewRun> & Pick<Run, 'id' | 'createdAt'>): Run =>
  newRun({ ...parent, afterRunId: null, ...asked, parentRunId: parent.id })

/** What a commit holds that starts runs: their rows, the foreground of their conversation and the trace (R119). */
export function createRuns(conversationId: string | null, runs: readonly Run[], at: number): ChangePart {
  const shown = conversationId === null ? undefined : runs.find((run) => isTaskType(run.type))
  return {
    create: runs,
    ...(shown === undefined || conversationId === null
      ? {}
      : { conversation: { id: conversationId, patch: { foreground: shown.id } }, progress: shown.id }),
    trace: runs.flatMap(({ id: runId, type, parentRunId }) =>
      [...(conversationId === null ? [] : [conversationId]), runId].flatMap(
        (of) => traced(of, at, { kind: 'created', runId, type, parentRunId }).trace,
      ),
    ),
  }
}

/** R119: a run begins, or works again. */
export const goesOn = (runId: string, at: number) =>
  traced(runId, at, { kind: 'status', status: 'running', reason: null })
