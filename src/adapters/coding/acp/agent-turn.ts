import {
  type ClientContext,
  type InitializeResponse,
  type LoadSessionRequest,
  methods,
  RequestError,
} from '@agentclientprotocol/sdk'
import { isRecord } from '../../../agent/contracts/forgiving.ts'
import type { Clock } from '../../../agent/ports/clock.ts'
import type { Reaper } from '../../reaper.ts'
import { birthOf } from '../agent-process.ts'
import type { Checkout } from './checkout.ts'
import { createClientApp } from './client-app.ts'
import {
  chooseMode,
  endAgent,
  graceMs,
  killAgent,
  newSession,
  opened,
  openFault,
  spawnAgent,
  streamOf,
  wantsSignIn,
} from './connection.ts'
import { createHeard } from './heard.ts'
import type { OrderFile, OrderFiles } from './order-file.ts'
import type { Requests } from './requests.ts'
import { createTerminals } from './terminals.ts'

export interface AgentTurn {
  order: OrderFile
  checkout: Checkout
  command: readonly string[]
  /** Mode that its sessions are set to; null: its own. */
  mode: string | null
  env: Readonly<Record<string, string | undefined>>
  files: OrderFiles
  requests: Requests
  /** True if an agent began with the task before. */
  isAgain: boolean
  groups: Reaper
  clock: Clock
  /** Stores the order soon, and at once. */
  changed(): void
  save(): Promise<void>
}

type TurnEnd = NonNullable<OrderFile['ended']>

/**
 * Starts the agent in its checkout, gives it one task and waits until its turn ends. The agent and
 * all it started are gone when this returns.
 *
 * @param signal aborted: the agent is told to cancel, then killed; `reason` says why.
 * @throws NoAgent if it cannot be started or talked to.
 */
export async function agentTurn(turn: AgentTurn, signal: AbortSignal): Promise<TurnEnd> {
  const { order, checkout, env, groups, requests } = turn
  const process = await start(turn)
  const { child, errors } = process
  const terminals = createTerminals({ root: checkout.tree, env, groups })
  const heard = createHeard(order, checkout.tree, turn.changed)
  let isListening = false
  const onAbort = () => {
    requests.end()
    void turn.clock.sleep(graceMs).then(() => killAgent(child))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const parts = { root: checkout.tree, requests, terminals, heard, isListening: () => isListening }
  try {
    return await createClientApp(parts).connectWith(streamOf(process), async (agent) => {
      const session = await openSession(turn, agent, signal)
      isListening = true
      return { why: await prompted(turn, agent, { ...session, signal }), text: heard.words() }
    })
  } catch (error) {
    if (signal.aborted) return { why: String(signal.reason), text: heard.words() }
    if (!isListening || wantsSignIn(error)) throw openFault(error, { ...turn, errors })
    const said = errors.text().trim()
    return { why: 'died', text: [heard.words(), String(error), said].join('\n').trim() }
  } finally {
    signal.removeEventListener('abort', onAbort)
    requests.end()
    terminals.end()
    await endAgent(process, turn.clock)
  }
}

async function start({ order, checkout, command, env, groups, save }: AgentTurn) {
  const process = await spawnAgent({ command, cwd: checkout.tree, env })
  const { child } = process
  groups.add(child)
  const pid = child.pid ?? 0
  order.agent = { pid, birth: await birthOf(pid) }
  order.begins += 1
  await save()
  return process
}

interface Opened {
  sessionId: string
  /** True if there may be earlier work that the agent does not remember. */
  forgot: boolean
}

/** Session of the mission, if the agent can take it up again; else a new one. */
async function openSession(
  { order, checkout, files, clock, mode }: AgentTurn,
  agent: ClientContext,
  signal: AbortSignal,
): Promise<Opened> {
  const found = await opened(agent, { clock, signal }, async ({ agentCapabilities: can = {} }) => {
    const known = await files.session(order.missionId)
    const place = { cwd: checkout.tree, mcpServers: [] }
    const back = known && (await takenUp(agent, can, { ...place, sessionId: known }))
    const session = back || (await newSession(agent, checkout.tree))
    const { sessionId } = session
    if (mode !== null) await chooseMode(agent, session, mode)
    if (!back) await files.keepSession(order.missionId, sessionId)
    return { sessionId, forgot: !back && (known !== null || order.after !== null) }
  })
  return found ?? { sessionId: '', forgot: false }
}

/** The session, if the agent goes on with it; one that it does not know any more is left. */
async function takenUp(
  agent: ClientContext,
  { loadSession, sessionCapabilities }: NonNullable<InitializeResponse['agentCapabilities']>,
  place: LoadSessionRequest,
) {
  const { resume, load } = methods.agent.session
  const known = loadSession === true ? load : null
  const how = sessionCapabilities?.resume == null ? known : resume
  if (how === null) return null
  try {
    return { ...(await agent.request(how, place)), sessionId: place.sessionId }
  } catch (error) {
    if (error instanceof RequestError && !wantsSignIn(error)) return null
    throw error
  }
}

/** Answers how the turn ended: the protocol's reason, or why it was stopped. */
async function prompted(
  turn: AgentTurn,
  agent: ClientContext,
  { sessionId, forgot, signal }: Opened & { signal: AbortSignal },
): Promise<string> {
  if (signal.aborted) return String(signal.reason)
  const text = promptOf(turn, forgot)
  const prompt = [{ type: 'text' as const, text }]
  const answer = agent
    .request(methods.agent.session.prompt, { sessionId, prompt })
    .then((end: unknown) => reasonOf(isRecord(end) ? end.stopReason : null))
  const aborted = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  )
  const ended = await Promise.race([answer, aborted])
  if (ended !== null) return ended
  await agent.notify(methods.agent.session.cancel, { sessionId })
  await Promise.race([answer.catch(() => null), turn.clock.sleep(graceMs)])
  return String(signal.reason)
}

/** Reason for a turn's end in the protocol's words; an answer without one has ended it (C993). */
function reasonOf(said: unknown): string {
  const reason = typeof said === 'string' ? said.replaceAll(/[A-Z]/g, (one) => `_${one}`) : ''
  const plain = reason.toLowerCase().replace(/^_/, '')
  return /^(?:complete[d]?|done|end|stop)?$/.test(plain) ? 'end_turn' : plain
}

function promptOf({ order, checkout, isAgain }: AgentTurn, forgot: boolean): string {
  const parts = [
    `You work in ${checkout.tree}, a git checkout of your own on the branch ${checkout.branch}. Stay in it, and commit what you do.`,
    forgot
      ? 'Somebody worked on this before, perhaps you: look at git log and git status first.'
      : '',
    isAgain
      ? 'You were interrupted while you worked on the task below. Look at what is done already, and finish the rest.'
      : '',
    order.prompt,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}
