import { hasEnded } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import type { RunInput } from '../ports/store.ts'
import { marked, needing, personOf, statusOf, tellPrivately } from './context.ts'

/**
 * C208: passes a person's edit of the steps that have not begun to the task, before its next step,
 * even while it waits.
 */
export const editPlan = needing('start', (turn) => {
  const { content, author } = turn.entry.event
  if (content.kind !== 'plan_edit') return null
  const { namedRun: run, words } = turn
  if (run === null) return tellPrivately(turn, words.core.runNotFound)
  if (hasEnded(run.status)) {
    const text = words.core.alreadyEnded(run.title, words.task.statuses[run.status])
    return tellPrivately(turn, text)
  }
  const { seen, steps } = content
  const by = { ...personOf(turn), operator: author.operator === true || undefined }
  const input: RunInput = { kind: 'plan_edit', entryId: turn.entry.id, author: by, seen, steps }
  return mergeChanges(
    { expect: [statusOf(run)], inputs: [{ runId: run.id, input }] },
    marked(turn, { kind: 'joined', runId: run.id }),
  )
})
