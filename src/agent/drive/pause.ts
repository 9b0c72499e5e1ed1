import { texts } from '../../locales/texts.ts'
import { ownerOf } from '../domain/run.ts'
import type { PauseReason, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { endOf, isPeriodCeiling } from '../domain/usage.ts'
import { showInstant } from '../domain/zone.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { calling, type Posted, postMessage, runOrigin } from '../kernel/messages.ts'
import { remindedLater } from '../kernel/questions.ts'
import { finishRun, nothingNew } from './finish.ts'
import { failureOf, isGivenUp, modelAway, untilWords } from './model-outage.ts'
import { limitReport } from './pause-report.ts'
import type { Session } from './session.ts'

/** F24: what goes on by itself does so for five budgets, not for ever. */
const budgetsMost = 5

/** C35, C93: a pause in a person's thread, or until the model is back; the end of work that nobody asked for there, with the same text. */
export async function pauseRun(
  session: Session,
  task: Task,
  reason: PauseReason,
): Promise<ChangePart> {
  const { run, deps } = session
  const { timeZone, locale } = await session.surroundings()
  const { core } = texts(locale)
  const show = (instant: number) => showInstant(deps.timesIn(run.workspace), timeZone, instant)
  const at = deps.clock.now()
  const thread = await session.thread()
  const origin = thread === null ? null : runOrigin(run.id, thread.conversation.id, at)
  const failure = failureOf(task)
  const until = failure === null ? null : untilWords(failure, at, show)
  const away = modelAway(task)
  if (away !== null && !isGivenUp(task, away, at)) {
    const text = core.taskAway(run.title, core.modelFailed[away.kind](until))
    return paused(session, reason, {
      at,
      line: origin && postMessage(origin, `away:${away.since}`, text),
      byItself: true,
    })
  }
  const again = isPeriodCeiling(reason) ? show(endOf(reason, at, deps.usage.timeZone)) : null
  const text = limitReport({ task, reason, again, until }, locale)
  const isSpent = deps.onPause === 'auto' && task.spent.pauses >= budgetsMost - 1
  if (task.unattended || thread === null || origin === null || isSpent)
    return await finishRun(session, { status: 'failed', text })
  const line = postMessage(calling(origin, ownerOf(run)), `pause:${task.spent.pauses}`, text)
  return mergeChanges(
    paused(session, reason, { at, line }),
    remindedLater(thread.conversation, at, deps.reminder),
  )
}

/** The task waits where it is stored, and its thread, if there is one, is told. */
function paused(
  session: Session,
  reason: PauseReason,
  { at, line, byItself }: { at: number; line: Posted | null; byItself?: true },
): ChangePart {
  const { id } = session.run
  const said = (line?.messages ?? []).map(
    (message): TraceEvent => ({ kind: 'said', messageId: message.id }),
  )
  return mergeChanges(nothingNew(session), line ?? {}, {
    runs: [{ id, patch: { status: 'paused' }, ...(byItself && { byItself }) }],
    ...traced(id, at, { kind: 'status', status: 'paused', reason }, ...said),
  })
}
