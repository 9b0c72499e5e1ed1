import { type Texts, texts } from '../../locales/texts.ts'
import { addressesKnown, foundBy } from '../domain/address.ts'
import type { Argument } from '../domain/argument-origin.ts'
import type { Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { showInstant, type Times } from '../domain/zone.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import { conversationAt } from '../kernel/open-thread.ts'
import type { Thread } from '../kernel/questions.ts'
import { waitsForApproval } from '../strategies/approval.ts'
import { originsIn } from './origins.ts'
import { type DriveDeps, messagesRead, type Session } from './session.ts'
import { looksOf } from './sources.ts'

/**
 * Everything that a run needs to know to say something: read once, and only when something is said.
 * What is said is then decided by pure functions of it.
 */
export interface Scene {
  run: Run
  now: number
  /** Number of entries in the mailbox that the run knows of. */
  inputs: number
  /** Thread in which the run shows itself; null while it has none, and when that is gone. */
  thread: Thread | null
  locale: string
  words: Texts
  timeZone: string
  times: Times
  /** Queued runs of the same turn that wait for this one (R120). */
  next: readonly Run[]
  /** Addresses that may be links in what is said (S21). */
  links: ReadonlySet<string>
  /** Arguments of the call that waits for approval; empty if none does. */
  call: readonly Argument[]
  /** Start of the call whose outcome nobody knows; null where the trace does not say. */
  begunAt: number | null
  settings: Pick<
    DriveDeps,
    | 'onPause'
    | 'followUp'
    | 'limits'
    | 'usage'
    | 'reminder'
    | 'whoMayAnswer'
    | 'defaults'
    | 'toolbox'
  >
}

/** Something that is said, or a run's end, as soon as the scene is known. */
export type Line = (scene: Scene) => ChangePart

/** Enough to find the run that waits behind an old one. */
const runsRead = 50

/** Reads the scene of a run; `task` as it is after what happened, null for a run without one. */
export async function readScene(session: Session, task: Task | null = null): Promise<Scene> {
  const { run, deps } = session
  const { workspace } = run
  const id = run.conversationId ?? placeOf(run)
  const { conversations, runs } = deps.store
  const looks = task === null ? [] : looksOf(session, task)
  const [{ locale, timeZone }, thread, others, begunAt, call] = await Promise.all([
    session.surroundings(),
    id === null ? null : conversations.state(workspace, id, looks.length > 0 ? messagesRead : 0),
    id === null ? [] : runs.list(workspace, runsRead, id),
    task === null ? null : begunAtOf(session, task),
    task === null ? [] : waitingCall(session, task),
  ])
  return {
    run,
    now: deps.clock.now(),
    inputs: session.inputs.length,
    thread,
    locale,
    words: texts(locale),
    timeZone,
    times: deps.timesIn(workspace),
    next: others.filter((one) => one.afterRunId === run.id && one.status === 'queued'),
    links: foundBy(looks, addressesKnown(thread?.messages ?? [])),
    begunAt,
    call,
    settings: deps,
  }
}

const placeOf = ({ workspace, schedule }: Run) =>
  schedule === undefined ? null : conversationAt(workspace, schedule.place)

/** The call of a task that asks what came of it. */
export const unknownCall = ({ observations }: Task) =>
  observations.findLast(({ unknown }) => unknown) ?? observations.at(-1)

async function begunAtOf({ deps, run }: Session, task: Task): Promise<number | null> {
  const { awaitingClarification, lastQuestion } = task
  if (!awaitingClarification || lastQuestion?.reason !== 'outcome_unknown') return null
  const step = unknownCall(task)?.step ?? -1
  const trace = await deps.store.runs.trace(run.workspace, run.id)
  return trace.findLast(({ what }) => what.kind === 'acting' && what.step === step)?.at ?? null
}

async function waitingCall(session: Session, task: Task): Promise<readonly Argument[]> {
  if (!waitsForApproval(task)) return []
  const { intent } = task
  const { tool } = session.lookUp(intent)
  return await originsIn(session, task, { input: intent.input, tool })
}

/** An instant as people of the thread read it. */
export const instantIn = ({ times, timeZone }: Scene, at: number): string =>
  showInstant(times, timeZone, at)

/** Ends a run that is no task: again with a fresh scene where something came in meanwhile. */
export async function endWith(
  session: Session,
  end: Line,
  events?: readonly TraceEvent[],
): Promise<Idle> {
  for (;;) {
    const change = end(await readScene(session))
    const shown = change.progress === undefined ? { progress: session.run.id } : {}
    if ((await session.commit(mergeChanges(change, shown), events)) === 'committed') return idle
  }
}
