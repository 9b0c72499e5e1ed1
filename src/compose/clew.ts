import { join } from 'node:path'
import { createDocuments } from '../adapters/documents/documents.ts'
import type { Known } from '../adapters/home/read-profile.ts'
import { signInPages } from '../adapters/mcp/sign-in-pages.ts'
import type { SignIns } from '../adapters/mcp/sign-ins.ts'
import { type Agent, createAgent } from '../agent/agent.ts'
import { withApprovals } from '../agent/approvals.ts'
import { createCommandEndpoint } from '../agent/command-endpoint.ts'
import { platformOf } from '../agent/domain/conversation.ts'
import { present } from '../agent/domain/present.ts'
import type { ProfileIn } from '../agent/domain/profile.ts'
import { createRunTypes } from '../agent/drive/run-types.ts'
import type { CodingDeps, DrivenType } from '../agent/drive/session.ts'
import { createHooks } from '../agent/hooks.ts'
import { isAllowed } from '../agent/intake.ts'
import { postedAt } from '../agent/kernel/say-elsewhere.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Documents } from '../agent/ports/documents.ts'
import type { Library } from '../agent/ports/library.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Model } from '../agent/ports/model.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Tables } from '../agent/ports/tables.ts'
import type { Wakeups } from '../agent/ports/wakeups.ts'
import { createQuietStore, withQuietHours } from '../agent/quiet-hours.ts'
import { withSignIns } from '../agent/sign-ins.ts'
import { createStrategies, type Strategies } from '../agent/strategies/strategies.ts'
import type { FetchDeps } from '../agent/tools/fetch/fetch.ts'
import { createSystemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { createHealth, type Watched, watchChannel, watchModel } from '../health.ts'
import { type Texts, texts } from '../locales/texts.ts'
import { createLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { OwnSettings } from '../setup/form.ts'
import { createLocalWakeups } from '../store/local-wakeups.ts'
import { connect } from '../store/redis/connection.ts'
import { checkRedis } from '../store/redis/startup-check.ts'
import { createRedisStore } from '../store/redis/store.ts'
import { openTracing, type Tracing } from '../tracing/tracing.ts'
import { heldIn } from './about.ts'
import { channelDepsOf, openChannels, openMembers, placesSources } from './channels.ts'
import { type Coding, codingDeps, openCoding } from './coding.ts'
import { commandsOf, workOf } from './commands.ts'
import { type Extensions, refuseTwins, refuseUnknown } from './extensions.ts'
import { openKeptTests } from './kept-tests.ts'
import { knownTo } from './known.ts'
import type { LocalServer } from './local-models.ts'
import { openListener, openModel } from './model.ts'
import { ownPlatforms } from './own-channels.ts'
import { type Parent, reportOf } from './parent.ts'
import { openRecordings, type Recordings } from './recordings.ts'
import { accessOf, settingsOf, traitsFrom, usageLimitsOf } from './settings.ts'
import { createSights } from './sights.ts'
import { type LateParts, openSignIns, sharedSignIns } from './sign-ins.ts'
import { openStorage, type Storage } from './storage.ts'
import {
  type Acting,
  actingOf,
  type Environment,
  openProfilesOf,
  openTeam,
  type Team,
} from './team.ts'
import { toolboxOf } from './tools.ts'
import { draftsOf, listenForProbes, loadPage, signingOut, webOf } from './web.ts'
import { withWorkers } from './worker-report.ts'
import { metricsWith, type Workers } from './workers.ts'

/** Parts that a test or a tool adds or replaces. */
export interface Around extends Extensions {
  /** Defaults to the system's clock. */
  clock?: Clock
  /** Defaults to lines of JSON on standard error. */
  log?: Log
  model?: Model
  /** Local model servers to look for if no model is set. Defaults to none. */
  localServers?: readonly LocalServer[]
  /** Name resolution and dialling of addresses for fetching web pages. */
  fetch?: FetchDeps
  /** Values of `${NAME}` in the team's files. Defaults to none. */
  env?: Environment
  /**
   * Reads the settings again, for the checks of what is connected, and changes them under Set up.
   * By default the checks read those of the start, and nothing can be set on the page.
   */
  ownSettings?: OwnSettings
  /** The store, if it was opened already: it can start while everything else is loading. */
  storage?: Promise<Storage>
  /**
   * Called when the store in this process has ended. By default the error is thrown outside any
   * call.
   */
  onStoreFailure?: (error: Error) => void
  /** Starts the workers of this process, which it stops before itself (C588). */
  startWorkers?: (storage: Storage, parts: { clock: Clock; log: Log }) => Workers
  /** The parent, if this is a worker of another process. */
  parent?: Parent
  /** Called with every port before it is wired; returns what is wired instead. */
  wrap?: Wrap
}

type Wrap = <P extends object>(
  name: 'store' | 'wakeups' | 'model' | 'channel' | 'tool' | 'coding_folder',
  port: P,
) => P

export interface Clew {
  readonly agent: Agent
  /** Address of the page; null if this process does not serve it. */
  readonly url: string | null
  /** Lines for the start about the store, the model and what to know. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/**
 * Builds everything from the settings and starts it.
 *
 * @throws ConfigError if the settings name a part that does not exist; Error if two parts have one
 * name.
 */
export async function startClew(config: Config, around: Around = {}): Promise<Clew> {
  const {
    clock = createSystemClock(),
    log = createLog(config),
    wrap = (_name, port) => port,
  } = around
  const strategies = createStrategies(around.strategies)
  const runTypes = createRunTypes(around.runTypes)
  refuseUnknown(config, strategies, runTypes)
  refuseTwins(around.channels ?? [])
  // Meanwhile the store may already be loading its data (C213).
  const [page, { createMetrics }] = await Promise.all([loadPage(config), import('../metrics.ts')])
  const storage = await (around.storage ?? openStorage(config, { ...around, log }))
  const workers = around.startWorkers?.(storage, { clock, log }) ?? null
  const own = createMetrics(clock, usageLimitsOf(config), around.parent?.number)
  const metrics = workers === null ? own : metricsWith(own, workers)
  const base = { config, around, clock, log, wrap, strategies, runTypes, page, metrics, workers }
  const redis = connect(storage.url, 'commands')
  const documents = createDocuments({ clock, log })
  const tracing = await openTracing(config, log)
  const early: { known: () => Known | 'early' } = { known: () => 'early' }
  const profiles = await openProfilesOf(config, { clock, log, known: () => early.known() })
  const profileIn: ProfileIn = (channel) => profiles?.in(channel) ?? null
  let team: Team | null = null
  let agent: Agent | null = null
  let coding: Coding | null = null
  let recordings: Recordings | null = null
  let probes: Awaited<ReturnType<typeof listenForProbes>> | null = null
  const stop = async () => {
    await probes?.stop()
    await workers?.stop()
    await agent?.stop()
    await coding?.stop()
    recordings?.stop()
    await tracing.stop()
    documents.stop()
    await team?.stop()
    profiles?.stop()
    redis.disconnect()
    await storage.stop()
  }
  try {
    const warnings = await checkRedis(redis, { strict: config.STORE_STRICT && storage.external })
    const late: LateParts = { notes: null, url: null }
    const signIns = await openSignIns(config, { clock, log, late })
    team = await openTeam(config, { clock, log, env: around.env ?? {}, profiles, signIns })
    coding = await openCoding(config, { clock, log, env: around.env ?? {} })
    const assembled = await assemble({
      ...base,
      coding: codingDeps(config, coding, wrap),
      storage,
      redis,
      documents,
      tracing,
      team,
      profileIn,
      signIns,
    })
    late.notes = assembled.notes
    const { web, modelLine, health, awayUntil, toolNames } = assembled
    agent = assembled.agent
    const isWorker = config.ROLES.includes('worker')
    early.known = () => knownTo(config, isWorker ? toolNames() : null, team)
    await profiles?.look()
    recordings = assembled.recordings
    await agent.start()
    const url = web && (await web.listen()).url
    assembled.page.url ??= url
    late.url = assembled.page.url
    around.parent?.serve(async () =>
      reportOf(await health(reportWithinMs), { metrics, awayUntil: awayUntil() }),
    )
    if (web === null && around.parent === undefined)
      probes = await listenForProbes(config, { health, metrics: metrics.text })
    const acting = actingOf([...(around.tools ?? []), ...(team?.tools() ?? [])], config)
    return {
      agent,
      url,
      lines: present([
        ...[...storage.lines, modelLine, ...(team?.lines() ?? [])],
        ...actingLines(acting, texts('en').doctor),
        probes?.line,
        ...workerLines(config, workers),
        recordings !== null &&
          `Recording: all threads and runs, with what they hold, in ${config.RECORD}.`,
        ...warnings,
      ]),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Longest time that a worker takes for its report, in ms. */
const reportWithinMs = 400

/** A program of its own starts no workers: they would lack its extensions. */
function workerLines({ WORKERS: asked }: Config, workers: Workers | null): string[] {
  if (workers !== null) return [workers.line]
  if (asked === undefined) return []
  return [
    'WORKERS is not used: this program starts Clew itself. Start more of its processes, with ROLES.',
  ]
}

/** S56: lines for the start that name tools with side effects, by whether they ask before. */
const actingLines = ({ asking, unasked }: Acting, words: Texts['doctor']) =>
  present([
    asking.length > 0 && words.toolsAsk(asking.join(', ')),
    unasked.length > 0 && words.toolsUnasked(unasked.join(', ')),
  ])

/** Parts that exist before the agent is assembled. */
interface Base {
  config: Config
  around: Around
  clock: Clock
  log: Log
  wrap: Wrap
  strategies: Strategies
  runTypes: readonly DrivenType[]
  page: Awaited<ReturnType<typeof loadPage>>
  metrics: Metrics
  workers: Workers | null
  storage: Storage
  redis: ReturnType<typeof connect>
  documents: Documents & Tables
  tracing: Tracing
  team: Team | null
  coding: CodingDeps | null
  profileIn: ProfileIn
  signIns: SignIns | null
}

/** Wires the agent and everything around it, without starting it. */
async function assemble(base: Base) {
  const { config, around, clock, log, wrap, team, profileIn, metrics, documents, tracing } = base
  const { coding, signIns } = base
  const outside = around.channels ?? []
  const traitsIn = traitsFrom(outside)
  const rows = signingOut(storeOf(base, metrics), base)
  const quiet = createQuietStore(rows.notes, traitsIn)
  const quieted = withQuietHours(rows.privacy, quiet)
  const privacy = withSignIns(withApprovals(quieted, rows.approvals), signIns)
  const whole = { ...rows, privacy }
  const recordings = openRecordings(config, whole, { clock, log })
  const store = recordings?.store ?? whole
  const wakeups = metrics.wakeups(wrap<Wakeups>('wakeups', await wakeupsOf(base)))
  const opened = await modelFor(base, store)
  const traced = tracing.model(metrics.model(wrap('model', opened.model)))
  const watched = watchModel(traced, clock, opened.reach)
  watched.look()
  const model = watched.part
  const ofTeam = () => team?.tools() ?? []
  const work = workOf(config, store, { wakeups, clock, log }, ofTeam, traitsIn)
  const outsideCommands = around.commands ?? []
  const held = heldIn(config, {
    profileIn,
    model: model.name,
    words: (channel) => team?.words(channel) ?? null,
    toolbox: () => toolbox,
  })
  const commandParts = {
    work,
    store,
    quiet,
    heldIn: held,
    signIns,
    prompts: team?.prompts,
    outside: outsideCommands,
  }
  const commands = commandsOf(config, commandParts, traitsIn)
  const endpoint = createCommandEndpoint({ commands, access: accessOf(config, profileIn), clock })
  const { happened } = createHooks({ store, clock, schedules: work.schedules.schedules })
  const chatParts = { clock, log, store, endpoint, documents, profileIn, happened }
  const chat = channelDepsOf(config, chatParts)
  const named = commands.all.map(({ name }) => name)
  const own = await openChannels(config, chat, named)
  const channels: Watched<Channel>[] = []
  const ownHealth = createHealth({
    store,
    wakeups,
    channels,
    model: watched,
    offer: opened.offer ?? null,
    clock,
  })
  const late: { agent: Agent | null } = { agent: null }
  const page = { url: config.WEB_URL ?? null }
  const awayUntil = () => late.agent?.modelAwayUntil() ?? null
  const { workers } = base
  const health = async (ms: number) => {
    if (workers === null) return await ownHealth(ms)
    const [report, { states, reports }] = await Promise.all([ownHealth(ms), workers.look(ms)])
    return withWorkers(report, states, reports)
  }
  const pageParts = {
    store,
    work,
    commands: commands.all,
    metrics,
    health,
    wakeups,
    channels,
    awayUntil,
    signIns: sharedSignIns(signIns, config, around.env ?? {}),
    routes: Object.assign(
      signInPages(() => signIns),
      ...own.map(({ routes }) => routes),
    ),
  }
  const web = webOf(base, { ...pageParts, members: await openMembers(config, chat) })
  const all = present([web, ...own, ...outside])
  const watch = (channel: Channel) =>
    watchChannel(tracing.channel(metrics.channel(wrap('channel', channel))), clock)
  channels.push(...all.map(watch))
  const library = await libraryOf(config)
  const isAlone = (place: { workspace: string; channel: string }) =>
    traitsIn(place.workspace).isAlone?.(place) ?? false
  const sources = placesSources(config, chat)
  const mayUse = (person: string, channel: string | null) =>
    isAllowed(accessOf(config, profileIn), person, channel)
  const channelOf = (workspace: string) =>
    channels.find(({ part }) => part.platform === platformOf(workspace))?.part
  const toolbox = toolboxOf(config, {
    store,
    work,
    library,
    documents,
    log,
    profileIn,
    ofTeam,
    traitsIn,
    fetch: around.fetch,
    extra: around.tools ?? [],
    readerOf: (workspace) => channelOf(workspace)?.reader ?? null,
    canvasesOf: (workspace) => channelOf(workspace)?.canvases ?? null,
    elsewhere: {
      sources,
      mayUse,
      clock,
      wakeups,
      linkTo: (address) => {
        const { linkTo, linkToFirst = linkTo } = traitsIn(address.workspace)
        return linkToFirst?.(address) ?? null
      },
      postedAt: (said, signal) => postedAt({ store, clock }, said, signal),
    },
    past: {
      sights: createSights({
        sources,
        mayUse,
        isAlone,
        workspaces: () => store.alarms.workspaces(),
      }),
      linkTo: (address, id) =>
        traitsIn(address.workspace).linkTo?.(address) ?? pageLink(page.url, address.workspace, id),
    },
    wrap: (tool) => wrap('tool', tool),
  })
  const agent = createAgent({
    store,
    wakeups,
    clock,
    log,
    model,
    listener: await openListener(config, { clock, log }),
    profileIn,
    commands,
    quiet,
    strategies: base.strategies,
    runTypes: base.runTypes,
    toolbox: tracing.toolbox(toolbox),
    tracer: metrics.steps(tracing.tracer),
    drafts: draftsOf(base),
    channels: channels.map(({ part }) => part),
    team: team?.words,
    coding: coding ?? undefined,
    library: library ?? undefined,
    recorder: recordings?.recorder,
    tests: config.TESTS === undefined ? undefined : openKeptTests(config.TESTS),
    settings: {
      ...settingsOf(config, profileIn),
      timesIn: (workspace) => traitsIn(workspace).times ?? 'named',
      isAlone,
    },
  })
  late.agent = agent
  const modelLine = opened.line
  const toolNames = toolbox.names
  const { notes } = store
  return { agent, web, page, notes, health, awayUntil, recordings, modelLine, toolNames }
}

/** Address of a thread on the page; null while that has none. */
const pageLink = (url: string | null, workspace: string, id: string) =>
  url && new URL(`/#/t/${encodeURIComponent(workspace)}/${id}`, url).href

async function modelFor(
  { config, around, clock, log }: Base,
  { notes }: Store,
): ReturnType<typeof openModel> {
  const { model, localServers: servers = [] } = around
  if (model !== undefined) return { model, line: `Model: ${model.name}.`, offer: null }
  return await openModel(config, { clock, log, notes, servers })
}

/**
 * Wake-ups over BullMQ if several processes may share a store, else local ones: the queue takes 0.1
 * s and 15 MB (C174, C175).
 */
async function wakeupsOf({ config, around, storage, clock, log }: Base): Promise<Wakeups> {
  if (!storage.shared) return createLocalWakeups({ clock, log })
  const { createBullWakeups } = await import('../store/queue.ts')
  const roles = rolesOf(config, around.channels ?? [])
  return createBullWakeups({ connect: (use) => connect(storage.url, use), clock, log, ...roles })
}

/** Builds the store, with each part wrapped by itself and commits counted. */
function storeOf({ config, clock, wrap, storage, redis, tracing }: Base, metrics: Metrics): Store {
  const strict = config.STORE_STRICT && storage.external
  const rows = createRedisStore({
    redis,
    clock,
    worker: storage.workerId,
    strict,
    timeZone: config.DEFAULT_TIME_ZONE,
  })
  const parts = Object.entries(rows).map(([name, part]) => [
    name,
    typeof part === 'object' ? wrap('store', part) : part,
  ])
  const store: Store = { ...rows, ...Object.fromEntries(parts) }
  return { ...store, commits: tracing.commits(metrics.commits(store.commits)) }
}

/** Queues that this process consumes. */
function rolesOf(
  { ROLES: roles, AGENT_RUNS_AT_ONCE: concurrency }: Config,
  outside: readonly Channel[],
) {
  const own = ownPlatforms.filter((platform) => roles.includes(platform))
  const platforms = [...own, ...outside.map(({ platform }) => platform)]
  return {
    worker: roles.includes('worker'),
    scheduler: roles.includes('scheduler'),
    platforms,
    concurrency,
  }
}

/** Index of the named folders, stored beside Clew's other data; null if none is named. */
async function libraryOf({ INDEX_FOLDERS: folders, DATA_DIR }: Config): Promise<Library | null> {
  if (folders.length === 0) return null
  const { createLibrary } = await import('../adapters/library/library.ts')
  return createLibrary({ folders, keptIn: join(DATA_DIR, 'index') })
}
