import { z } from 'zod'
import { type ChannelAddress, titleFrom } from './domain/conversation.ts'
import { deriveId } from './domain/id.ts'
import { hasEnded, type Run } from './domain/run.ts'
import { type Allowed, allowed, type Words } from './domain/words.ts'
import { isAmong } from './hooks.ts'
import { newRun } from './kernel/create-run.ts'
import type { Clock } from './ports/clock.ts'
import type { Rates } from './ports/rates.ts'
import type { RunState, Store } from './ports/store.ts'
import type { Wakeups } from './ports/wakeups.ts'
import { GatherInput, type RunType } from './run-inputs.ts'

/** A program outside that may start work: a build server, an alarm, a form. */
export interface Connector {
  name: string
  runTypes: readonly string[]
  /** Where its work may report; of none, it is asked for. */
  channels: readonly ChannelAddress[]
}

/** Request of a connector to start a run. */
export interface RunRequest {
  requestId: string
  type: string
  title?: string | undefined
  input: Record<string, unknown>
  /**
   * Where the report goes: a thread that is there, or a new one in a channel. Neither: it is asked
   * for.
   */
  conversationId?: string | undefined
  channel?: ChannelAddress | undefined
  group?: { id: string; size: number; title?: string | undefined; waitMinutes: number } | undefined
}

type Refusal =
  | { why: 'run_type_not_allowed'; type: string }
  | { why: 'unfit_input'; problem: string }
  | {
      why:
        | 'channel_not_allowed'
        | 'unknown_conversation'
        | 'too_many_runs'
        | 'group_closed'
        | 'group_full'
        | 'group_differs'
    }
export type Started = { kind: 'accepted' | 'known'; run: Run } | ({ kind: 'refused' } & Refusal)

export interface ConnectorDeps {
  store: {
    runs: Pick<Store['runs'], 'admit' | 'state' | 'list'>
    conversations: Pick<Store['conversations'], 'state'>
    rates: Rates
  }
  wakeups: Pick<Wakeups, 'wake'>
  clock: Pick<Clock, 'now'>
  runTypes: readonly RunType[]
  /** Those that the operator allows anybody (R98). */
  allowedTypes: readonly string[]
  /** Where its questions are asked while no channel is named, and its runs are kept. */
  home: ChannelAddress
}

/** Words of a program with a secret of its own, by which its work starts (C284). */
const byProgram: Words = { way: 'program', by: 'member' }
/** Requests of one connector that are taken in a minute. */
const perMinute = 60

export type Connectors = ReturnType<typeof createConnectors>

/**
 * The way in for work that a connector starts (C120): checked, stored once, and only then
 * acknowledged.
 */
export function createConnectors(deps: ConnectorDeps) {
  return {
    find: (connector: Connector, id: string) => find(deps, connector, id),

    /** The same request again answers the same run, whatever else it says by then (R116). */
    async start(connector: Connector, request: RunRequest): Promise<Started> {
      const id = deriveId('r', 'connector', connector.name, request.requestId)
      const known = await find(deps, connector, id)
      if (known !== null) return { kind: 'known', run: known.run }
      const now = deps.clock.now()
      const { workspace } = deps.home
      const taken = { workspace, who: `connector ${connector.name}`, key: id, at: now, perMinute }
      if (!(await deps.store.rates.take(taken))) return { kind: 'refused', why: 'too_many_runs' }
      const input = readInput(deps, connector, request)
      if ('why' in input) return { kind: 'refused', ...input }
      const place = await placeOf(deps, connector, request)
      if ('why' in place) return { kind: 'refused', ...place }
      const may = allowed(byProgram, 'start')
      if (may === null) return { kind: 'refused', why: 'run_type_not_allowed', type: request.type }
      const asked = { connector, request, place, now, may }
      const gatherer =
        request.group === undefined
          ? null
          : await gathererOf(deps, gatheringRun(asked, request.group))
      if (gatherer !== null && 'why' in gatherer) return { kind: 'refused', ...gatherer }
      const { type, requestId } = request
      const title =
        request.title ?? titleFrom(typeof input.input.goal === 'string' ? input.input.goal : type)
      const run = connectedRun(
        asked,
        { id, type, title, input: input.input, requestId },
        gatherer?.gatherer ?? null,
      )
      const answer = await admit(deps, run, gatherer ?? undefined)
      if (answer === 'closed' || answer === 'full')
        return { kind: 'refused', why: `group_${answer}` }
      return { kind: answer, run }
    },
  }
}

const workspacesOf = ({ home }: ConnectorDeps, { channels }: Connector): string[] => [
  ...new Set([home, ...channels].map(({ workspace }) => workspace)),
]

