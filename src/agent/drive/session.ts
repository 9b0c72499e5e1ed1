import type { AskingDeps } from '../asking.ts'
import type { FactNote } from '../contracts/input.ts'
import type { Limits, Usage } from '../domain/budget.ts'
import type { Conversation } from '../domain/conversation.ts'
import { scheduleOf } from '../domain/figures.ts'
import type { Message } from '../domain/message.ts'
import type { Overheard } from '../domain/overheard.ts'
import { limitsIn } from '../domain/profile.ts'
import { hasEnded, type Run } from '../domain/run.ts'
import type { OnPause, PendingCall, Task } from '../domain/task.ts'
import type { TraceEvent } from '../domain/trace.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import type { Idle } from '../kernel/idle.ts'
import { lazy } from '../kernel/lazy.ts'
import { Fenced } from '../kernel/lease.ts'
import type { LiveRuns } from '../kernel/live-runs.ts'
import type { AskedElsewhere } from '../kernel/pass-on.ts'
import type { Reminder, Thread } from '../kernel/questions.ts'
import { createMeter, type Meter, payersOf, usageChange } from '../kernel/usage-meter.ts'
import type { WarnOfUsage } from '../kernel/usage-warning.ts'
import type { VerbDeps, Work } from '../kernel/verb.ts'
import type { CodingFolder } from '../ports/coding-folder.ts'
import type { Library } from '../ports/library.ts'
import type { RunInput, RunState, Store } from '../ports/store.ts'
import type { Tool } from '../ports/tool.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { RunType } from '../run-inputs.ts'
import type { AnyEvent } from '../strategies/strategy.ts'
import { nullIfDamaged, readRun } from './broken.ts'
import { spentPart } from './forecast.ts'
import { askingOf } from './run-asking.ts'

export interface DriveDeps extends VerbDeps, AskingDeps, DriveSettings {
  store: Pick<Store, 'runs' | 'conversations' | 'commits' | 'usage' | 'notes' | 'approvals'>
  runTypes: readonly DrivenType[]
  warnOfUsage: WarnOfUsage
  tracer: Tracer
  /** The folder that is shared with a coding agent; none where it is left out. */
  coding?: CodingDeps
  /** Passes on an answer that came before its question stood in the thread (C843). */
  passEarlierOn?: (asked: AskedElsewhere) => Promise<void>
  /** Folders that can be searched; none where it is left out. */
  library?: Library
  live: LiveRuns
}

export interface DriveSettings {
  onPause: OnPause
  /** True if tasks show their plan, and wait, before they act (C764); absent: false. */
  planFirst?: boolean | undefined
  /** Number of follow-ups that may come one after the other by themselves; 0: none (R121). */
  followUp: number
  limits: Limits
  toolTimeoutMs: number
  /** A new message also cuts off the model call in flight, instead of waiting for it (C50). */
  interrupt: boolean
  reminder: Reminder
  /**
   * People whose approvals for others stand for as long as they are admins (C771); absent: nobody.
   */
  admins?: readonly string[]
  /** Setting for the people who may answer questions (C47). */
  whoMayAnswer: 'anyone' | 'owner'
  /** Time that a question of unattended work waits for an answer, in ms (C48). */
  unattendedQuestionMs: number
  defaults: { locale: string; timeZone: string }
}

export interface CodingDeps {
  folder: CodingFolder
  /** Poll interval for a report (R136), in milliseconds. */
  pollMs: number
  /** Without a report for so long an attempt has failed (R135), in milliseconds. */
  timeoutMs: number
}

/** Language and time zone of a run's place, and how far its thread was read. */
type Where = Pick<Conversation, 'locale' | 'timeZone' | 'heard'> &
  Partial<Pick<Conversation, 'address' | 'title'>>

