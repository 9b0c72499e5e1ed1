import { texts } from '../../locales/texts.ts'
import type { FactNote, TeamWords } from '../contracts/input.ts'
import type { Limits } from '../domain/budget.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { Question } from '../domain/question.ts'
import { hasEnded, mayBecome, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import type { DayLimits } from '../domain/usage.ts'
import { asideTrace, isDamaged } from '../kernel/aside.ts'
import { Fenced, type Hold, type LeaseDeps, type Rest } from '../kernel/lease.ts'
import { say, together } from '../kernel/messages.ts'
import type { Reminder } from '../kernel/questions.ts'
import { createMeter, type Meter } from '../kernel/usage-meter.ts'
import type { Library } from '../ports/library.ts'
import type { Model } from '../ports/model.ts'
import type { Aside, Change, RunInput, RunState, Store } from '../ports/store.ts'
import type { Recall } from '../recall.ts'
import type { StrategySetting } from '../strategies/choose.ts'
import type { Toolbox } from '../tools/registry.ts'
import type { OnPause } from '../turn/resume.ts'
import { wakeFor } from '../turn.ts'
import { type CodingDeps, dismiss } from './coding.ts'

export interface DriveDeps extends LeaseDeps {
  store: Pick<Store, 'runs' | 'conversations' | 'commits' | 'usage'>
  model: Model
  toolbox: Toolbox
  recall: Recall
  onPause: OnPause
  /** Of runs that do not say how they are worked on. */
  strategy: StrategySetting
  day: DayLimits
  /** What the team says, as it is now. */
  team?: () => TeamWords
  /** How many runs may follow one another by themselves; 0: none (R121). */
  followUp: number
  /** Null where no folder is shared with a coding agent. */
  coding: CodingDeps | null
  /** Null where no folder may be read. */
  library: Library | null
  limits: Limits
  toolTimeoutMs: number
  /** A new message also cuts off the model call in flight, instead of waiting for it (C50). */
  interrupt: boolean
  reminder: Reminder
  /** How long a question of unattended work waits for an answer (C48). */
  unattendedQuestionMs: number
  defaults: { locale: string; timeZone: string }
}

/** Where a run shows itself: its conversation and the questions that wait in it. */
export interface Place {
  conversation: Conversation
  questions: Question[]
}

/** One worker's hold on one run: the state in memory and the only way to change it. */
export interface Session {
  readonly deps: DriveDeps
  readonly signal: AbortSignal
  readonly onNudge: Hold['onNudge']
  run: Run
  task: Task | null
  /** Read from the mailbox and not yet taken in. */
  inputs: RunInput[]
  /** Entries in the mailbox when it was last looked at. */
  waiting: number
  /**
   * Commits a step. `conflict`: something came in that the change did not know of; nothing was written, `inputs` is fresh.
   *
   * @throws Fenced when the run is somebody else's now.
   */
  commit(change: Partial<Change>, events?: readonly TraceEvent[]): Promise<'committed' | 'conflict'>
  refresh(): Promise<void>
  place(): Promise<Place | null>
  /** The conversation's language and time zone, read once. */
  surroundings(): Promise<{ locale: string; timeZone: string }>
  /** What the day has left, for the person who asked and for everybody (S8). */
  readonly meter: Meter
  /** What is remembered where the run is, read once (F30). */
  facts(): Promise<readonly FactNote[]>
}

/** What was done on a task cannot be read back, so nobody may go on with it. */
class BrokenTask extends Error {
  readonly code = 'damaged_row'
}

/** Null when there is nothing to drive: an unknown run, or one that has ended. */
export async function openSession(deps: DriveDeps, hold: Hold, begun: Run | null = null): Promise<Session | null> {
  const { lease, signal } = hold
  const { workspace, id } = lease.item
  const state = begun === null ? await readRun(deps, hold) : { run: begun, task: null, inputs: [], problem: null }
  if (state === null) return null
  if (state.problem !== null) throw new BrokenTask(state.problem)
  if (hasEnded(state.run.status)) {
    await dismiss(deps, state.run, state.task)
    return null
  }
  let facts: readonly FactNote[] | null = null
  let surroundings: { locale: string; timeZone: string } | null = null

  const session: Session = {
    deps,
    signal,
    onNudge: hold.onNudge,
    run: state.run,
    task: state.task,
    inputs: state.inputs,
    waiting: state.inputs.length,
    meter: createMeter({ limits: deps.day, counts: deps.store.usage, workspace, person: state.run.requestedBy }),
    async commit(change, events = []) {
      const at = deps.clock.now()
      const { conversationId } = session.run
      const whole: Change = {
        id: hold.nextCommit(),
        at,
        // A run whose conversation is gone opens another one: that wins.
        ...(conversationId === null ? {} : { conversationId }),
        ...together(
          { trace: events.map((what) => ({ of: id, entry: { at, what } })) },
          change,
          session.run.attempts > 0 ? { runs: [{ id, patch: { attempts: 0 } }] } : {},
        ),
      }
      const committed = await deps.store.commits.commit(lease, whole)
      if (committed.kind === 'fenced') throw new Fenced(lease.item)
      if (committed.kind === 'conflict') {
        await session.refresh()
        return 'conflict'
      }
      remember(session, whole, committed.waiting)
      if (whole.usage !== undefined) session.meter.note(whole.usage, committed.usage ?? null)
      await wakeFor(deps, workspace, { ...whole, runs: (whole.runs ?? []).filter((one) => one.id !== id) })
      return 'committed'
    },
    async refresh() {
      const fresh = await readRun(deps, hold)
      if (fresh === null) throw new Fenced(lease.item)
      session.inputs = fresh.inputs
      session.waiting = fresh.inputs.length
    },
    async place() {
      const { conversationId } = session.run
      if (conversationId === null) return null
      const found = await deps.store.conversations.state(workspace, conversationId, 0)
      return found === null ? null : { conversation: found.conversation, questions: found.questions }
    },
    async surroundings() {
      const { locale, timeZone } =
        surroundings ?? (await session.place())?.conversation ?? session.run.schedule?.place ?? deps.defaults
      surroundings = { locale, timeZone }
      return surroundings
    },
    async facts() {
      const { channel, conversationId, requestedBy: person } = session.run
      facts ??= await deps.recall({ workspace, channel, conversationId: conversationId ?? '', person })
      return facts
    },
  }
  if (session.run.status === 'queued' && !(await isBehindAnother(session))) await begin(session)
  return session
}

/** P18: what waits for the run and cannot be read is set aside first. */
async function readRun(deps: DriveDeps, { lease, nextCommit }: Hold): Promise<RunState | null> {
  const { workspace, id } = lease.item
  for (;;) {
    const state = await deps.store.runs.state(workspace, id)
    if (state === null || state.damaged.length === 0) return state
    const at = deps.clock.now()
    deps.log.error({ run: id, rows: state.damaged.length }, 'what waits for a run cannot be read and is set aside')
    const aside = state.damaged.map(({ row, problem }): Aside => ({ list: 'inputs', id, row, problem }))
    const { conversationId } = state.run
    const said = conversationId === null ? null : await lineFor(deps, state.run, conversationId, nextCommit())
    const committed = await deps.store.commits.commit(lease, {
      id: nextCommit(),
      at,
      aside,
      drop: state.damaged.map((one) => one.at),
      ...together({ trace: aside.map((one) => asideTrace(id, at, one)) }, said ?? {}),
    })
    if (committed.kind === 'fenced') throw new Fenced(lease.item)
  }
}

/** People said it, so they are told. */
async function lineFor(deps: DriveDeps, run: Run, conversationId: string, purpose: string): Promise<Partial<Change>> {
  const state = await deps.store.conversations.state(run.workspace, conversationId, 0)
  const words = texts(state?.conversation.locale ?? deps.defaults.locale).core.aside.inbox
  const said = say(conversationId, { kind: 'run', refId: run.id }, purpose, words, deps.clock.now(), run.id)
  return { conversationId, ...said }
}

/** One that cannot be read keeps nobody waiting. */
function nullIfDamaged(error: unknown): null {
  if (isDamaged(error)) return null
  throw error
}

/** R120: of several runs of one turn, one that waits until the one before it has ended. */
async function isBehindAnother({ run, deps }: Session): Promise<boolean> {
  if (run.afterRunId === null) return false
  const before = await deps.store.runs.state(run.workspace, run.afterRunId).catch(nullIfDamaged)
  return before !== null && !hasEnded(before.run.status)
}

/** The end of the run before it wakes this one; a look now and then makes up for a wake that fell between two workers. */
const lookAgainMs = 30_000
export function notYet({ deps }: Session): Rest {
  return { kind: 'wakeAt', at: deps.clock.now() + lookAgainMs }
}

/** What was written is what is known; nothing is read again. */
function remember(session: Session, change: Change, waiting: number) {
  for (const { id, patch } of change.runs ?? []) {
    if (id === session.run.id) session.run = { ...session.run, ...patch }
  }
  if (change.task !== undefined) session.task = change.task.after
  session.inputs = session.inputs.slice(change.consume ?? 0)
  session.waiting = waiting
}

async function begin(session: Session) {
  const { run, deps } = session
  if (!mayBecome(run.status, 'running')) return
  await session.commit(
    { runs: [{ id: run.id, patch: { status: 'running', startedAt: deps.clock.now() } }], progress: run.id },
    [{ kind: 'status', status: 'running', reason: null }],
  )
}
