import { isWhole } from '../../locales/sentence-end.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { endedRow, endRun, markOf } from '../kernel/end-run.ts'
import { runOrigin } from '../kernel/messages.ts'
import {
  answerWith,
  marked,
  needing,
  personOf,
  statusOf,
  type TurnContext,
  tellPrivately,
} from './context.ts'

/**
 * Stops the current task and says so (R104, R151). The run's fence is raised in the same commit, so the worker that has it
 * can write nothing more and its one terminal message is this one.
 */
export const cancel = needing('stop', (turn) => {
  const { content } = turn.entry.event
  const byClick = content.kind === 'control' && content.action === 'cancel'
  // Said to a question, "never mind" is no answer to it.
  const isOff =
    isWhole('cancelWords', turn.text) ||
    (turn.state.questions.length > 0 && isWhole('neverMindWords', turn.text))
  if (!byClick && !isOff) return null
  if (!byClick && turn.passed.length > 0) return calledOff(turn)
  const { core, task } = turn.words
  const run = byClick ? turn.namedRun : current(turn)
  if (run === null && byClick) return tellPrivately(turn, core.runNotFound)
  if (run === null) return answerWith(turn, core.nothingToCancel)
  if (hasEnded(run.status))
    return tellPrivately(turn, core.alreadyEnded(run.title, task.statuses[run.status]))
  const { now: at, reminder } = turn
  const { id } = turn.state.conversation
  const by = personOf(turn).id
  const others = followers(turn, run)
  const text =
    others.length === 0
      ? core.canceled
      : `${core.canceled} ${core.canceledToo(others.map(({ title }) => title))}`
  return mergeChanges(
    { expect: [statusOf(run)] },
    adopted(turn, run),
    endRun(run, turn.state, { status: 'canceled', text, at, by, reminder }),
    // C146: one line for all of them.
    ...others.flatMap((one) => [
      endedRow(one, 'canceled', '', at),
      markOf(one, runOrigin(one.id, id, at), 'canceled'),
    ]),
    // Of the runs that end here this is the one that the thread shows.
    { progress: run.id },
    marked(turn),
  )
})

/** R105, R106: a run without a thread ends in the one where it is stopped; one that was opened for that is named after it. */
function adopted(
  { entry, state, words }: TurnContext,
  { id: runId, title, conversationId }: Run,
): ChangePart {
  if (conversationId !== null) return {}
  const { id, title: known } = state.conversation
  const named = {
    conversation: { id, patch: { title: words.core.runCanceled(title), lastReadAt: null } },
  }
  return {
    runs: [{ id: runId, patch: { conversationId: id } }],
    ...(known === '' && entry.messageId === null ? named : {}),
  }
}

/** C92: what waits for the model before it is not answered any more; their changes stay in line. */
function calledOff(turn: TurnContext): ChangePart {
  const waiting = [...turn.passed.entries()].filter(
    ([, { event }]) => event.content.kind === 'message',
  )
  return mergeChanges(
    {
      drop: waiting.map(([at]) => at),
      conversation: { id: turn.state.conversation.id, patch: { waiting: null } },
    },
    answerWith(turn, turn.words.core.canceled),
    ...waiting.map(([, entry]) => marked({ ...turn, entry })),
  )
}

/** R120: runs of the same turn that were to come after it. */
function followers(turn: TurnContext, run: Run): Run[] {
  const direct = turn.runs.filter((one) => one.afterRunId === run.id && one.status === 'queued')
  return direct.flatMap((one) => [one, ...followers(turn, one)])
}

/** The foreground run if it still goes on, else the newest one that does. */
function current(turn: TurnContext): Run | null {
  const { foreground } = turn.state
  if (foreground !== null && !hasEnded(foreground.status)) return foreground
  return turn.runs.find((run) => !hasEnded(run.status)) ?? null
}