/** Hold of one worker on one run: its state in memory, and the only way to change it. */
export interface Session {
  readonly deps: DriveDeps
  readonly signal: AbortSignal
  run: Run
  task: Task | null
  /** Read from the mailbox and not yet taken in. */
  inputs: RunInput[]
  /** True if nobody looked at its progress when it changed last (C557). */
  isUnseen: boolean
  /**
   * The same, after another look at the mailbox if it holds more; `isNudged`: something may have
   * come in that no commit told of.
   */
  heard(look?: { isNudged: boolean }): Promise<RunInput[]>
  /**
   * Commits a step. `conflict`: something came in that the change did not know of; nothing was
   * written, `inputs` is fresh.
   *
   * @throws Fenced when the run is somebody else's now.
   */
  commit(change: ChangePart, events?: readonly TraceEvent[]): Promise<'committed' | 'conflict'>
  /** Where the run shows itself, as it is now; null while it has no conversation. */
  thread(): Promise<Thread | null>
  /**
   * The conversation's language, and the time zone of who asked where it is known (C194); read
   * once.
   */
  surroundings(): Promise<Where>
  /** Allowance of the day and month that is left to the asker, the channel and everybody (S8). */
  readonly meter: Pick<Meter, 'reached' | 'takes'>
  /** Returns the part of a commit that counts these tokens. */
  spent(usage: Usage): ChangePart
  /**
   * Returns messages in the thread that were not for Clew; read again after something came in
   * (C71).
   */
  overheard(): Promise<readonly Overheard[]>
  /** Returns the newest messages of its conversation; read again after something came in. */
  said(): Promise<readonly Message[]>
  /** Returns the facts that apply to the run, read once (F30). */
  facts(): Promise<readonly FactNote[]>
  /**
   * Looks up the tool of the task's next call, once: its row in the audit and the call go by the
   * same tool.
   */
  lookUp(call: NextCall): LookedUp
}

type NextCall = Pick<PendingCall, 'step' | 'tool' | 'input'>

/** Tool of a call, null where there is none; the error in its input, and whether it only reads. */
export interface LookedUp {
  tool: Tool | null
  problem: string | null
  looks: boolean
}

/** Result of one step of a task: an event, or the time until which it is idle. */
export type StepResult = { event: AnyEvent } | { idle: Idle }

/**
 * Works on a run under its lease until it ends, waits or the process stops.
 *
 * `isNew`: the run began under this hold, so no call was yet made of those that its task decided
 * (C251).
 */
export type Driver = (session: Session, work: Work, isNew: boolean) => Promise<Idle>

/** A kind of work with what does it. */
export interface DrivenType extends RunType {
  drive: Driver
}

/** Takes up a run, and begins it if it may begin. Null when there is no such run. */
export async function openSession(
  deps: DriveDeps,
  work: Work,
  begun: Run | null = null,
): Promise<{ session: Session; isNew: boolean } | null> {
  const state = begun === null ? await readRun(deps, work) : { run: begun, task: null, inputs: [] }
  if (state === null) return null
  const session = createSession(deps, work, state)
  const isNew =
    state.run.status === 'queued' && !(await isBehindAnother(session)) && (await begin(session))
  return { session, isNew }
}

type Read = Pick<RunState, 'run' | 'task' | 'inputs'>

function createSession(deps: DriveDeps, work: Work, { run, task, inputs }: Read): Session {
  const { lease, signal, nextCommit } = work
  const { workspace } = lease.item
  const { requestedBy: person, channel } = run
  const payers = payersOf(person, channel)
  const spender = { ...payers, ...scheduleOf(run), model: deps.model.name }
  const cause = { kind: 'run' as const, refId: run.id }
  const limits = () => limitsIn(deps.usage, deps.profileIn?.(channel) ?? null)
  const meter = createMeter({ limits, counts: deps.store.usage, workspace, payers })
  let waiting = inputs.length
  let looked: { call: NextCall; found: LookedUp } | null = null

  async function refresh() {
    const fresh = await readRun(deps, work)
    if (fresh === null) throw new Fenced(lease.item)
    session.inputs = fresh.inputs
    // An edit of what was asked gives it another name.
    session.run = { ...session.run, title: fresh.run.title }
    waiting = fresh.inputs.length
  }
  const session: Session = {
    deps,
    signal,
    run,
    task,
    inputs,
    isUnseen: false,
    meter,
    async heard({ isNudged } = { isNudged: false }) {
      if (isNudged || waiting > session.inputs.length) await refresh()
      return session.inputs
    },
    async commit(given, events = []) {
      const task = given.task?.after ?? session.task
      const whole = mergeChanges(given, spentPart(session.run, given, task, deps.usage.currency))
      const change = stepOf(session.run, whole, events, deps.clock.now())
      const id = nextCommit()
      const committed = await work.commit(change, {
        id,
        counted: { cause, where: () => whereTold(session, change) },
      })
      if (committed === null) {
        await refresh()
        return 'conflict'
      }
      if ((change.consume ?? 0) > 0) {
        overheard = lazy(() => overheardBy(session))
        said = lazy(() => saidIn(session))
      }
      remember(session, change)
      if (change.progress !== undefined) session.isUnseen = committed.isUnseen === true
      if (change.progress === session.run.id && session.run.conversationId !== null)
        deps.live.note(id, session.run, session.task)
      waiting = committed.waiting
      if (change.usage !== undefined) meter.note(change.usage, committed.usage ?? null)
      return 'committed'
    },
    thread: () => threadOf(session),
    surroundings: lazy(() => surroundingsOf(session)),
    overheard: () => overheard(),
    said: () => said(),
    facts: lazy(() => {
      const { conversationId } = session.run
      return deps.recall({ workspace, channel, person, conversationId: conversationId ?? '' })
    }),
    lookUp(call) {
      if (looked?.call.step !== call.step || looked.call.input !== call.input)
        looked = { call, found: lookedUp(session, call) }
      return looked.found
    },
    spent: (usage) => usageChange(deps.usage, deps.clock.now(), spender, usage),
  }
  let overheard = lazy(() => overheardBy(session))
  let said = lazy(() => saidIn(session))
  return session
}

