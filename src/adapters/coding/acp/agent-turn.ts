import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import {
  type ClientContext,
  type InitializeResponse,
  type LoadSessionRequest,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk'
import { within } from '../../../agent/deadline.ts'
import type { Clock } from '../../../agent/ports/clock.ts'
import { signalGroup } from '../../process-group.ts'
import type { Reaper } from '../../reaper.ts'
import { birthOf, createTail } from '../agent-process.ts'
import type { Checkout } from './checkout.ts'
import { createClientApp } from './client-app.ts'
import { createHeard } from './heard.ts'
import type { OrderFile, OrderFiles } from './order-file.ts'
import type { Requests } from './requests.ts'
import { createTerminals } from './terminals.ts'

/** Reason why no agent can work. The message tells admins what to do. */
export class NoAgent extends Error {
  readonly code = 'no_agent'
}

export interface AgentTurn {
  order: OrderFile
  checkout: Checkout
  command: readonly string[]
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

/** Longest message of an agent, and the end of its error output that is kept, in bytes. */
const messageMost = 16 * 1024 * 1024
const errorsKept = 2_000
/** Time to start and open a session; time for an agent to stop after it was told to. */
const openMs = 60_000
const graceMs = 2_000
/** The protocol's code for an agent that wants a sign-in. */
const authRequired = -32_000

/**
 * Starts the agent in its checkout, gives it one task and waits until its turn ends. The agent and
 * all it started are gone when this returns.
 *
 * @param signal aborted: the agent is told to cancel, then killed; `reason` says why.
 * @throws NoAgent if it cannot be started or talked to.
 */
export async function agentTurn(turn: AgentTurn, signal: AbortSignal): Promise<TurnEnd> {
  const { order, checkout, env, groups, requests } = turn
  const child = await start(turn)
  const errors = createTail(errorsKept)
  child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk))
  const terminals = createTerminals({ root: checkout.tree, env, groups })
  const heard = createHeard(order, turn.changed)
  let isListening = false
  const onAbort = () => {
    requests.end()
    void turn.clock.sleep(graceMs).then(() => kill(child))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const parts = { root: checkout.tree, requests, terminals, heard, isListening: () => isListening }
  try {
    return await createClientApp(parts).connectWith(streamOf(child), async (agent) => {
      const opened = await openSession(turn, agent, signal)
      isListening = true
      const why = await prompted(turn, agent, { ...opened, signal })
      return { why, text: heard.words() }
    })
  } catch (error) {
    if (error instanceof NoAgent) throw error
    if (signal.aborted) return { why: String(signal.reason), text: heard.words() }
    const said = errors.text().trim()
    return { why: 'died', text: [heard.words(), String(error), said].join('\n').trim() }
  } finally {
    signal.removeEventListener('abort', onAbort)
    requests.end()
    terminals.end()
    await end(child, turn.clock)
  }
}

async function start({ order, checkout, command, env, groups, save }: AgentTurn) {
  const [program = '', ...args] = command
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe']
  const child = spawn(program, args, { cwd: checkout.tree, env, detached: true, stdio })
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new NoAgent(`CODING_AGENT: ${program} cannot be started: ${String(error)}`)
  }
  groups.add(child)
  const pid = child.pid ?? 0
  order.agent = { pid, birth: await birthOf(pid) }
  order.begins += 1
  await save()
  return child
}

function streamOf({ stdin, stdout }: ChildProcess) {
  if (stdin === null || stdout === null)
    throw new NoAgent('CODING_AGENT: it has no input or output')
  const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>
  return ndJsonStream(Writable.toWeb(stdin), input, { maxMessageBytes: messageMost })
}

interface Opened {
  sessionId: string
  /** True if there may be earlier work that the agent does not remember. */
  forgot: boolean
}

/** Session of the mission, if the agent can take it up again; else a new one. */
async function openSession(
  { order, checkout, command, files, clock }: AgentTurn,
  agent: ClientContext,
  signal: AbortSignal,
): Promise<Opened> {
  const opened = await within(clock, openMs, signal, async () => {
    const { agentCapabilities: can = {} } = await initialized(agent)
    const known = await files.session(order.missionId)
    const place: NewSessionRequest = { cwd: checkout.tree, mcpServers: [] }
    const isBack = known !== null && (await takenUp(agent, can, { ...place, sessionId: known }))
    if (isBack) return { sessionId: known, forgot: false }
    const { sessionId } = await agent.request(methods.agent.session.new, place)
    await files.keepSession(order.missionId, sessionId)
    return { sessionId, forgot: known !== null || order.after !== null }
  }).catch((error: unknown) => {
    if (error instanceof RequestError && error.code === authRequired)
      throw new NoAgent(
        `CODING_AGENT: ${command[0]} wants a sign-in: start it once by hand as the user who runs Clew`,
      )
    throw error
  })
  if (opened === null && !signal.aborted)
    throw new NoAgent(`CODING_AGENT: ${command[0]} does not answer in the Agent Client Protocol`)
  return opened ?? { sessionId: '', forgot: false }
}

async function initialized(agent: ClientContext): Promise<InitializeResponse> {
  const answer = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'clew', version: '1' },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {} },
    },
  })
  if (answer.protocolVersion !== PROTOCOL_VERSION)
    throw new NoAgent(
      `CODING_AGENT: it speaks version ${answer.protocolVersion} of the protocol; Clew speaks ${PROTOCOL_VERSION}`,
    )
  return answer
}

/** True if the agent goes on with the session; one that it does not know any more is left. */
async function takenUp(
  agent: ClientContext,
  { loadSession, sessionCapabilities }: NonNullable<InitializeResponse['agentCapabilities']>,
  place: LoadSessionRequest,
): Promise<boolean> {
  const { resume, load } = methods.agent.session
  try {
    if (sessionCapabilities?.resume != null) await agent.request(resume, place)
    else if (loadSession === true) await agent.request(load, place)
    else return false
    return true
  } catch (error) {
    if (error instanceof RequestError && error.code !== authRequired) return false
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
  const answer = agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text }],
  })
  const aborted = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  )
  const ended = await Promise.race([answer, aborted])
  if (ended !== null) return ended.stopReason
  await agent.notify(methods.agent.session.cancel, { sessionId })
  await Promise.race([answer.catch(() => null), turn.clock.sleep(graceMs)])
  return String(signal.reason)
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

/** Stops the agent; what is left of its group is killed when it is gone. */
async function end(child: ChildProcess, clock: Clock): Promise<void> {
  const gone = new AbortController()
  child.once('exit', () => gone.abort())
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  child.stdin?.end()
  if (!isGone()) kill(child, 'SIGTERM')
  if (!isGone()) await clock.sleep(graceMs, gone.signal)
  if (!isGone()) kill(child)
  if (!isGone()) await clock.sleep(graceMs, gone.signal)
}

function kill({ pid }: ChildProcess, how: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (pid !== undefined) signalGroup(pid, how)
}
