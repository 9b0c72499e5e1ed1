import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Reaper } from './reaper.ts'
import type { ServerSpec } from './servers-file.ts'

/** How long a server has after its input was closed, and again after SIGTERM. */
const stopMs = 1_000

/**
 * A server as a process of its own, spoken to over its input and output. Unlike the SDK's transport it ends the whole process
 * group (`npx` starts another process that does the work), also when Clew is killed.
 *
 * @param said hears the lines that the server writes to its error output.
 */
export function createStdioTransport(
  spec: Extract<ServerSpec, { kind: 'stdio' }>,
  { clock, reaper, said }: { clock: Pick<Clock, 'sleep'>; reaper: Reaper; said(line: string): void },
): Transport {
  let child: ChildProcess | null = null
  const buffer = new ReadBuffer()

  const transport: Transport = {
    async start() {
      const started = spawn(spec.command, spec.args, {
        // Only what every program needs, and what the file gives it: never Clew's own secrets (S7).
        env: { ...getDefaultEnvironment(), ...spec.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        ...(spec.cwd === null ? {} : { cwd: spec.cwd }),
      })
      child = started
      for (const stream of [started.stdin, started.stdout, started.stderr])
        stream?.on('error', (error) => transport.onerror?.(error))
      started.stdout?.on('data', read)
      linesOf(started, said)
      await once(started, 'spawn')
      const { pid } = started
      if (pid !== undefined) reaper.watch(pid)
      started.once('exit', () => {
        child = null
        if (pid === undefined) return
        // What it had started in its group goes with it.
        signalGroup(pid, 'SIGKILL')
        reaper.forget(pid)
      })
      started.once('close', () => transport.onclose?.())
    },
    async send(message) {
      const stdin = child?.stdin
      if (stdin === null || stdin === undefined || !stdin.writable) throw new Error('the server is not running')
      if (!stdin.write(serializeMessage(message))) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')])
    },
    async close() {
      const closing = child
      child = null
      if (closing === null || closing.pid === undefined) return
      const { pid } = closing
      const gone = new Promise<void>((resolve) => closing.once('close', () => resolve()))
      closing.stdin?.end()
      await Promise.race([gone, clock.sleep(stopMs)])
      if (closing.exitCode !== null || closing.signalCode !== null) return
      signalGroup(pid, 'SIGTERM')
      await Promise.race([gone, clock.sleep(stopMs)])
      signalGroup(pid, 'SIGKILL')
      await Promise.race([gone, clock.sleep(stopMs)])
    },
  }
  function read(chunk: Buffer) {
    try {
      buffer.append(chunk)
      for (let message = next(); message !== null; message = next()) transport.onmessage?.(message)
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
      void transport.close()
    }
  }
  /** A line that is no message is passed over, as the SDK does: some servers greet on their output. */
  function next() {
    for (;;) {
      try {
        return buffer.readMessage()
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
  return transport
}

const lineMost = 500

function linesOf({ stderr }: ChildProcess, said: (line: string) => void) {
  let rest = ''
  stderr?.setEncoding('utf8')
  stderr?.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = (lines.pop() ?? '').slice(0, lineMost)
    for (const line of lines) if (line.trim() !== '') said(line.slice(0, lineMost))
  })
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL') {
  try {
    process.kill(-group, signal)
  } catch {
    // It is gone.
  }
}
