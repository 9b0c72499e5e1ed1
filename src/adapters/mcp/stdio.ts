import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { parseJSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import { isRecord } from '../../agent/contracts/forgiving.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
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
  const open = new Set<unknown>()
  const transport: Transport = {
    async start() {
      const started = spawnServer(spec)
      child = started
      for (const stream of [started.stdin, started.stdout, started.stderr])
        stream?.on('error', (error) => transport.onerror?.(error))
      readMessages(started, transport, open)
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
      if ('id' in message && 'method' in message) open.add(message.id)
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
function readMessages({ stdout }: ChildProcess, transport: Transport, open: Set<unknown>) {
  const report = (error: unknown) =>
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
  const valuesIn = createValueReader()
  eachLine(stdout, (line) => {
    if (line.length > messageMost) {
      report('a message is too long')
      return void transport.close()
    }
    try {
      for (const value of valuesIn(line))
        transport.onmessage?.(parseJSONRPCMessage(readableMessage(ofRequest(value, open))))
    } catch (error) {
      report(error)
    }
  })
}

/** The message, an error of nobody's with the id of the one request that is open (C993). */
function ofRequest(message: unknown, open: Set<unknown>): unknown {
  if (!isRecord(message) || 'method' in message) return message
  const [only, ...others] = open
  const isNobodys = message.id == null && message.error != null && others.length === 0
  const id = isNobodys ? only : message.id
  open.delete(Number(id))
  return { ...message, id }
}

/** Signs of a terminal, which JSON holds only escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
const colours = /\u001b\[[\d;]{0,20}[A-Za-z]/g
/** Longest message over several lines, in characters. */
const linesMost = 1024 * 1024

/**
 * Reads the values of lines: one a line, or as some servers write them, behind words, several in a
 * line, or one over many (C993).
 *
 * @throws SyntaxError where a line is none of these.
 */
function createValueReader(): (line: string) => unknown[] {
  let held = ''
  return (line) => {
    const plain = line.includes('\u001b') ? line.replace(colours, '') : line
    const at = plain.indexOf('{"jsonrpc"')
    const whole = jsonIn(plain) ?? (at === -1 ? undefined : jsonIn(plain.slice(at)))
    const several = `[${plain.slice(at).replaceAll(/\}\s{0,9}\{"jsonrpc"/g, '},{"jsonrpc"')}]`
    const values = whole === undefined && at !== -1 ? jsonIn(several) : whole
    if (values !== undefined) {
      held = ''
      return values === whole ? [whole] : [values].flat()
    }
    const isBegun = held !== '' || plain === '{'
    held = isBegun && held.length < linesMost ? `${held}${plain}\n` : ''
    const value = plain.startsWith('}') ? jsonIn(held) : undefined
    if (value !== undefined) held = ''
    if (!isBegun) throw new SyntaxError('a line is no message')
    return value === undefined ? [] : [value]
  }
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
