import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { createFolderDesk } from './adapters/coding/desk.ts'
import { createLibrary } from './adapters/library/library.ts'
import { createWebChannel } from './adapters/web/adapter.ts'
import { webWorkspace } from './adapters/web/deps.ts'
import { type Agent, createAgent } from './agent/agent.ts'
import { type Commands, createCommands } from './agent/commands/commands.ts'
import { createMemoryCommand, type MemoryDeps } from './agent/commands/memory.ts'
import { createScheduleCommand, type ScheduleDeps } from './agent/commands/schedule.ts'
import { scopeBy } from './agent/commands/scope.ts'
import { createStrategyCommand } from './agent/commands/strategy.ts'
import { createTaskCommand } from './agent/commands/task.ts'
import { createTodoCommand, type TodoDeps } from './agent/commands/todo.ts'
import { createViewCommand } from './agent/commands/view.ts'
import { createDesk } from './agent/desk.ts'
import type { Limits } from './agent/domain/budget.ts'
import { platformOf } from './agent/domain/conversation.ts'
import type { Times } from './agent/domain/zone.ts'
import type { CodingDeps } from './agent/drive/coding.ts'
import { createUnconfiguredModel } from './agent/model/unconfigured.ts'
import type { Channel } from './agent/ports/channel.ts'
import type { Clock } from './agent/ports/clock.ts'
import type { CodingDesk } from './agent/ports/coding-desk.ts'
import type { Library } from './agent/ports/library.ts'
import type { Log } from './agent/ports/log.ts'
import type { Model } from './agent/ports/model.ts'
import type { Store } from './agent/ports/store.ts'
import type { Tool } from './agent/ports/tool.ts'
import type { Wakeups } from './agent/ports/wakeups.ts'
import { wakingSchedules, wakingTodos } from './agent/schedules/waking.ts'
import { batchSizes } from './agent/strategies/batch-sizes.ts'
import type { FetchDeps } from './agent/tools/fetch/fetch.ts'
import { createFetchTool } from './agent/tools/fetch-web.ts'
import { createFilesTool } from './agent/tools/files.ts'
import { createMemoryTool } from './agent/tools/memory.ts'
import { createToolbox } from './agent/tools/registry.ts'
import { createRepoSearchTool } from './agent/tools/repo-search.ts'
import { createScheduleTool } from './agent/tools/schedule.ts'
import { createBrave } from './agent/tools/search/brave.ts'
import type { SearchProvider } from './agent/tools/search/provider.ts'
import { createSearxng } from './agent/tools/search/searxng.ts'
import { createTavily } from './agent/tools/search/tavily.ts'
import { createSearchTool } from './agent/tools/search.ts'
import { createTodoTool } from './agent/tools/todo.ts'
import { type Config, usesRehearsal } from './config.ts'
import { openDiscord } from './discord.ts'
import { createMetrics } from './metrics.ts'
import { openSlack } from './slack.ts'
import { lockDataDir } from './store/embedded/lock.ts'
import { startEmbeddedStore } from './store/embedded.ts'
import { createBullWakeups } from './store/queue.ts'
import { checkRedis } from './store/redis/checks.ts'
import { connect } from './store/redis/connection.ts'
import { createRedisEventLog } from './store/redis/event-log.ts'
import { createRedisStore } from './store/redis/store.ts'
import { type Environment, openTeam, type Team } from './team.ts'

/** What a test or a tool may put around or instead of a part. */
export interface Around {
  clock: Clock
  log: Log
  model?: Model
  tools?: readonly Tool[]
  /** How names are resolved and addresses are dialled when web pages are fetched. */
  fetch?: FetchDeps
  /** What `${NAME}` in the team's files stands for; nothing where it is left out. */
  env?: Environment
  /** Called with every port before it is wired; answers what is wired in its place. */
  wrap?<P extends object>(name: 'store' | 'wakeups' | 'model' | 'channel' | 'tool' | 'desk', port: P): P
}

