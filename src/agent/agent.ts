import type { AskingDeps } from './asking.ts'
import type { Commands } from './commands/registry.ts'
import { createDeliver, type DeliverDeps } from './deliver.ts'
import { platformOf } from './domain/conversation.ts'
import type { Run } from './domain/run.ts'
import { type HeadsPlace, headsRun } from './drive/run-types/audit-head.ts'
import { createRunTypes } from './drive/run-types.ts'
import type { DriveDeps, DrivenType, DriveSettings } from './drive/session.ts'
import { createDrive } from './drive.ts'
import type { KeptTests } from './evaluation/kept-test.ts'
import { watchFolders } from './folder-watch.ts'
import { createHearFirst } from './hear-first.ts'
import { createHooks } from './hooks.ts'
import { type Access, createIntake } from './intake.ts'
import { type LeaseDeps, sweepEveryMs } from './kernel/lease.ts'
import { createLiveRuns } from './kernel/live-runs.ts'
import { createPace, pacedCommits, pacedModel } from './kernel/pace.ts'
import { type AskedElsewhere, type PassOnDeps, passEarlierOn } from './kernel/pass-on.ts'
import { createPool } from './kernel/pool.ts'
import { createUsageWarning } from './kernel/usage-warning.ts'
import { createBreaker } from './model/breaker.ts'
import { createPlaceOf } from './place.ts'
import type { Channel, Intake } from './ports/channel.ts'
import type { Listener } from './ports/listener.ts'
import type { Store } from './ports/store.ts'
import { type Tracer, untraced } from './ports/tracer.ts'
import type { Item, Wakeups } from './ports/wakeups.ts'
import type { QuietStore } from './quiet-hours.ts'
import { createRecall, expireProposals, type RecallDeps } from './recall.ts'
import type { Recorder } from './recording/recorder.ts'
import type { Recordable } from './recording/tape.ts'
import { createFire, repairEveryMs } from './schedules/fire.ts'
import { wakingSchedules } from './schedules/wake-on-write.ts'
import { createStrategies, type Strategies } from './strategies/strategies.ts'
import type { DecideDeps } from './turn/ask-model.ts'
import { createEye } from './turn/look-at-images.ts'
import type { AnswersSetting } from './turn/meant-for.ts'
import { createTurn } from './turn.ts'

type AskingSettings = Pick<AskingDeps, 'strategy' | 'threadTokens' | 'timesIn' | 'usage'> &
  Pick<RecallDeps, 'isAlone'>

export interface AgentSettings
  extends DriveSettings,
    AskingSettings,
    Pick<DeliverDeps, 'atMostOnce'> {
  access: Access
  /** When words count that neither mention Clew nor are sent to it directly (C77). */
  answersTo: AnswersSetting
  /** People who may approve what takes effect outside, no matter who asked for it. */
  admins: readonly string[]
  decision: Pick<DecideDeps, 'loopEnabled' | 'allowedTypes' | 'beginsWork' | 'timeoutMs'>
  /** Messages that one person may send in a minute; 0: any number (S8). */
  messagesPerMinute: number
  /** True if this process works on conversations and runs. Its channels deliver in any case. */
  worker: boolean
  /** True if this process fires alarms: schedules and reminders. */
  scheduler: boolean
  /** Runs that are driven here at the same time. */
  runsAtOnce: number
  /** Time for which an idle thread is kept, in ms; 0 for ever. */
  retentionMs: number
  /** Age at which rows of the audit are removed (C714), in ms; 0: never. */
  auditMs: number
  /** Channel for the newest rows of the audit, once a day (C719). */
  auditHeads: HeadsPlace | null
}

type SharedDeps = Pick<
  AskingDeps,
  'clock' | 'log' | 'model' | 'toolbox' | 'team' | 'profileIn' | 'drafts'
>

