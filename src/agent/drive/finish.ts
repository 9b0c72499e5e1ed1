import type { Texts } from '../../locales/texts.ts'
import { type Ending, isTaskType } from '../domain/run.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { endedRow, endRun, type RunEnd } from '../kernel/end-run.ts'
import { openThread } from '../kernel/open-thread.ts'
import type { Scene } from './scene.ts'
import { homeOf } from './session.ts'

/** Ending of a run, with its result. */
export interface End extends Pick<RunEnd, 'text' | 'links' | 'untitled' | 'steps'> {
  status: Exclude<Ending, 'canceled'>
}

/**
 * Nothing that came in meanwhile may be lost: an end or a pause holds only while the mailbox is
 * empty (C50, P5).
 */
export const nothingNew = ({ inputs }: Scene): ChangePart => ({
  expect: [{ kind: 'mailbox', count: inputs }],
})

/**
 * C122: ends a run. A connector's run without a place for its report ends in its row alone, unless
 * a question of it opened a thread.
 *
 * @param following change that comes after it where no run of the same turn waits for it.
 */
export function finishRun(scene: Scene, end: End, following: ChangePart = {}): ChangePart {
  const { run, thread, settings, now: at } = scene
  const { core } = scene.words
  const title = titled[end.status](core)(run.title)
  if (thread === null && run.connector?.silent)
    return mergeChanges(nothingNew(scene), endedRow(run, { ...end, at }))
  const { shown, opening } = shownIn(scene, title)
  const { conversation, ...begun } = nextOfTurn(scene) ?? following
  return mergeChanges(
    nothingNew(scene),
    opening,
    endRun(run, shown, { ...end, at, opens: thread === null, reminder: settings.reminder }),
    begun,
    // Of a thread that is gone nothing is changed (P18).
    thread === null || conversation === undefined ? {} : { conversation },
  )
}

/** R106: title of a thread that opens with this end. */
const titled: Record<End['status'], (core: Texts['core']) => (title: string) => string> = {
  succeeded: (core) => core.titleSucceeded,
  failed: (core) => core.titleFailed,
  given_up: (core) => core.titleGivenUp,
}

/** F13: nobody hears of it, unless a thread was opened for it already. */
export function finishQuietly(scene: Scene): ChangePart {
  const { run, thread, words, now } = scene
  const text = words.schedule.nothingToReport
  return thread === null || run.conversationId === null
    ? mergeChanges(nothingNew(scene), endedRow(run, { status: 'succeeded', text, at: now }))
    : finishRun(scene, { status: 'succeeded', text })
}

/**
 * Where a run shows itself: its thread, or the one that it opens with its first question or its
 * final.
 */
export function shownIn({ run, thread, settings, now: at }: Scene, title: string) {
  const { id: refId, workspace, channel } = run
  const { locale, timeZone } = homeOf(run, settings)
  const within = run.schedule?.place.thread
  const { shown, opening } = openThread(
    thread,
    { kind: 'run', refId },
    { workspace, channel, title, locale, timeZone, at, within },
  )
  if (thread === null || run.conversationId !== null) return { shown, opening }
  // Others have opened the message's thread meanwhile.
  const conversationId = shown.conversation.id
  return { shown, opening: { conversationId, runs: [{ id: refId, patch: { conversationId } }] } }
}

/**
 * R120: the runs of the same turn that waited for this one; the thread's plan is now theirs (C42).
 * Null: none waited.
 */
function nextOfTurn({ run, next, now }: Scene): ChangePart | null {
  if (run.conversationId === null || next.length === 0) return null
  const shown = next.find((one) => isTaskType(one.type))
  return {
    runs: next.map(({ id }) => ({ id, patch: {}, due: now })),
    conversation: shown && { id: run.conversationId, patch: { foreground: shown.id } },
  }
}