export interface Clew {
  readonly agent: Agent
  /** Where the page is; null when this process does not serve it. */
  readonly url: string | null
  /** One line each: which store, which model, what to know. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

/** Builds everything from the settings and starts it. */
export async function startClew(config: Config, around: Around): Promise<Clew> {
  const { clock, log } = around
  const wrap = around.wrap ?? ((_name, port) => port)
  const base = await openStore(config, log)
  const redis = connect(base.url, 'commands')
  let team: Team | null = null
  const stopBase = async () => {
    await team?.stop()
    redis.disconnect()
    await base.stop()
  }
  try {
    const warnings = await checkRedis(redis, { strict: config.STORE_STRICT && base.external })
    const strict = config.STORE_STRICT && base.external
    const rows = createRedisStore({ redis, clock, worker: base.workerId, strict })
    const metrics = createMetrics()
    const wrapped: Store = { ...rows, ...wrapAll(rows, (part) => wrap('store', part)) }
    const store: Store = { ...wrapped, commits: metrics.observe(wrapped.commits) }
    const serves = config.ROLES.includes('web')
    const worker = config.ROLES.includes('worker')
    const wakeups: Wakeups = wrap(
      'wakeups',
      createBullWakeups({
        connect: (use) => connect(base.url, use),
        log,
        worker,
        scheduler: config.ROLES.includes('scheduler'),
        platforms: [
          ...(serves ? ['web'] : []),
          ...(config.ROLES.includes('slack') ? ['slack'] : []),
          ...(config.ROLES.includes('discord') ? ['discord'] : []),
        ],
        concurrency: config.AGENT_RUNS_AT_ONCE,
      }),
    )
    const model = wrap('model', around.model ?? (await modelOf(config, around)))
    team = await openTeam(config, { clock, log, env: around.env ?? {} })
    const work = workOf(config, store, { wakeups, clock, log }, () => team?.tools() ?? [])
    const commands = commandsOf(work, store)
    const desk = createDesk({ commands, access: accessOf(config), clock })
    const slack = await openSlack(config, { clock, log, store, desk, model })
    const web = serves
      ? createWebChannel({
          host: config.HOST,
          port: config.PORT,
          token: config.WEB_TOKEN ?? null,
          clock,
          log,
          store,
          work,
          events: createRedisEventLog({ redis, workspace: webWorkspace }),
          routes: slack?.routes ?? {},
          health: async () => ({ ...(await healthOf(store, wakeups, channels, model)), ...team?.health() }),
          metrics: () => metrics.text(),
          defaultLocale: config.DEFAULT_LOCALE,
          timeZone: config.DEFAULT_TIME_ZONE,
        })
      : null
    const named = commands.all.map(({ name }) => name)
    const discord = await openDiscord(config, { clock, log, store, desk, model, commands: named })
    const channels: Channel[] = []
    for (const channel of [web, slack, discord]) if (channel !== null) channels.push(wrap<Channel>('channel', channel))
    const agent = buildAgent(config, around, { store, work, commands, wakeups, model, channels, team, wrap })
    await agent.start()
    const url = web === null ? null : (await web.listen()).url
    return {
      agent,
      url,
      lines: [base.line, modelLine(model), ...(team?.lines() ?? []), ...warnings],
      async stop() {
        await agent.stop()
        await stopBase()
      },
    }
  } catch (error) {
    await stopBase()
    throw error
  }
}

const accessOf = (config: Config) => ({ users: config.ALLOWED_USERS, channels: config.ALLOWED_CHANNELS })

/** What people can ask for by name, in every channel. */
function commandsOf({ todos, schedules, memory }: Work, store: Store): Commands {
  return createCommands(
    [
      createTodoCommand(todos),
      createScheduleCommand(schedules),
      createViewCommand(todos, schedules),
      createTaskCommand(store),
      createMemoryCommand(memory),
      createStrategyCommand(),
    ],
    timesIn,
  )
}

/** Discord shows an instant to every reader in their own time; other channels show the clock of whom the text is for. */
const timesIn = (workspace: string): Times => (platformOf(workspace) === 'discord' ? 'zoned' : 'wall')

function buildAgent(
  config: Config,
  { clock, log, tools: extra = [], fetch = { resolve: addressesOf } }: Around,
  parts: {
    store: Store
    work: Work
    commands: Commands
    wakeups: Wakeups
    model: Model
    channels: Channel[]
    team: Team | null
    wrap: NonNullable<Around['wrap']>
  },
): Agent {
  const { store, work, commands, wakeups, model, channels, team, wrap } = parts
  const { todos, schedules, memory } = work
  const library = libraryOf(config)
  const tools = [
    createTodoTool(createTodoCommand(todos), createTodoCommand(todos, { readOnly: true })),
    createScheduleTool(
      createScheduleCommand(schedules, { byModel: true }),
      createScheduleCommand(schedules, { readOnly: true }),
    ),
    ...(config.MEMORY
      ? [createMemoryTool(createMemoryCommand(memory, 'model'), createMemoryCommand(memory, 'looking'))]
      : []),
    createFilesTool(store.artifacts),
    createSearchTool(searchOf(config)),
    ...(config.FETCH_WEB ? [createFetchTool(fetch)] : []),
    ...(library === null ? [] : [createRepoSearchTool(library)]),
    ...extra,
  ]
  const asWired = once((tool) => wrap('tool', approving(tool, config)))
  const ofTeam = once((tool) => {
    if (tools.some(({ name }) => name === tool.name))
      log.warn({ tool: tool.name }, 'a tool of the team has a taken name')
    return asWired(tool)
  })
  return createAgent({
    store,
    wakeups,
    clock,
    log,
    model,
    channels,
    toolbox: createToolbox(tools.map(asWired), () => team?.tools().map(ofTeam) ?? []),
    commands,
    ...(team === null ? {} : { team: team.words }),
    ...codingOf(config, wrap),
    ...(library === null ? {} : { library }),
    settings: {
      defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
      access: accessOf(config),
      limits: {
        maxSteps: config.AGENT_MAX_STEPS,
        maxModelCalls: config.AGENT_MAX_MODEL_CALLS,
        maxToolCalls: config.AGENT_MAX_TOOL_CALLS,
        maxTokens: config.AGENT_MAX_TOKENS,
        maxWallMs: config.AGENT_MAX_MINUTES * 60_000,
        maxToolFailures: config.AGENT_MAX_TOOL_FAILURES,
        maxContractFailures: config.AGENT_MAX_CONTRACT_FAILURES,
        maxUnavailable: 5,
        ...costsOf(config, model),
        maxRounds: config.AGENT_MAX_ROUNDS,
        maxRoundMs: config.AGENT_ROUND_SECONDS * 1000,
        maxIterations: config.AGENT_MAX_ITERATIONS,
        transitions: config.AGENT_STEP_TRANSITIONS,
        maxRetries: config.CODING_MAX_RETRIES,
        maxFailedSteps: config.CODING_MAX_FAILED_STEPS,
        ...(config.AGENT_BATCH_SIZE === undefined ? {} : batchSizes[config.AGENT_BATCH_SIZE]),
      },
      interrupt: config.AGENT_ON_MESSAGE === 'interrupt',
      toolTimeoutMs: config.AGENT_TOOL_TIMEOUT_SECONDS * 1000,
      reminder: {
        afterMs: config.QUESTION_REMINDER_HOURS * 60 * 60 * 1000,
        hours: { fromHour: config.WORKING_HOURS[0], toHour: config.WORKING_HOURS[1], days: [1, 2, 3, 4, 5] },
      },
      unattendedQuestionMs: config.UNATTENDED_QUESTION_HOURS * 60 * 60 * 1000,
      whoMayAnswer: config.QUESTION_ANSWERED_BY,
      atMostOnce: config.DELIVER_AT_MOST_ONCE,
      admins: config.ADMIN_USERS,
      day: {
        person: { tokens: config.AGENT_PERSON_TOKENS_PER_DAY ?? null, cost: config.AGENT_PERSON_COST_PER_DAY ?? null },
        team: { tokens: config.AGENT_TOKENS_PER_DAY ?? null, cost: config.AGENT_COST_PER_DAY ?? null },
        price: config.MODEL_PRICES[model.name] ?? null,
        timeZone: config.DEFAULT_TIME_ZONE,
      },
      onPause: config.AGENT_ON_PAUSE,
      messagesPerMinute: config.AGENT_PERSON_MESSAGES_PER_MINUTE,
      followUp: config.AGENT_FOLLOW_UP,
      strategy: config.AGENT_STRATEGY,
      decision: {
        loopEnabled: config.AGENT_LOOP_ENABLED,
        allowedTypes: config.AGENT_ALLOWED_RUN_TYPES.filter((type) => isConfigured(type, config)),
        timeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
      },
      worker: config.ROLES.includes('worker'),
      scheduler: config.ROLES.includes('scheduler'),
      runsAtOnce: config.AGENT_RUNS_AT_ONCE,
      retentionMs: config.RETENTION_DAYS * 24 * 60 * 60 * 1000,
      timesIn,
    },
  })
}

/** Of the same tool the same one again, whenever it is asked for. */
function once(wire: (tool: Tool) => Tool): (tool: Tool) => Tool {
  const known = new WeakMap<Tool, Tool>()
  return (tool) => {
    const wired = known.get(tool) ?? wire(tool)
    known.set(tool, wired)
    return wired
  }
}

/** What the operator says about approvals outweighs what a tool says of itself. */
function approving(tool: Tool, { AGENT_TOOL_APPROVAL: policies }: Config): Tool {
  const approval = policies[tool.name]
  return approval === undefined ? tool : { ...tool, approval }
}

/** Kinds of work that need something outside are offered only where it is there. */
function isConfigured(type: Config['AGENT_ALLOWED_RUN_TYPES'][number], config: Config): boolean {
  if (type === 'fetch_web') return config.FETCH_WEB
  if (type === 'index_repo') return config.INDEX_FOLDERS.length > 0
  return type !== 'coding' || config.CODING_FOLDER !== undefined
}

/** Null unless folders are named; the indexes lie beside Clew's other data. */
function libraryOf({ INDEX_FOLDERS: folders, DATA_DIR }: Config): Library | null {
  return folders.length === 0 ? null : createLibrary({ folders, keptIn: join(DATA_DIR, 'index') })
}

/** R140: off unless a folder is named. */
function codingOf(config: Config, wrap: NonNullable<Around['wrap']>): { coding?: CodingDeps } {
  if (config.CODING_FOLDER === undefined) return {}
  return {
    coding: {
      desk: wrap<CodingDesk>('desk', createFolderDesk(config.CODING_FOLDER)),
      pollMs: config.CODING_POLL_MS,
      timeoutMs: config.CODING_TIMEOUT_SECONDS * 1000,
    },
  }
}

/** Every address of a name, as the system knows them. */
async function addressesOf(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address)
}