export interface AgentDeps extends SharedDeps, Pick<DriveDeps, 'coding' | 'library'> {
  store: Store
  wakeups: Wakeups
  commands: Commands
  /** Hours in which people are not called (C490). */
  quiet: Pick<QuietStore, 'of'>
  /** Clew's own ways of working where it is left out. */
  strategies?: Strategies
  /** Clew's own kinds of work where it is left out. */
  runTypes?: readonly DrivenType[]
  channels: readonly Channel[]
  /** Nothing is listened to where it is left out. */
  listener?: Listener | undefined
  /** Nothing is traced where it is left out. */
  tracer?: Tracer
  /** Nothing is recorded where it is left out. */
  recorder?: Recorder
  /** Runs cannot be kept as tests where it is left out. */
  tests?: KeptTests
  settings: AgentSettings
}

export interface Agent {
  readonly intake: Intake
  /**
   * Until when this process sends the model nothing, since it is away; null while it is asked
   * (C93).
   */
  modelAwayUntil(): number | null
  start(): Promise<void>
  /** Hands everything over to the next worker; within 8 s. */
  stop(): Promise<void>
}

/**
 * Stopping takes at most this long; what has not ended by then is taken over when its lease ends
 * (P15).
 */
const stopWithinMs = 8_000
const sweepMost = 500
const dayMs = 24 * 60 * 60 * 1000
const purgeEveryMs = 60 * 60 * 1000
/**
 * Rest between parts of the index that are brought up to date, so that people's work comes first.
 */
const indexRestMs = 50
/** Part from which people are told of it: fewer are done within a second. */
const saidFrom = 5

/** With what holds where nothing else is given. */
type Wired = AgentDeps & Required<Pick<AgentDeps, 'strategies' | 'runTypes' | 'tracer'>>

/** Wires the verbs together: intake → turn → drive → deliver, each woken by its items. */
export function createAgent(given: AgentDeps): Agent {
  const pace = createPace()
  const breaker = createBreaker(given.model, given.clock)
  const deps: Wired = {
    strategies: createStrategies(),
    runTypes: createRunTypes(),
    tracer: untraced,
    ...given,
    model: pacedModel(breaker, pace),
    store: { ...given.store, commits: pacedCommits(given.store.commits, pace) },
  }
  const { store, clock, log, settings, channels } = deps
  const channelOf = (platform: string) =>
    channels.find((channel) => channel.platform === platform) ?? null
  const stop = new AbortController()
  const nudges = new Map<string, () => void>()
  const pool = createPool({ runsAtOnce: settings.runsAtOnce, log, nudges })

  const isOurs = (item: Item) => {
    if (item.kind === 'outbox') return channelOf(platformOf(item.workspace)) !== null
    return item.kind === 'schedules' ? settings.scheduler : settings.worker
  }
  const hearFirst = createHearFirst({ channelOf, store, pool, clock })
  // Hearing is work that has begun: a turn that wakes a run is not waited for by it.
  const workOn = async (item: Item) => {
    await hearFirst(item)
    if (!stop.signal.aborted) await verbs[item.kind](item, stop.signal)
  }
  const handle = async (item: Item) => {
    if (!stop.signal.aborted && isOurs(item)) await pool.begin(item, () => workOn(item))
  }
  // A run for which there is no place here goes where there is one.
  const isHere = (item: Item) =>
    isOurs(item) && !stop.signal.aborted && (item.kind !== 'run' || pool.freeSlots() > 0)
  const wakeups = wakingHere(deps, isHere, handle)
  const shared: LeaseDeps & { store: Store } = {
    leases: store.leases,
    wakeups,
    clock,
    log,
    nudges,
    store,
  }
  const verbs = createVerbs(deps, { shared, pool, channelOf, stop: stop.signal })
  const intake = createIntake({ ...settings, inbox: store.inbox, rates: store.rates, wakeups, log })
  let stopChores = () => {}
  return {
    intake,
    modelAwayUntil: breaker.awayUntil,
    async start() {
      for (const channel of channels) await channel.start(intake)
      for (const item of await store.leases.reclaim()) void handle(item)
      await deps.wakeups.start(handle)
      stopChores = await startChores(deps, handle)
    },
    async stop() {
      stopChores()
      const stopped = await Promise.allSettled(
        channels.map(async (channel) => await channel.stop()),
      )
      // One that cannot end in order keeps neither the others nor the work from it.
      for (const one of stopped)
        if (one.status === 'rejected') log.warn({ err: one.reason }, 'channel did not stop cleanly')
      stop.abort()
      await Promise.race([pool.idle(), clock.sleep(stopWithinMs)])
      await deps.wakeups.stop()
    },
  }
}

