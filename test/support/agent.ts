import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { beforeAll, inject, onTestFinished } from 'vitest'
import { type Agent, type AgentSettings, createAgent } from '../../src/agent/agent.ts'
import { approvalsTable } from '../../src/agent/commands/approvals.ts'
import { auditTable } from '../../src/agent/commands/audit.ts'
import { commandFrom } from '../../src/agent/commands/command-from-table.ts'
import { memoryTable } from '../../src/agent/commands/memory-table.ts'
import { quietTable } from '../../src/agent/commands/quiet.ts'
import { createCommands } from '../../src/agent/commands/registry.ts'
import { scopeBy } from '../../src/agent/commands/scope.ts'
import { strategyTable } from '../../src/agent/commands/strategy.ts'
import { taskTable } from '../../src/agent/commands/task.ts'
import { todoTable } from '../../src/agent/commands/todo-table.ts'
import { viewTable } from '../../src/agent/commands/view.ts'
import { conversationIdOf } from '../../src/agent/domain/conversation.ts'
import type { InboundEvent, Shared } from '../../src/agent/domain/event.ts'
import type { Author, Outcome } from '../../src/agent/domain/message.ts'
import type { Run } from '../../src/agent/domain/run.ts'
import type { Task } from '../../src/agent/domain/task.ts'
import type { TraceEvent } from '../../src/agent/domain/trace.ts'
import type { Standing, Way } from '../../src/agent/domain/words.ts'
import type { CodingDeps } from '../../src/agent/drive/session.ts'
import type { KeptTests } from '../../src/agent/evaluation/kept-test.ts'
import { type LeaseDeps, renewEveryMs, sweepEveryMs } from '../../src/agent/kernel/lease.ts'
import type { Clock } from '../../src/agent/ports/clock.ts'
import type { Library } from '../../src/agent/ports/library.ts'
import type { Log } from '../../src/agent/ports/log.ts'
import type { Model } from '../../src/agent/ports/model.ts'
import type { ConversationState, Store } from '../../src/agent/ports/store.ts'
import type { Tool } from '../../src/agent/ports/tool.ts'
import { createQuietStore } from '../../src/agent/quiet-hours.ts'
import { createRecorder } from '../../src/agent/recording/recorder.ts'
import { createCommandTool } from '../../src/agent/tools/command-tool.ts'
import { createToolbox } from '../../src/agent/tools/registry.ts'
import { startEmbeddedStore } from '../../src/store/embedded.ts'
import { createRedisStore } from '../../src/store/redis/store.ts'
import { createFakeChannel, type FakeChannel } from '../fakes/channel.ts'
import { createManualClock, type ManualClock } from '../fakes/clock.ts'
import { createFakeModel, type FakeModel } from '../fakes/model.ts'
import { createWakeupsBus, type WakeupsBus } from '../fakes/wakeups.ts'
import { limits } from './limits.ts'
import { ownDatabase } from './own-database.ts'

export const workspace = 'test:team'
export const ana: Author = { id: 'ana', name: 'Ana' }
export const ben: Author = { id: 'ben', name: 'Ben' }

const nothing = { tokens: null, cost: null }
/** No ceiling of a day or month. */
export const unlimited: AgentSettings['usage'] = {
  day: { person: nothing, channel: nothing, team: nothing },
  month: { person: nothing, channel: nothing, team: nothing },
  timeZone: 'UTC',
  currency: 'USD',
}