/** To-dos and schedules, as commands, tools and the page share them: their writes wake whoever works on the alarms. */
interface Work {
  todos: TodoDeps
  schedules: ScheduleDeps
  memory: MemoryDeps
}

function workOf(
  config: Config,
  store: Store,
  waking: Parameters<typeof wakingSchedules>[1],
  ofTeam: () => readonly Tool[],
): Work {
  const scopeOf = scopeBy(config.TODO_SCOPE)
  return {
    todos: { todos: wakingTodos(store.todos, waking), scopeOf },
    schedules: {
      schedules: wakingSchedules(store.schedules, waking),
      runs: store.runs,
      scopeOf,
      get allowable() {
        return ['todo', ...ofTeam().flatMap(({ name, effect }) => (effect === 'none' ? [] : [name]))]
      },
    },
    memory: { memories: store.memories, proposalMs: config.MEMORY_PROPOSAL_DAYS * 24 * 60 * 60 * 1000 },
  }
}

/** The price of the model that works on tasks, if the table has one. */
function costsOf(config: Config, model: Model): Pick<Limits, 'price' | 'maxCost'> {
  const price = config.MODEL_PRICES[model.name]
  if (price === undefined) return {}
  return { price, ...(config.AGENT_MAX_COST === undefined ? {} : { maxCost: config.AGENT_MAX_COST }) }
}

