import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { parseJSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Clock } from '../../agent/ports/clock.ts'
import { signalGroup } from '../process-group.ts'
import type { Reaper } from '../reaper.ts'
import type { ServerSpec } from './servers-file.ts'
import { readableMessage } from './wire.ts'

/** Time for a server to exit after its input closes, and again after SIGTERM. */
const stopMs = 1_000

interface StdioDeps {
  clock: Pick<Clock, 'sleep'>
  reaper: Reaper
  /** Called with each line of the server's error output. */
  said(line: string): void
}

/**
 * MCP transport to a server in a child process, over its standard input and output. Unlike the
 * SDK's transport, it kills the whole process group, even if Clew is killed. (`npx` starts a second
 * process that does the work.)
 */
export function createStdioTransport(
  spec: Extract<ServerSpec, { kind: 'stdio' }>,
  deps: StdioDeps,
): Transport {
  let child: ChildProcess | null = null
  const transport: Transport = {
    async start() {
      const started = spawnServer(spec)
      child = started
      for (const stream of [started.stdin, started.stdout, started.stderr])
        stream?.on('error', (error) => transport.onerror?.(error))
      readMessages(started, transport)
      readLog(started, deps.said)
      await once(started, 'spawn')
      deps.reaper.add(started)
      started.once('exit', () => {
        child = null
      })
      started.once('close', () => transport.onclose?.())
    },
    async send(message) {
      const stdin = child?.stdin
      if (stdin === null || stdin === undefined || !stdin.writable)
        throw new Error('the server is not running')
      if (!stdin.write(serializeMessage(message)))
        await Promise.race([once(stdin, 'drain'), once(stdin, 'close')])
    },
    async close() {
      const closing = child
      child = null
      if (closing !== null) await end(closing, deps.clock)
    },
  }
  return transport
}

function spawnServer({
  command,
  args,
  env,
  cwd,
}: Extract<ServerSpec, { kind: 'stdio' }>): ChildProcess {
  return spawn(command, args, {
    // The child gets basic variables and those from the file, never Clew's secrets (S7).
    env: { ...getDefaultEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: cwd ?? undefined,
  })
}

async function end(child: ChildProcess, clock: StdioDeps['clock']) {
  const { pid } = child
  if (pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin?.end()
  await Promise.race([gone, clock.sleep(stopMs)])
  if (child.exitCode !== null || child.signalCode !== null) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(pid, signal)
    await Promise.race([gone, clock.sleep(stopMs)])
  }
}

/** Longest message of a server, in characters. */
const messageMost = 10 * 1024 * 1024

/**
 * Parses a server's output. Skips lines that are not messages, as the SDK does, since some servers
 * print a greeting.
 */
function readMessages({ stdout }: ChildProcess, transport: Transport) {
  const report = (error: unknown) =>
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
  eachLine(stdout, (line) => {
    if (line.length > messageMost) {
      report('a message is too long')
      return void transport.close()
    }
    try {
      transport.onmessage?.(parseJSONRPCMessage(readableMessage(JSON.parse(line))))
    } catch (error) {
      report(error)
    }
  })
}

const lineMost = 500

const readLog = ({ stderr }: ChildProcess, said: (line: string) => void) =>
  eachLine(stderr, (line) => said(line.slice(0, lineMost)))

/**
 * Calls `heard` with every line that is not blank. An endless line is passed on once it is longer
 * than a message may be.
 */
function eachLine(stream: Readable | null, heard: (line: string) => void) {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => {
    rest += chunk
    if (!chunk.includes('\n') && rest.length <= messageMost) return
    const lines = rest.split('\n')
    rest = lines.length > 1 ? (lines.pop() ?? '') : ''
    for (const line of lines) if (line.trim() !== '') heard(line.trim())
  })
}
