import { LRUCache } from 'lru-cache'
import { hasEnded, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { ProgressMark } from '../ports/store.ts'

/** Those that wait or are paused are kept, too, as long as there is room. */
const runsLeast = 1_000
/** A mark that was found is looked up at once, or as soon as its turn has come. */
const revisionsMost = 32

export type LiveRuns = ReturnType<typeof createLiveRuns>

/**
 * Runs whose last commit was made here, as that commit left them, so that showing them reads
 * nothing.
 *
 * @param runsAtOnce runs that are driven here at the same time: none of them is let go for another.
 */
export function createLiveRuns(runsAtOnce = 0) {
  const runs = new LRUCache<string, { revisions: readonly string[]; run: Run; task: Task | null }>({
    max: Math.max(runsLeast, 2 * runsAtOnce),
  })
  return {
    note(revision: string, run: Run, task: Task | null) {
      const before = runs.get(run.id)?.revisions ?? []
      runs.set(run.id, { revisions: [...before.slice(1 - revisionsMost), revision], run, task })
    },
    /**
     * Null where the change that the mark names was made elsewhere. `mark` names the newest change
     * that was made here.
     */
    of({
      runId,
      revision,
    }: ProgressMark): { run: Run; task: Task | null; mark: ProgressMark } | null {
      const known = runs.get(runId)
      const newest = known?.revisions.at(-1)
      if (known === undefined || newest === undefined || !known.revisions.includes(revision))
        return null
      return { run: known.run, task: known.task, mark: { runId, revision: newest } }
    },
    /** It was shown: one that has ended is needed no more. */
    shown(runId: string) {
      const known = runs.get(runId)
      if (known !== undefined && hasEnded(known.run.status)) runs.delete(runId)
    },
  }
}