const settings: AgentSettings = {
  defaults: { locale: 'en', timeZone: 'UTC' },
  access: { users: [], channels: [], outsiders: [] },
  limits,
  toolTimeoutMs: 60_000,
  interrupt: false,
  reminder: { afterMs: 4 * 3_600_000, hours: { fromHour: 9, toHour: 18, days: [1, 2, 3, 4, 5] } },
  unattendedQuestionMs: 24 * 3_600_000,
  whoMayAnswer: 'anyone',
  answersTo: { usual: 'auto', channels: {} },
  admins: [],
  decision: { loopEnabled: true, allowedTypes: ['agent_task', 'sleep'], timeoutMs: 30_000 },
  usage: unlimited,
  onPause: 'ask',
  messagesPerMinute: 0,
  followUp: 0,
  threadTokens: 6_000,
  timesIn: () => 'named',
  isAlone: ({ channel }) => channel.startsWith('dm'),
  strategy: 'step',
  worker: true,
  scheduler: true,
  runsAtOnce: 100,
  retentionMs: 0,
  auditMs: 0,
  auditHeads: null,
}

export interface TestOptions extends Omit<Partial<AgentSettings>, 'limits'> {
  limits?: Partial<AgentSettings['limits']>
  /** Beside `todo`. */
  tools?: readonly Tool[]
  /** The same, of each process, with its ports. */
  toolsOf?: (parts: Pick<LeaseDeps, 'wakeups' | 'clock'> & { store: Store }) => readonly Tool[]
  /** Whether tasks may propose what to remember; people may always. */
  memory?: boolean
  /** Instead of the scripted one. */
  model?: Model
  /** The folder that is shared with a coding agent, and its times. */
  coding?: CodingDeps
  /** Folders that can be searched. */
  library?: Library
  /** Recordings of runs, by id; nothing is recorded where it is left out. */
  recordings?: Map<string, string>
  /** Where kept tests go. */
  tests?: KeptTests
}

interface Said {
  by?: Author
  /** Null: the first thing that Clew says opens it. */
  thread?: string | null
  channel?: string
  addressed?: boolean
  forSomeoneElse?: boolean
  namesOthers?: boolean
  bot?: boolean
  /** The platform's names of the gesture; a new one when they are left out. */
  keys?: string[]
  /** The platform's own name of the message. */
  ref?: string
  /** The platform's own name of the message that it replies to. */
  repliesTo?: string
  /** The conversation for which Clew opened its thread. */
  openedFor?: string
  /** When it was written; now where it is left out. */
  at?: number
  locale?: string
  timeZone?: string
  /** Names of the files that came along. */
  files?: string[]
  way?: Way
  standing?: Standing
  /** Words of others that come with it. */
  shared?: Shared[]
}

/** Clew's core over a real store, with a scripted model, a channel in memory and a clock that a test moves. */
export interface TestClew {
  readonly clock: ManualClock
  readonly model: FakeModel
  readonly channel: FakeChannel
  readonly store: Store
  readonly redis: Redis
  readonly bus: WakeupsBus
  readonly logs: readonly { level: keyof Log; fields: object; line: string }[]
  readonly conversationId: string

  say(text: string, said?: Said): ReturnType<Agent['intake']>
  /** Changes the message that was said with this key. */
  edit(key: string, text: string, said?: Said): ReturnType<Agent['intake']>
  /** Takes back the message that was said with this key. */
  remove(key: string, said?: Said): ReturnType<Agent['intake']>
  choose(
    questionId: string,
    text: string,
    by?: Author,
    thread?: string,
  ): ReturnType<Agent['intake']>
  /** Something else that a person does. */
  gesture(content: InboundEvent['content'], said?: Said): ReturnType<Agent['intake']>
  press(
    action: 'cancel' | 'continue' | 'retry',
    runId: string,
    by?: Author,
  ): ReturnType<Agent['intake']>
  /** Begins a run again at a step of its plan (C251). */
  again(
    runId: string,
    step: number | null,
    said?: Said & { isSure?: boolean },
  ): ReturnType<Agent['intake']>
  /** Changes the steps of a run that have not begun (C208). */
  editPlan(
    seen: string[],
    steps: string[],
    said?: Said & { runId?: string },
  ): ReturnType<Agent['intake']>
  pressIn(
    thread: string,
    action: 'cancel' | 'continue' | 'retry',
    runId: string,
  ): ReturnType<Agent['intake']>
  /** Resolves when nothing is worked on any more, or just `busy` items whose model is kept waiting. */
  idle(busy?: number): Promise<void>
  /** Moves the time on; in its last seconds the sweep has looked for what is due. */
  advance(ms: number): Promise<void>
  /** From now on this process does nothing more, as if it had been killed; the next one takes its place. */
  crash(next?: { worker: string }): Promise<void>
  /** This process stops in order, and the next one starts. */
  restart(): Promise<void>
  /** Nobody works for so long; then the next process starts. */
  away(ms: number): Promise<void>
  /** How many processes there have been. */
  lives(): number
  /** The next life begins just before (or after) the n-th call of this port's method from now. */
  crashAt(point: string, n?: number): void