/** A run of this connector's, wherever it is; nobody else's (S20). */
async function find(
  deps: ConnectorDeps,
  connector: Connector,
  id: string,
): Promise<RunState | null> {
  for (const workspace of workspacesOf(deps, connector)) {
    const state = await deps.store.runs.state(workspace, id)
    if (state?.run.connector?.name === connector.name) return state
  }
  return null
}

/** Where it shows itself, or why it may not. */
async function placeOf(
  deps: ConnectorDeps,
  connector: Connector,
  { conversationId, channel }: RunRequest,
): Promise<ChannelAddress | Refusal> {
  if (conversationId !== undefined)
    return (await threadFor(deps, connector, conversationId)) ?? { why: 'unknown_conversation' }
  if (channel === undefined) return deps.home
  return isAmong(connector.channels, channel) ? channel : { why: 'channel_not_allowed' }
}

/** C121: a thread in one of its channels, or one in which it has work already. */
async function threadFor(
  deps: ConnectorDeps,
  connector: Connector,
  id: string,
): Promise<ChannelAddress | null> {
  const { conversations, runs } = deps.store
  for (const workspace of workspacesOf(deps, connector)) {
    const address = (await conversations.state(workspace, id, 0))?.conversation.address
    if (address === undefined) continue
    if (isAmong(connector.channels, address)) return { workspace, channel: address.channel }
    const own = (await runs.list(workspace, runsRead, id)).some(
      (run) => run.connector?.name === connector.name,
    )
    return own ? { workspace, channel: address.channel } : null
  }
  return null
}

async function admit(
  { store, wakeups }: ConnectorDeps,
  run: Run,
  group?: Parameters<Store['runs']['admit']>[1],
) {
  const answer = await store.runs.admit(run, group)
  if (answer === 'accepted')
    await wakeups.wake({ kind: 'run', workspace: run.workspace, id: run.id })
  return answer
}

/**
 * C123: the run that gathers a group's results, made with the first of them; or why this one cannot
 * be of it.
 */
async function gathererOf(
  deps: ConnectorDeps,
  wanted: Run,
): Promise<{ gatherer: string; size: number } | Refusal> {
  await admit(deps, wanted)
  const state = await deps.store.runs.state(wanted.workspace, wanted.id)
  if (state === null) return { why: 'group_closed' }
  const { run } = state
  const { size } = GatherInput.parse(run.input)
  const isThere = run.conversationId === wanted.conversationId && run.channel === wanted.channel
  const isToldAlike = run.connector?.silent === wanted.connector?.silent
  const isAlike = size === wanted.input.size && isThere && isToldAlike
  // Of one that is over the store says so, unless it is the same request again.
  return isAlike || hasEnded(run.status) ? { gatherer: run.id, size } : { why: 'group_differs' }
}

/** Enough to find its own work among that of a thread. */
const runsRead = 1_000

/**
 * Only types that the operator allows everybody, and this connector; their input is what the type
 * itself takes.
 */
function readInput(
  { runTypes, allowedTypes }: ConnectorDeps,
  connector: Connector,
  { type: name, input }: RunRequest,
): { input: Record<string, unknown> } | Refusal {
  const type = runTypes.find((one) => one.type === name)
  if (type === undefined || !allowedTypes.includes(name) || !connector.runTypes.includes(name))
    return { why: 'run_type_not_allowed', type: name.slice(0, 100) }
  const parsed = type.input.safeParse(input)
  if (parsed.success) return { input: parsed.data }
  return {
    why: 'unfit_input',
    problem: `input: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`,
  }
}

interface Asked {
  connector: Connector
  request: RunRequest
  place: ChannelAddress
  now: number
  may: Allowed<'start'>
}

type RequestedRun = Pick<Run, 'id' | 'type' | 'title' | 'input' | 'requestId'>

/**
 * Unattended work, so no tool with effects is among its tools (S4). What is in a group is reported
 * by its gatherer.
 */
function connectedRun(
  { connector, request, place, now }: Asked,
  given: RequestedRun,
  gatherer: string | null,
): Run {
  const { name } = connector
  const { conversationId = null, channel } = request
  const silent = gatherer !== null || (conversationId === null && channel === undefined)
  return newRun({
    ...place,
    ...given,
    requestId: `connector:${name}:${given.requestId}`,
    conversationId: gatherer === null ? conversationId : null,
    requestedBy: null,
    createdAt: now,
    connector: { name, silent: silent || undefined, gatherer: gatherer ?? undefined },
  })
}

function gatheringRun(
  asked: Asked,
  { id, size, title = id, waitMinutes }: NonNullable<RunRequest['group']>,
): Run {
  const { connector, place, now } = asked
  const input: z.infer<typeof GatherInput> = { size, until: now + waitMinutes * 60_000 }
  const runId = deriveId('r', 'gather', place.workspace, connector.name, id)
  return connectedRun(
    asked,
    { id: runId, type: 'gather', title, input, requestId: `group:${id}` },
    null,
  )
}
