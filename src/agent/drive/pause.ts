import { ownerOf } from '../domain/run.ts'
import type { PauseReason, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { endOf, isPeriodCeiling } from '../domain/usage.ts'
import { showInstant } from '../domain/zone.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { calling, postMessage, runOrigin } from '../kernel/messages.ts'
import { remindedLater } from '../kernel/questions.ts'
import { failureOf, isGivenUp, modelAway, restUntilBack, untilWords } from './away.ts'
import { finishRun, nothingNew } from './finish.ts'
import { limitReport } from './pause-report.ts'
import type { Session } from './session.ts'

/** F24: what goes on by itself does so for five budgets, not for ever. */
const budgetsMost = 5

/** C35, C93: a pause in a person's thread, or until the model is back; the end of work that nobody asked for there, with the same text. */
export async function pauseRun(session: Session, task: Task, reason: PauseReason): Promise<ChangePart> {
  const { run, deps } = session
  const { timeZone, locale } = await session.surroundings()
  const show = (instant: number) => showInstant(deps.timesIn(run.workspace), timeZone, instant)
  const at = deps.clock.now()
  const away = modelAway(task)
  if (away !== null && !isGivenUp(task, away, at)) return await restUntilBack(session, away)
  const again = isPeriodCeiling(reason) ? show(endOf(reason, at, deps.usage.timeZone)) : null
  const failure = failureOf(task)
  const until = failure === null ? null : untilWords(failure, at, show)
  const text = limitReport({ task, reason, again, until }, locale)
  const isSpent = deps.onPause === 'auto' && task.spent.pauses >= budgetsMost - 1
  const thread = await session.thread()
  if (task.unattended || thread === null || isSpent) return await finishRun(session, { status: 'failed', text })
  const report = postMessage(
    calling(runOrigin(run.id, thread.conversation.id, at), ownerOf(run)),
    `pause:${task.spent.pauses}`,
    text,
  )
  const said = report.messages.map(({ id }): TraceEvent => ({ kind: 'said', messageId: id }))
  return mergeChanges(nothingNew(session), report, remindedLater(thread.conversation, at, deps.reminder), {
    runs: [{ id: run.id, patch: { status: 'paused' } }],
    ...traced(run.id, at, { kind: 'status', status: 'paused', reason }, ...said),
  })
}