  /** What the thread shows, without receipts and progress. */
  texts(thread?: string): string[]
  state(thread?: string): Promise<ConversationState>
  /** What became of each of the people's messages, oldest first. */
  outcomes(thread?: string): Promise<(Outcome['kind'] | null)[]>
  /** Of the thread `t`, in the order of their making. */
  runs(): Promise<Run[]>
  run(): Promise<Run>
  task(): Promise<Task>
  trace(of: string): Promise<TraceEvent[]>
  /** At the end of a test this happens by itself. */
  stop(): Promise<void>
}

let shared: Promise<string> | null = null

/** The address of this process's own store, which it keeps for all its files: to start one costs more than most tests. */
async function sharedStore(): Promise<string> {
  shared ??= ownDatabase().then((database) => database ?? embedded())
  return await shared
}

async function embedded(): Promise<string> {
  const dataDir = await mkdtemp(join(inject('folder'), 'store-'))
  const { url } = await startEmbeddedStore({ dataDir, log: () => {} })
  return url
}

/** Declares that a file's tests start on a store that is empty. */
export function useClew(): (options?: TestOptions) => Promise<TestClew> {
  beforeAll(async () => void (await sharedStore()))
  return async (options = {}) => {
    const redis = new Redis(await sharedStore())
    redis.on('error', () => {})
    await redis.flushdb()
    const clew = createTestClew(redis, options)
    onTestFinished(async () => {
      await clew.stop()
      redis.disconnect()
    })
    await clew.start()
    return clew
  }
}

