import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import {
  type ClientContext,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk'
import { within } from '../../../agent/deadline.ts'
import { cleanText } from '../../../agent/domain/clean-text.ts'
import type { Clock } from '../../../agent/ports/clock.ts'
import { signalGroup } from '../../process-group.ts'
import { createTail } from '../agent-process.ts'

/**
 * Fault of an agent with which nothing can be begun. `not_found`: its program is not there.
 * `ended`: it ended by itself. `silent`: it does not answer in the protocol. `version`: of another
 * version. `sign_in`: nobody is signed in. `refused`: it opens no session. `mode`: it has not the
 * mode that is set.
 */
export type AgentFault =
  | 'not_found'
  | 'ended'
  | 'silent'
  | 'version'
  | 'sign_in'
  | 'refused'
  | 'mode'

/** Reason why no agent can work. The message tells admins what to do. */
export class NoAgent extends Error {
  readonly code = 'no_agent'
  readonly fault: AgentFault
  /** Words of the agent about it; blank: none. */
  readonly said: string
  constructor(message: string, fault: AgentFault = 'refused', said = '') {
    super(said === '' ? message : `${message}: ${said}`)
    this.fault = fault
    this.said = said
  }
}

export interface AgentProgram {
  /** Command of the agent, as words. */
  command: readonly string[]
  cwd: string
  /** The whole environment of the agent. */
  env: Readonly<Record<string, string | undefined>>
}

/** An agent's process, with the end of its error output. */
export interface AgentProcess {
  child: ChildProcess
  errors: ReturnType<typeof createTail>
}

/** Longest message of an agent, and the end of its error output that is kept, in bytes. */
const messageMost = 16 * 1024 * 1024
const errorsKept = 2_000
/** Length of an agent's words in a fault, in characters. */
const saidMost = 300
/** Time to start and open a session; time for an agent to stop after it was told to. */
const openMs = 60_000
export const graceMs = 2_000
/** The protocol's code for an agent that wants a sign-in. */
const authRequired = -32_000

export const wantsSignIn = (error: unknown): boolean =>
  error instanceof RequestError && error.code === authRequired

/**
 * Starts an agent in a process group of its own.
 *
 * @throws NoAgent if its program cannot be started.
 */
export async function spawnAgent({ command, cwd, env }: AgentProgram): Promise<AgentProcess> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  const errors = createTail(errorsKept)
  child.stderr.on('data', (chunk: Buffer) => errors.add(chunk))
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new NoAgent(`CODING_AGENT: ${program} cannot be started`, 'not_found', String(error))
  }
  return { child, errors }
}

export function streamOf({ child: { stdin, stdout } }: AgentProcess) {
  if (stdin === null || stdout === null)
    throw new NoAgent('CODING_AGENT: it has no input or output', 'silent')
  const input = Readable.toWeb(stdout) as ReadableStream<Uint8Array>
  return ndJsonStream(Writable.toWeb(stdin), input, { maxMessageBytes: messageMost })
}

/**
 * Greets an agent, and opens a session in it by `open`.
 *
 * @param ms time for both.
 * @returns null if the signal aborts first.
 * @throws NoAgent if it does not answer in time or speaks another version.
 */
export async function opened<T>(
  agent: ClientContext,
  { clock, signal, ms = openMs }: { clock: Clock; signal: AbortSignal; ms?: number },
  open: (greeting: InitializeResponse) => Promise<T>,
): Promise<T | null> {
  const made = await within(clock, ms, signal, async () => await open(await greeted(agent)))
  if (made !== null || signal.aborted) return made
  throw new NoAgent('CODING_AGENT: it does not answer in the Agent Client Protocol', 'silent')
}

