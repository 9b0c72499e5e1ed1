import { type Ending, isTaskType } from '../domain/run.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { endedRow, endRun, type RunEnd } from '../kernel/end-run.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import { openThread } from '../kernel/open-thread.ts'
import type { Thread } from '../kernel/questions.ts'
import { homeOf, type Session } from './session.ts'

/** How a run ends, and what it came to. */
export interface End extends Pick<RunEnd, 'text' | 'links' | 'untitled'> {
  status: Extract<Ending, 'succeeded' | 'failed'>
}

/** Enough to find the run that waits behind an old one. */
const runsRead = 50

/** Nothing that came in meanwhile may be lost: an end or a pause holds only while the mailbox is empty (C50, P5). */
export const nothingNew = (session: Session): ChangePart => ({
  expect: [{ kind: 'mailbox', count: session.inputs.length }],
})

/**
 * C122: what a connector started without a place for its report ends in its row alone, unless a question of it opened a thread.
 *
 * @param following what comes after it where no run of the same turn waits for it.
 */
export async function finishRun(
  session: Session,
  end: End,
  following: () => ChangePart = () => ({}),
): Promise<ChangePart> {
  const at = session.deps.clock.now()
  const { run } = session
  const [{ core }, thread, next] = await Promise.all([
    session.words(),
    session.thread(),
    nextOfTurn(session, at),
  ])
  const title =
    end.status === 'succeeded' ? core.titleSucceeded(run.title) : core.titleFailed(run.title)
  if (thread === null && run.connector?.silent)
    return mergeChanges(nothingNew(session), endedRow(run, end.status, end.text, at))
  const { shown, opening } = shownIn(session, thread, title, at)
  const { conversation, ...begun } = next ?? following()
  return mergeChanges(
    nothingNew(session),
    opening,
    endRun(run, shown, { ...end, at, opens: thread === null, reminder: session.deps.reminder }),
    begun,
    // Of a thread that is gone nothing is changed (P18).
    thread === null || conversation === undefined ? {} : { conversation },
  )
}

/** Ends a run that is no task, and looks again when something came in meanwhile. */
export async function endWith(
  session: Session,
  end: End,
  more: ChangePart = {},
  events?: readonly TraceEvent[],
): Promise<Idle> {
  for (;;) {
    const change = mergeChanges(await finishRun(session, end), more)
    const shown = change.progress === undefined ? { progress: session.run.id } : {}
    if ((await session.commit(mergeChanges(change, shown), events)) === 'committed') return idle
  }
}

/** F13: nobody hears of it, unless a thread was opened for it already. */
export async function finishQuietly(session: Session): Promise<ChangePart> {
  const text = (await session.words()).schedule.nothingToReport
  if ((await session.thread()) !== null)
    return await finishRun(session, { status: 'succeeded', text })
  return mergeChanges(
    nothingNew(session),
    endedRow(session.run, 'succeeded', text, session.deps.clock.now()),
  )
}

/** Where a run shows itself: its thread, or the one that it opens with its first question or its final. */
export function shownIn(session: Session, thread: Thread | null, title: string, at: number) {
  const { id: refId, workspace, channel } = session.run
  const { locale, timeZone } = homeOf(session)
  return openThread(
    thread,
    { kind: 'run', refId },
    { workspace, channel, title, locale, timeZone, at },
  )
}

/** R120: the runs of the same turn that waited for this one; the thread's plan is now theirs (C42). Null: none waited. */
async function nextOfTurn({ run, deps }: Session, at: number): Promise<ChangePart | null> {
  if (run.conversationId === null) return null
  const runs = await deps.store.runs.list(run.workspace, runsRead, run.conversationId)
  const next = runs.filter((one) => one.afterRunId === run.id && one.status === 'queued')
  if (next.length === 0) return null
  const shown = next.find((one) => isTaskType(one.type))
  return {
    runs: next.map(({ id }) => ({ id, patch: {}, due: at })),
    ...(shown === undefined
      ? {}
      : { conversation: { id: run.conversationId, patch: { foreground: shown.id } } }),
  }
}