function createTestClew(redis: Redis, options: TestOptions) {
  const clock = createManualClock({ start: Date.UTC(2026, 2, 4, 10) })
  const model = createFakeModel()
  const channel = createFakeChannel('test')
  const bus = createWakeupsBus(clock)
  const logs: { level: keyof Log; fields: object; line: string }[] = []
  const parts: Parts = {
    redis,
    clock,
    model: options.model ?? model,
    channel,
    bus,
    log: recording(logs),
    options,
    worker: 'worker',
  }
  const conversationId = conversationIdOf(workspace, 'general', 't')
  const outside = createRedisStore({
    redis,
    clock: createManualClock({ name: 'outside' }),
    worker: 'outside',
  })
  let gestures = 0
  let lives = 0
  let life = createLife(parts, `life-${++lives}`)
  let fatal: { point: string; n: number } | null = null
  let reborn: Promise<void> = Promise.resolve()

  function arm() {
    life.onPoint = (point) => {
      if (fatal === null || fatal.point !== point || --fatal.n > 0) return
      fatal = null
      reborn = rebirth()
    }
  }
  async function rebirth(worker = 'worker') {
    life.kill()
    life = createLife({ ...parts, worker }, `life-${++lives}`)
    arm()
    await life.agent.start()
  }
  function eventOf(content: InboundEvent['content'], said: Said): InboundEvent {
    const {
      by = ana,
      thread = 't',
      channel: place = 'general',
      keys,
      ref,
      repliesTo,
      openedFor,
      at = clock.now(),
      locale,
      timeZone,
      bot = false,
    } = said
    return {
      workspace,
      channel: place,
      thread,
      keys: keys ?? [`gesture-${++gestures}`],
      author: { ...by, bot },
      whose: { way: said.way ?? 'typed', by: bot ? 'bot' : (said.standing ?? 'member') },
      at,
      ...(ref === undefined ? {} : { ref }),
      ...(repliesTo === undefined ? {} : { repliesTo }),
      ...(openedFor === undefined ? {} : { openedFor }),
      ...(locale === undefined ? {} : { locale }),
      ...(timeZone === undefined ? {} : { timeZone }),
      content,
    }
  }
  /** Resolves when no port has been called for a while, and nothing but that can be going on. */
  async function calm(isIt: () => boolean): Promise<void> {
    for (let rounds = 0; rounds < 4; ) {
      // While others work this gives way to them.
      await new Promise((resolve) => (rounds > 0 ? setImmediate(resolve) : setTimeout(resolve, 1)))
      await reborn
      rounds = isIt() && life.calling() === 0 ? rounds + 1 : 0
    }
  }
  const threadId = (thread = 't') => conversationIdOf(workspace, 'general', thread)
  const clew: TestClew = {
    clock,
    model,
    channel,
    store: outside,
    redis,
    bus,
    logs,
    conversationId,
    say(text, said = {}) {
      const { addressed = true, forSomeoneElse = false, namesOthers = false } = said
      const typeOf = (name: string) => (name.endsWith('.png') ? 'image/png' : 'text/plain')
      const files = said.files?.map((name) => ({
        name,
        mimetype: typeOf(name),
        size: 1,
        url: name,
      }))
      const content = {
        kind: 'message' as const,
        text,
        addressed,
        forSomeoneElse,
        namesOthers,
        ...(said.shared === undefined ? {} : { shared: said.shared }),
        ...(files ? { files } : {}),
      }
      return life.agent.intake(eventOf(content, said))
    },
    edit: (key, text, said = {}) =>
      life.agent.intake(
        eventOf(
          { kind: 'edited', key, text, ...(said.addressed === true ? { addressed: true } : {}) },
          said,
        ),
      ),
    remove: (key, said = {}) => life.agent.intake(eventOf({ kind: 'deleted', key }, said)),
    choose: (questionId, text, by = ana, thread = 't') =>
      life.agent.intake(eventOf({ kind: 'answer', questionId, text }, { by, thread })),
    gesture: (content, said = {}) => life.agent.intake(eventOf(content, said)),
    press: (action, runId, by = ana) =>
      life.agent.intake(eventOf({ kind: 'control', action, runId }, { by })),
    async editPlan(seen, steps, { runId, ...said } = {}) {
      const content = {
        kind: 'plan_edit' as const,
        runId: runId ?? (await clew.run()).id,
        seen,
        steps,
      }
      return await life.agent.intake(eventOf(content, said))
    },
    again: (runId, step, { isSure = false, ...said } = {}) =>
      life.agent.intake(eventOf({ kind: 'again', runId, step, isSure }, said)),
    pressIn: (thread, action, runId) =>
      life.agent.intake(eventOf({ kind: 'control', action, runId }, { thread })),
    idle: (busy = 0) => calm(() => life.busy() === busy),
    async advance(ms) {
      const lastSeconds = Math.min(ms, sweepEveryMs + 1_000)
      await clock.advance(ms - lastSeconds)
      await calm(() => true)
      for (let left = lastSeconds; left > 0; left -= 1_000) {
        await clock.advance(Math.min(left, 1_000))
        await calm(() => true)
      }
    },
    async crash({ worker = 'worker' } = { worker: 'worker' }) {
      await rebirth(worker)
    },
    async restart() {
      await life.stop()
      await rebirth()
    },
    async away(ms) {
      life.kill()
      await clock.advance(ms)
      await rebirth()
    },
    lives: () => lives,
    crashAt(point, n = 1) {
      fatal = { point, n }
    },
    texts(thread) {
      const shown = channel.shown.filter(({ conversation }) => conversation.id === threadId(thread))
      return shown.flatMap(({ delivery: { body } }) => {
        if (body.kind === 'receipt' || body.kind === 'closed' || body.kind === 'withdrawn')
          return []
        if (body.kind === 'decided') return [`(now) ${body.text}`]
        if (body.kind === 'question') return [body.question.text]
        if (body.kind === 'answered')
          return [`${body.answered.author.name} answered: ${body.answered.answer}`]
        return [body.kind === 'private' ? `(to ${body.to}) ${body.text}` : body.text]
      })
    },
    async state(thread) {
      const state = await outside.conversations.state(workspace, threadId(thread), 1_000)
      if (state === null) throw new Error('there is no such conversation')
      return state
    },
    async outcomes(thread) {
      const { messages, outcomes } = await clew.state(thread)
      return messages
        .filter(({ role }) => role === 'user')
        .map(({ id }) => outcomes[id]?.kind ?? null)
    },
    runs: async () => (await outside.runs.list(workspace, 100, conversationId)).reverse(),
    async run() {
      const run = (await clew.runs()).at(-1)
      if (run === undefined) throw new Error('there is no run')
      return run
    },
    async task() {
      const state = await outside.runs.state(workspace, (await clew.run()).id)
      if (state === null || state.task === null) throw new Error('there is no task')
      return state.task
    },
    trace: async (of) => (await outside.runs.trace(workspace, of)).map(({ what }) => what),
    stop: () => life.stop(),
  }
  return Object.assign(clew, {
    async start() {
      arm()
      await life.agent.start()
    },
  })
}