interface Base {
  url: string
  workerId: string
  external: boolean
  line: string
  stop(): Promise<void>
}

async function openStore(config: Config, log: Log): Promise<Base> {
  if (config.REDIS_URL === undefined) {
    const embedded = await startEmbeddedStore({
      dataDir: config.DATA_DIR,
      strict: config.STORE_STRICT,
      log: (line) => log.debug({}, line),
    })
    return {
      url: embedded.url,
      workerId: embedded.workerId,
      external: false,
      line: embedded.describe(),
      stop: () => embedded.stop(),
    }
  }
  // The folder's owner has a name that outlives it, so that a restart takes back at once what it held (P14).
  const lock = await lockDataDir(join(config.DATA_DIR, 'worker'))
  return {
    url: config.REDIS_URL,
    workerId: lock.workerId,
    external: true,
    line: 'Store: the Redis at REDIS_URL.',
    stop: async () => lock.release(),
  }
}

/** OpenAI's own endpoint, when only a key is set. */
const defaultModel = 'gpt-5-mini'

/** Only the model that is used is loaded: the client takes a fifth of a second. */
async function modelOf(config: Config, { clock, log }: Around): Promise<Model> {
  if (usesRehearsal(config)) {
    const { createRehearsalModel } = await import('./agent/model/rehearsal.ts')
    return createRehearsalModel({ clock, paceMs: config.REHEARSAL_PACE_MS })
  }
  if (config.OPENAI_API_KEY === undefined && config.OPENAI_BASE_URL === undefined) return createUnconfiguredModel()
  const { createOpenAiModel, firstModelOf } = await import('./agent/model/openai.ts')
  // A local server usually offers the one model that it was started with.
  const name =
    config.OPENAI_MODEL ??
    (config.OPENAI_BASE_URL ? await firstModelOf(config.OPENAI_BASE_URL, config.OPENAI_API_KEY ?? null) : defaultModel)
  if (name === null) return createUnconfiguredModel()
  return createOpenAiModel({
    apiKey: config.OPENAI_API_KEY ?? null,
    baseURL: config.OPENAI_BASE_URL ?? null,
    model: name,
    decisionModel: config.AGENT_DECISION_MODEL ?? null,
    timeoutMs: config.OPENAI_TIMEOUT_SECONDS * 1000,
    decisionTimeoutMs: config.AGENT_DECISION_TIMEOUT_SECONDS * 1000,
    log,
    clock,
  })
}