/**
 * A wake is only a hint and never fails anybody's work. What this process can do itself needs no
 * job in the queue: its row is due in the store, where the sweep of any process finds it if this
 * one dies.
 *
 * @param isHere whether the item is begun at once, by `handle`.
 */
function wakingHere(
  { wakeups, log }: AgentDeps,
  isHere: (item: Item) => boolean,
  handle: (item: Item) => Promise<void>,
): Pick<Wakeups, 'wake'> {
  return {
    async wake(item, delayMs = 0) {
      try {
        if (delayMs === 0 && isHere(item)) await handle(item)
        else await wakeups.wake(item, delayMs)
      } catch (error) {
        log.warn({ item, err: error }, 'wake-up not sent; the sweep will pick up what is due')
      }
    },
  }
}

interface Parts {
  shared: LeaseDeps & { store: Store }
  pool: ReturnType<typeof createPool>
  channelOf(platform: string): Channel | null
  stop: AbortSignal
}

type Verb = (item: Item, stop: AbortSignal) => Promise<void>

/** Handlers of the work items, by kind. */
function createVerbs(
  deps: Wired,
  { shared, pool, channelOf, stop }: Parts,
): Record<Item['kind'], Verb> {
  const { settings, channels } = deps
  const warnOfUsage = createUsageWarning({ ...shared, ...settings })
  const live = createLiveRuns(settings.runsAtOnce)
  const common = {
    ...deps,
    ...settings,
    ...modelParts(deps, channelOf),
    ...shared,
    warnOfUsage,
    channelOf,
  }
  const passing: PassOnDeps = { ...shared, ...settings }
  const freeSlots = () => (settings.worker ? pool.freeSlots() : 0)
  const ofAll: Recordable = {
    ...common,
    ...settings.decision,
    live,
    freeSlots,
    begin,
    since: deps.clock.now(),
    eyeOf: (...input) => createEye(common, ...input),
    passEarlierOn: (asked: AskedElsewhere) => passEarlierOn(passing, asked),
  }
  const plain = { turn: createTurn(ofAll), drive: createDrive(ofAll) }
  const drive = (item: Item, signal: AbortSignal, begun: Run[] = []) =>
    deps.recorder?.(ofAll, { item, stop: signal, begun }) ?? plain.drive(item, signal, begun)
  /** A run that was made here and is held already is worked on as if it had been claimed. */
  function begin(run: Run, commitId?: string) {
    if (commitId !== undefined) live.note(commitId, run, null)
    const item: Item = { kind: 'run', workspace: run.workspace, id: run.id }
    const begun = [run]
    void pool.begin(item, () => drive(item, stop, begun))
  }
  return {
    conversation: (item, signal) =>
      deps.recorder?.(ofAll, { item, stop: signal, begun: [] }) ?? plain.turn(item, signal),
    run: (item, signal) => drive(item, signal),
    outbox: createDeliver({
      ...common,
      live,
      // Where operators are told something alone (S22).
      operators: channels.find((one) => one.operators === true) ?? null,
    }),
    schedules: createFire({ ...common, freeSlots, begin }),
  }
}

/** Parts of a model's input that depend on this installation. */
const modelParts = (
  { store, commands, library, settings: { isAlone } }: AgentDeps,
  channelOf: Parts['channelOf'],
) => ({
  recall: createRecall({ ...store, isAlone }),
  placeOf: createPlaceOf(channelOf),
  installation: {
    commands: commands.all.map(({ name, summary }) => ({ name, summary: summary('en') })),
    folders: library?.names ?? [],
  },
})