interface Parts {
  redis: Redis
  clock: ManualClock
  model: Model
  channel: FakeChannel
  bus: WakeupsBus
  log: Log
  options: TestOptions
  /** Whose leases a new life takes back. */
  worker: string
}

/** One process: everything that it does goes through its gate, which a crash closes for good. */
function createLife(
  { redis, clock, model, channel, bus, log, options, worker }: Parts,
  name: string,
) {
  const {
    limits,
    tools = [],
    toolsOf = () => [],
    model: _,
    memory: mayPropose = false,
    coding,
    library,
    recordings,
    tests,
    ...over
  } = options
  let isDead = false
  let working = 0
  let calling = 0
  const life = {
    onPoint: (_point: string) => {},
    busy: () => working + bus.handling,
    /** Calls of ports under way, but for those that a test may keep waiting: models and tools. */
    calling: () => calling,
    kill() {
      isDead = true
      void ears.stop()
    },
    async stop() {
      if (isDead) return
      const stopped = agent.stop()
      await clock.advance(10_000)
      await stopped
    },
    get agent() {
      return agent
    },
  }
  const never = new Promise<never>(() => {})
  const ears = bus.open({ worker: true, platforms: ['test'] })

  /** Every async method of a port is a point at which the process can die, before or after the call. */
  function gated<P extends object>(prefix: string, port: P): P {
    return new Proxy(port, {
      get(target, key, receiver) {
        const method: unknown = Reflect.get(target, key, receiver)
        if (typeof method !== 'function' || typeof key !== 'string') return method
        if (key === 'health') return method
        return (...args: unknown[]) => {
          const point = `${prefix}.${key}`
          life.onPoint(`before ${point}`)
          if (isDead) return never
          const answer: unknown = Reflect.apply(method, target, args)
          if (!(answer instanceof Promise)) return answer
          const weight = /^(?:model|tool)/.test(prefix) ? 0 : 1
          calling += weight
          return answer
            .finally(() => {
              calling -= weight
            })
            .then((value) => {
              life.onPoint(`after ${point}`)
              return isDead ? never : value
            })
        }
      },
    })
  }

  /** Work on an item is going on from its claim until its renewals stop. */
  const ownClock: Clock = {
    ...clock,
    every(ms, tick) {
      const stopTicking = clock.every(ms, async () => (isDead ? never : tick()))
      if (ms !== renewEveryMs) return stopTicking
      working += 1
      return () => {
        working -= 1
        stopTicking()
      }
    },
    sleep: (ms, signal) => clock.sleep(ms, signal).then(() => (isDead ? never : undefined)),
  }
  const rows = createRedisStore({
    redis,
    clock: { ...clock, randomId: () => `${name} ${clock.randomId()}` },
    worker,
  })
  const store: Store = {
    ...rows,
    leases: {
      ...gated('leases', rows.leases),
      async claim(item, forMs) {
        working += 1
        try {
          return await gated('leases', rows.leases).claim(item, forMs)
        } finally {
          // What happens next happens before anybody looks; a recorder hears of the claim one turn later.
          const over = () => {
            working -= 1
          }
          setImmediate(
            recordings === undefined ? over : () => setImmediate(() => setImmediate(over)),
          )
        }
      },
    },
    inbox: gated('inbox', rows.inbox),
    commits: gated('commits', rows.commits),
    conversations: gated('conversations', rows.conversations),
    runs: gated('runs', rows.runs),
    outbox: gated('outbox', rows.outbox),
    todos: gated('todos', rows.todos),
    memories: gated('memories', rows.memories),
    usage: gated('usage', rows.usage),
    artifacts: gated('artifacts', rows.artifacts),
  }
  const todos = { todos: store.todos, scopeOf: scopeBy('channel') }
  const memory = { memories: store.memories, proposalMs: 7 * 24 * 3_600_000 }
  const quiet = createQuietStore(rows.notes, () => ({}))
  const recorderTo = (texts: Map<string, string>) =>
    createRecorder({
      open: ({ id }) => ({
        write(line) {
          if (!isDead) texts.set(id, `${texts.get(id) ?? ''}${line}\n`)
        },
        close() {},
      }),
      layout: 'shared',
      randomId: clock.randomId,
      log,
    })
  const memoryTool = createCommandTool('memory', memoryTable, memory)
  const { readOnly: _looking, ...todoTool } = createCommandTool('todo', todoTable, todos)
  const wakeups = gated('wakeups', ears)
  const ofLife = toolsOf({ store, wakeups, clock: ownClock })
  const agent = createAgent({
    store,
    wakeups,
    clock: ownClock,
    log,
    model: gated('model', model),
    toolbox: createToolbox(
      [todoTool, ...(mayPropose ? [memoryTool] : []), ...tools, ...ofLife].map((tool) =>
        gated(`tool ${tool.name}`, tool),
      ),
    ),
    commands: createCommands([
      ...[
        commandFrom(todoTable, todos),
        commandFrom(viewTable, { ...todos, schedules: store.schedules }),
        commandFrom(memoryTable, memory),
        commandFrom(strategyTable, null),
      ],
      commandFrom(taskTable, store),
      commandFrom(auditTable, store),
      commandFrom(quietTable, quiet),
      commandFrom(approvalsTable, { approvals: store.approvals, admins: over.admins ?? [] }),
    ]),
    quiet,
    channels: [gated('channel', channel)],
    ...(library === undefined ? {} : { library: gated('library', library) }),
    ...(recordings === undefined ? {} : { recorder: recorderTo(recordings) }),
    ...(tests === undefined ? {} : { tests }),
    ...(coding === undefined
      ? {}
      : { coding: { ...coding, folder: gated('coding_folder', coding.folder) } }),
    settings: { ...settings, ...over, limits: { ...settings.limits, ...limits } },
  })
  return life
}

function recording(logs: { level: keyof Log; fields: object; line: string }[]): Log {
  const at = (level: keyof Log) => (fields: object, line: string) =>
    void logs.push({ level, fields, line })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
