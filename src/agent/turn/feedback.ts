import type { Feedback, Opinion } from '../domain/feedback.ts'
import { opinionMost } from '../domain/feedback-reasons.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type Handler, needing, personOf, type TurnContext, tellPrivately } from './context.ts'
import type { KeepTestDeps } from './keep-test.ts'

/** Words of more people than these are not kept; the oldest go first. */
const keptMost = 200

/**
 * C182: stores a person's rating of a report with its run; a second click changes it. A 👎 without
 * a reason is asked for one (C730).
 */
export const feedbackHandler = ({ tests }: KeepTestDeps): Handler =>
  needing('answer', (turn) => {
    const { content } = turn.entry.event
    return content.kind === 'feedback' ? rated(turn, content, tests !== undefined) : null
  })

function rated(turn: TurnContext, { good, reason, words }: Opinion, keepsTests: boolean) {
  const { core } = turn.words
  const run = turn.namedRun
  if (run === null) return tellPrivately(turn, core.runNotFound)
  const own = ownOf(turn)
  const said: Feedback = {
    // The reason and the words come one after the other; a change of mind drops both.
    ...(own?.good === good ? own : {}),
    ...(reason !== undefined && { reason }),
    ...(words !== undefined && { words: words.trim().slice(0, opinionMost) }),
    author: personOf(turn),
    good,
    at: turn.now,
  }
  const { text, ...asks } = replyTo({ good, reason, words }, run.id)
  return mergeChanges(
    { runs: [{ id: run.id, patch: { feedback: [...othersOf(turn), said] } }] },
    tellPrivately(turn, text, undefined, asks),
  )

  function replyTo(opinion: Opinion, runId: string) {
    if (opinion.good) return { text: core.feedbackKept(true) }
    if (opinion.reason === undefined && opinion.words === undefined)
      return { text: core.feedbackWhy, asks: { about: 'reason' as const, runId } }
    const text = core.feedbackKept(false)
    return keepsTests ? { text, asks: { about: 'test' as const, runId } } : { text }
  }
}

const ownOf = ({ namedRun, entry }: TurnContext) =>
  namedRun?.feedback?.find(({ author }) => author.id === entry.event.author.id)

const othersOf = ({ namedRun, entry }: TurnContext) =>
  (namedRun?.feedback ?? [])
    .filter(({ author }) => author.id !== entry.event.author.id)
    .slice(1 - keptMost)