export function lookedUp(
  { deps, run }: Pick<Session, 'deps' | 'run'>,
  { tool: name, input }: NextCall,
): LookedUp {
  const tool = deps.toolbox.get(name, askingOf(run))
  const problem = tool?.check?.(input) ?? null
  return { tool, problem, looks: problem === null && tool?.looks?.(input) === true }
}

/** C132: the thread of what a run writes, which the same commit may open. */
async function whereTold(session: Session, { conversationId: id }: ChangePart) {
  return id === undefined ? null : { id, ...(await session.surroundings()) }
}

/** Completes the change of a step: adds its trace and resets the run's `attempts`. */
function stepOf(
  { id, conversationId, attempts }: Run,
  change: ChangePart,
  events: readonly TraceEvent[],
  at: number,
) {
  return mergeChanges(
    traced(id, at, ...events),
    change,
    attempts > 0 ? { runs: [{ id, patch: { attempts: 0 } }] } : {},
    // A run whose conversation is gone opens another one.
    conversationId === null || change.conversationId !== undefined ? {} : { conversationId },
  )
}

/** Applies a committed change to the state in memory, so that nothing is read again. */
function remember(session: Session, change: ChangePart) {
  for (const { id, patch } of change.runs ?? []) {
    if (id === session.run.id) session.run = { ...session.run, ...patch }
  }
  if (change.task !== undefined) session.task = change.task.after
  session.inputs = session.inputs.slice(change.consume ?? 0)
}

async function threadOf({ deps, run }: Session): Promise<Thread | null> {
  if (run.conversationId === null) return null
  return await deps.store.conversations.state(run.workspace, run.conversationId, 0)
}

async function surroundingsOf(session: Session): Promise<Where> {
  const { run, deps } = session
  const where = (await session.thread())?.conversation ?? homeOf(run, deps)
  const { language: locale = where.locale } = deps.profileIn?.(run.channel) ?? {}
  return { ...where, locale, timeZone: run.timeZone ?? where.timeZone }
}

async function overheardBy({ deps, run }: Session): Promise<readonly Overheard[]> {
  const { conversationId: id, workspace } = run
  return id === null ? [] : await deps.store.conversations.overheard(workspace, id)
}

/** Number of messages in which words of people are looked for. */
export const messagesRead = 200

async function saidIn({ deps, run }: Session): Promise<readonly Message[]> {
  const { conversationId: id, workspace } = run
  if (id === null) return []
  return (await deps.store.conversations.state(workspace, id, messagesRead))?.messages ?? []
}

/**
 * The language and zone of work that has no conversation yet; those of its channel outweigh others.
 */
export function homeOf(
  run: Run,
  { defaults, profileIn }: Pick<DriveDeps, 'defaults' | 'profileIn'>,
): Pick<Conversation, 'locale' | 'timeZone'> {
  const place = run.schedule?.place ?? defaults
  const { language: locale = place.locale, zone = place.timeZone } = profileIn?.(run.channel) ?? {}
  return { locale, timeZone: zone }
}

/** R120: true if the run of its turn before it has not ended yet. */
async function isBehindAnother({ run, deps }: Session): Promise<boolean> {
  if (run.afterRunId === null) return false
  const before = await deps.store.runs.state(run.workspace, run.afterRunId).catch(nullIfDamaged)
  return before !== null && !hasEnded(before.run.status)
}

/**
 * The end of the run before it wakes this one; a look now and then makes up for a wake that fell
 * between two workers.
 */
const lookAgainMs = 30_000
export function notYet({ deps }: Session): Idle {
  return { kind: 'wakeAt', at: deps.clock.now() + lookAgainMs }
}

async function begin(session: Session): Promise<boolean> {
  const { run, deps } = session
  const startedAt = deps.clock.now()
  const committed = await session.commit(
    { runs: [{ id: run.id, patch: { status: 'running', startedAt } }], progress: run.id },
    [
      {
        kind: 'status',
        status: 'running',
        reason: null,
        ms: Math.max(0, startedAt - run.createdAt),
      },
    ],
  )
  return committed === 'committed'
}
