import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../agent/ports/clock.ts'
import { signalGroup } from '../process-group.ts'

export interface AgentCommand {
  argv: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Text for the command's standard input; `null` for none. */
  input: string | null
  /** Limits after which the command is stopped: run time in milliseconds, output in bytes. */
  timeMs: number
  outputBytes: number
}

/** Result of a finished command. */
export interface AgentEnd {
  why: 'ended' | 'time' | 'output' | 'stopped' | 'not_started'
  /** `null` if a signal ended the command or it never started. */
  exitCode: number | null
  /** End of the combined standard output and error output. */
  output: string
  ms: number
}

/** Length of the output that is kept, in bytes. */
const outputKept = 64 * 1024
/** Time between SIGTERM and SIGKILL. */
const graceMs = 3_000
/** Time for leftover processes to close their outputs. */
const closeMs = 1_000

/**
 * Runs a command in its own process group and stops the whole group: at a limit, when the signal
 * aborts, and when the command itself has ended.
 *
 * Contract: never throws; resolves when the group is gone.
 *
 * @param begun called with the group's id as soon as the group exists.
 */
export async function runAgent(
  command: AgentCommand,
  {
    clock,
    signal,
    begun,
  }: {
    clock: Pick<Clock, 'now' | 'sleep'>
    signal: AbortSignal
    begun(pid: number): Promise<void>
  },
): Promise<AgentEnd> {
  const started = clock.now()
  const output = createTail(outputKept)
  let why: AgentEnd['why'] = 'ended'
  const child = spawnAgent(command)
  const kill = (how: 'SIGTERM' | 'SIGKILL') =>
    child.pid !== undefined && signalGroup(child.pid, how)
  const over = new AbortController()
  const exited = exitOf(child).finally(() => over.abort())
  const stop = async (because: AgentEnd['why']) => {
    if (why !== 'ended' || over.signal.aborted) return
    why = because
    kill('SIGTERM')
    await clock.sleep(graceMs, over.signal)
    kill('SIGKILL')
  }
  const hear = (chunk: Buffer) => {
    output.add(chunk)
    if (output.total() > command.outputBytes) void stop('output')
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  void clock.sleep(command.timeMs, over.signal).then(() => stop('time'))
  const onAbort = () => void stop('stopped')
  signal.addEventListener('abort', onAbort, { once: true })
  const unnoted = (error: unknown) => {
    output.add(Buffer.from(`it could not be noted that the agent works: ${error}\n`))
    void stop('stopped')
  }
  if (child.pid !== undefined) await begun(child.pid).catch(unnoted)
  if (signal.aborted) onAbort()
  const exit = await exited
  signal.removeEventListener('abort', onAbort)
  kill('SIGKILL')
  await Promise.race([closed(child), clock.sleep(closeMs)])
  child.stdout?.destroy()
  child.stderr?.destroy()
  if (exit.error !== null) output.add(Buffer.from(`${command.argv[0]}: ${exit.error.message}`))
  return {
    why: exit.error === null ? why : 'not_started',
    exitCode: exit.code,
    output: output.text(),
    ms: clock.now() - started,
  }
}

function spawnAgent({ argv, cwd, env, input }: AgentCommand): ChildProcess {
  const [program = '', ...args] = argv
  const stdin = input === null ? 'ignore' : 'pipe'
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    detached: true,
    stdio: [stdin, 'pipe', 'pipe'],
  })
  // An agent may exit without reading all of its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  return child
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; error: Error | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve({ code, error: null }))
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, error })
    })
  })
}

const closed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.stdout?.closed !== false && child.stderr?.closed !== false) resolve()
    else child.once('close', () => resolve())
  })

/** Keeps the last bytes of a stream and counts all of them. */
export function createTail(most: number) {
  let chunks: Buffer[] = []
  let kept = 0
  let total = 0
  return {
    add(chunk: Buffer) {
      chunks.push(chunk)
      kept += chunk.length
      total += chunk.length
      if (kept < most * 2) return
      const whole = Buffer.concat(chunks)
      chunks = [whole.subarray(whole.length - most)]
      kept = most
    },
    total: () => total,
    text: () => Buffer.concat(chunks).subarray(-most).toString('utf8').toWellFormed(),
  }
}

/**
 * Returns a process's start time, which identifies it even if its id is reused. Returns `null`
 * where the system does not tell.
 */
export async function birthOf(pid: number): Promise<string | null> {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything; field 22 is the start time.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** Kills a process group that an earlier runner left, unless its id was reused. */
export async function endOrphan(pid: number, birth: string | null): Promise<void> {
  if (birth !== null && (await birthOf(pid)) === birth) signalGroup(pid, 'SIGKILL')
}
