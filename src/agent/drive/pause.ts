import { worded } from '../../locales/texts.ts'
import { ownerOf } from '../domain/run.ts'
import type { PauseReason, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { endOf, isPeriodCeiling } from '../domain/usage.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { calling, type Posted, postMessage, runOrigin } from '../kernel/messages.ts'
import { remindedLater } from '../kernel/questions.ts'
import { callLines, effectsAmong } from './effects.ts'
import { finishRun, nothingNew } from './finish.ts'
import { failureOf, isGivenUp, modelAway, untilWords } from './model-outage.ts'
import { limitReport } from './pause-report.ts'
import { instantIn, type Scene } from './scene.ts'

/** F24: number of budgets after which work stops going on by itself. */
const budgetsMost = 5

/**
 * C35, C93: a pause in a person's thread, or until the model is back; the end of work that nobody
 * asked for there, with the same text.
 */
export function pauseRun(scene: Scene, task: Task, reason: PauseReason): ChangePart {
  const { run, thread, locale, settings, now: at } = scene
  const { core } = scene.words
  const show = (instant: number) => instantIn(scene, instant)
  const origin = thread && runOrigin(run.id, thread.conversation.id, at)
  const failure = failureOf(task)
  const until = failure && untilWords(failure, at, show)
  const away = modelAway(task)
  if (away !== null && !isGivenUp(task, away, at)) {
    const text = core.taskAway(run.title, worded(core.modelFailed[away.kind], until))
    return paused(scene, reason, {
      line: origin && postMessage(origin, `away:${away.since}`, text),
      byItself: true,
    })
  }
  const again = isPeriodCeiling(reason) ? show(endOf(reason, at, settings.usage.timeZone)) : null
  const did = callLines(effectsAmong(task.observations, run, settings.toolbox), core)
  const name = ownerOf(run)?.name
  const text = limitReport({ task, reason, again, until, name, did }, locale)
  const isSpent = settings.onPause === 'auto' && task.spent.pauses >= budgetsMost - 1
  if (task.unattended || thread === null || origin === null || isSpent)
    return finishRun(scene, { status: 'failed', text })
  const line = postMessage(calling(origin, ownerOf(run)), `pause:${task.spent.pauses}`, text)
  return mergeChanges(
    paused(scene, reason, { line }),
    remindedLater(thread.conversation, at, settings.reminder),
  )
}

/** The task waits where it is stored, and its thread, if there is one, is told. */
function paused(
  scene: Scene,
  reason: PauseReason,
  { line, byItself }: { line: Posted | null; byItself?: true },
): ChangePart {
  const { id } = scene.run
  const said = (line?.messages ?? []).map(
    (message): TraceEvent => ({ kind: 'said', messageId: message.id }),
  )
  return mergeChanges(nothingNew(scene), line ?? {}, {
    runs: [{ id, patch: { status: 'paused' }, ...(byItself && { byItself }) }],
    ...traced(id, scene.now, { kind: 'status', status: 'paused', reason }, ...said),
  })
}