/** Runs the housekeeping now and then periodically, until it is stopped. No chore throws. */
async function startChores(
  { store, clock, log, settings, library, wakeups }: AgentDeps,
  handle: (item: Item) => Promise<void>,
) {
  const over = new AbortController()
  const chore = (work: () => Promise<void>, failed: string) => async () => {
    try {
      await work()
    } catch (error) {
      // What is cut off by the end is no failure.
      if (!over.signal.aborted) log.warn({ err: error }, failed)
    }
  }
  const chores = {
    /** Finds what is due whatever the queue has lost (rule 2). */
    sweep: chore(async () => {
      for (const item of await store.leases.due(sweepMost)) void handle(item)
    }, 'the sweep could not look for due work; it tries again'),
    /** Closes the proposals that nobody decided in time. */
    expire: chore(async () => {
      if (settings.scheduler) await expireProposals(store.memories, clock.now())
    }, 'proposals that nobody decided could not be closed; it is tried again'),
    /** Looks for new files in the folders (C786). */
    folders: chore(async () => {
      if (!settings.scheduler || library === undefined) return
      const schedules = wakingSchedules(store.schedules, { wakeups, clock, log })
      const hooks = createHooks({ store, clock, schedules })
      await watchFolders({ library, hooks, store, clock }, over.signal)
    }, 'the folders could not be looked at for new files; it is tried again'),
    /**
     * Looks at every workspace's alarms, so that not even a lost entry of the index can silence one
     * (P10).
     */
    repair: chore(async () => {
      if (!settings.scheduler) return
      for (const workspace of await store.alarms.workspaces())
        void handle({ kind: 'schedules', workspace, id: 'all' })
    }, 'the sweep could not look at the schedules; it tries again'),
    /**
     * C190, C200: indexes what was written before there was an index of what waits for people, and
     * of words, in parts with rests (C594).
     */
    index: chore(async () => {
      const inParts = async (build: () => Promise<boolean>, what: string) => {
        let parts = 0
        while (!over.signal.aborted && (await build())) {
          if (++parts === saidFrom) log.info({}, `${what} of earlier versions are added, in parts`)
          await clock.sleep(indexRestMs, over.signal)
        }
        if (parts >= saidFrom) log.info({}, `${what} of earlier versions are complete`)
      }
      await inParts(store.needs.build, 'what waits for people: threads')
      await inParts(store.search.build, 'search: threads')
    }, 'what was stored by an earlier version could not be looked through; it is tried again at the next start'),
    /** C719: once a day, as the run's id says. */
    heads: chore(async () => {
      const { auditHeads: place, scheduler, defaults } = settings
      if (place === null || !scheduler) return
      const when = { now: clock.now(), locale: defaults.locale }
      const run = await headsRun(store.audit, place, when)
      if (run === null || (await store.runs.admit(run)) !== 'accepted') return
      void handle({ kind: 'run', workspace: run.workspace, id: run.id })
    }, 'the heads of the audit could not be posted; it is tried again in an hour'),
    /** Removes what the settings say is kept no longer. */
    purge: chore(async () => {
      if (!settings.worker) return
      await trimAudit()
      if (settings.retentionMs === 0) return
      const gone = await store.retention.purge(clock.now() - settings.retentionMs)
      if (gone > 0) log.info({ gone }, 'old conversations removed')
    }, 'old conversations not removed; retrying in an hour'),
  }
  /** C714: whole days, so that a day adds one row that says so. */
  async function trimAudit() {
    if (settings.auditMs === 0) return
    const before = clock.now() - settings.auditMs
    for (const workspace of await store.audit.workspaces())
      await store.audit.trim(workspace, before - (before % dayMs))
  }
  await chores.sweep()
  await chores.expire()
  await chores.repair()
  const timers = [
    clock.every(sweepEveryMs, chores.sweep),
    clock.every(repairEveryMs, chores.expire),
    clock.every(repairEveryMs, chores.repair),
    clock.every(repairEveryMs, chores.folders),
    clock.every(purgeEveryMs, chores.purge),
    clock.every(purgeEveryMs, chores.heads),
  ]
  void chores.purge()
  if (settings.worker) void chores.index()
  return () => {
    over.abort()
    for (const stopTimer of timers) stopTimer()
  }
}
