import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { needing, personOf, type TurnContext, tellPrivately } from './context.ts'

/** Words of more people than these are not kept; the oldest go first. */
const keptMost = 200

/** C182: stores a person's rating of a report with its run; a second click changes it. */
export const feedback = needing('answer', (turn): ChangePart | null => {
  const { content } = turn.entry.event
  if (content.kind !== 'feedback') return null
  const { core } = turn.words
  const run = turn.namedRun
  if (run === null) return tellPrivately(turn, core.runNotFound)
  const patch = {
    feedback: [...othersOf(turn), { author: personOf(turn), good: content.good, at: turn.now }],
  }
  return mergeChanges(
    { runs: [{ id: run.id, patch }] },
    tellPrivately(turn, core.feedbackKept(content.good)),
  )
})

const othersOf = ({ namedRun, entry }: TurnContext) =>
  (namedRun?.feedback ?? [])
    .filter(({ author }) => author.id !== entry.event.author.id)
    .slice(1 - keptMost)