/** Returns why an agent opened no session. */
export function openFault(
  error: unknown,
  { command, errors }: Pick<AgentProcess, 'errors'> & Pick<AgentProgram, 'command'>,
): NoAgent {
  const name = `CODING_AGENT: ${command[0]}`
  if (error instanceof NoAgent && error.fault === 'silent')
    return new NoAgent(error.message, 'silent', lastWords(errors))
  if (error instanceof NoAgent) return error
  if (wantsSignIn(error)) {
    const text = `${name} wants a sign-in: start it once by hand as the user who runs Clew`
    return new NoAgent(text, 'sign_in', saidBy(error))
  }
  if (error instanceof RequestError)
    return new NoAgent(`${name} opens no session`, 'refused', saidBy(error))
  return new NoAgent(`${name} ended before it opened a session`, 'ended', lastWords(errors))
}

async function greeted(agent: ClientContext): Promise<InitializeResponse> {
  const answer = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: 'clew', version: '1' },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
      elicitation: { form: {} },
    },
  })
  const { protocolVersion: version } = answer
  // Some write the number as text (C993).
  if (Number(version) === PROTOCOL_VERSION) return answer
  const versions = `it speaks version ${version} of the protocol; Clew speaks ${PROTOCOL_VERSION}`
  throw new NoAgent(`CODING_AGENT: ${versions}`, 'version')
}

/** Opens a new session in a folder. */
export const newSession = (agent: ClientContext, cwd: string): Promise<NewSessionResponse> =>
  agent.request(methods.agent.session.new, { cwd, mcpServers: [] })

/** Modes of a session: how much its agent asks before it acts. */
export interface SessionModes {
  current: string
  all: readonly { id: string; name: string }[]
  /** Option of the session by which it is chosen; null: it has a request of its own. */
  option: string | null
}

type WithModes = Pick<NewSessionResponse, 'modes' | 'configOptions'>

/** Modes that a session has; null: none. */
export function modesOf({ modes, configOptions }: WithModes): SessionModes | null {
  if (modes != null)
    return { current: modes.currentModeId, all: modes.availableModes, option: null }
  const option = configOptions?.find(({ category }) => category === 'mode')
  if (option?.type !== 'select') return null
  const all = option.options.flatMap((one) => ('options' in one ? one.options : [one]))
  const named = all.map(({ value: id, name }) => ({ id, name }))
  return { current: option.currentValue, all: named, option: option.id }
}

/**
 * Chooses the mode of a session (C935).
 *
 * @throws NoAgent if it has no such mode.
 */
export async function chooseMode(
  agent: ClientContext,
  { sessionId, ...found }: WithModes & { sessionId: string },
  mode: string,
): Promise<void> {
  const modes = modesOf(found)
  const ids = modes?.all.map(({ id }) => id) ?? []
  if (modes === null || !ids.includes(mode))
    throw new NoAgent(`CODING_MODE: the agent has no mode ${mode}`, 'mode', ids.join(', '))
  const { setMode, setConfigOption } = methods.agent.session
  const { option: configId } = modes
  if (configId === null) await agent.request(setMode, { sessionId, modeId: mode })
  else await agent.request(setConfigOption, { sessionId, configId, value: mode })
}

const oneLine = (text: string) =>
  cleanText(text).replaceAll(/\s+/g, ' ').trim().slice(0, saidMost).toWellFormed()

function saidBy(error: unknown): string {
  if (!(error instanceof RequestError)) return ''
  const more = typeof error.data === 'object' ? JSON.stringify(error.data) : String(error.data)
  return oneLine(error.data == null ? error.message : `${error.message} ${more}`)
}

/** Last lines of an agent's error output. */
function lastWords(errors: AgentProcess['errors']): string {
  const text = cleanText(errors.text()).trim()
  return oneLine(text.slice(-saidMost))
}

/** Stops an agent; what is left of its group is killed when it is gone. */
export async function endAgent({ child }: AgentProcess, clock: Clock): Promise<void> {
  const gone = new AbortController()
  child.once('exit', () => gone.abort())
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  child.stdin?.end()
  if (!isGone()) killAgent(child, 'SIGTERM')
  if (!isGone()) await clock.sleep(graceMs, gone.signal)
  if (!isGone()) killAgent(child)
  if (!isGone()) await clock.sleep(graceMs, gone.signal)
}

export function killAgent({ pid }: ChildProcess, how: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (pid !== undefined) signalGroup(pid, how)
}