function searchOf(config: Config): SearchProvider | null {
  const { SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY } = config
  if (config.SEARCH_PROVIDER === 'searxng' && SEARXNG_URL) return createSearxng({ fetch, url: SEARXNG_URL })
  if (config.SEARCH_PROVIDER === 'brave' && BRAVE_API_KEY) return createBrave({ fetch, key: BRAVE_API_KEY })
  if (config.SEARCH_PROVIDER === 'tavily' && TAVILY_API_KEY) return createTavily({ fetch, key: TAVILY_API_KEY })
  return null
}

function modelLine(model: Model): string {
  if (model.name === 'none')
    return 'Model: none, so only commands work. Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL for another endpoint.'
  return model.name === 'rehearsal'
    ? 'Model: rehearsal, a stand-in to try the machinery. Set OPENAI_API_KEY and OPENAI_MODEL for real answers.'
    : `Model: ${model.name}.`
}

async function healthOf(store: Store, wakeups: Wakeups, channels: readonly Channel[], model: Model) {
  const [rows, queue] = await Promise.all([store.health(), wakeups.health()])
  const shown = Object.fromEntries(channels.map((channel) => [channel.platform, channel.health()]))
  return {
    ok: rows.ok && queue.ok && Object.values(shown).every((one) => one.ok),
    store: rows,
    queue,
    channels: shown,
    model: { name: model.name, rehearsal: model.name === 'rehearsal' },
  }
}

/** Wraps each part of the store by itself. */
function wrapAll(store: Store, wrap: <P extends object>(part: P) => P): Omit<Store, 'health' | 'close'> {
  return {
    leases: wrap(store.leases),
    inbox: wrap(store.inbox),
    commits: wrap(store.commits),
    conversations: wrap(store.conversations),
    runs: wrap(store.runs),
    outbox: wrap(store.outbox),
    todos: wrap(store.todos),
    shelf: wrap(store.shelf),
    schedules: wrap(store.schedules),
    alarms: wrap(store.alarms),
    memories: wrap(store.memories),
    usage: wrap(store.usage),
    artifacts: wrap(store.artifacts),
    retention: wrap(store.retention),
  }
}
