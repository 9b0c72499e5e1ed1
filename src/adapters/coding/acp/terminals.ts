import { type ChildProcess, spawn } from 'node:child_process'
import {
  type CreateTerminalRequest,
  RequestError,
  type TerminalExitStatus,
  type TerminalOutputResponse,
} from '@agentclientprotocol/sdk'
import { signalGroup } from '../../process-group.ts'
import type { Reaper } from '../../reaper.ts'
import { createTail } from '../agent-process.ts'
import { confined } from './confined.ts'

/** Most terminals of one agent at a time, and the end of their output that is kept, in bytes. */
const terminalsMost = 16
const outputMost = 1024 * 1024

interface Terminal {
  child: ChildProcess
  output: ReturnType<typeof createTail>
  most: number
  exit: Promise<TerminalExitStatus>
  status: TerminalExitStatus | null
}

export type Terminals = ReturnType<typeof createTerminals>

/** Commands that an agent lets Clew run in its checkout. Each is a process group of its own. */
export function createTerminals({
  root,
  env,
  groups,
}: {
  root: string
  env: Readonly<Record<string, string | undefined>>
  groups: Reaper
}) {
  const all = new Map<string, Terminal>()
  const of = (id: string) => {
    const terminal = all.get(id)
    if (terminal === undefined)
      throw RequestError.invalidParams(undefined, `there is no terminal ${id}`)
    return terminal
  }
  const kill = ({ child }: Terminal) => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  }
  let count = 0
  return {
    async create(asked: CreateTerminalRequest) {
      if (all.size >= terminalsMost)
        throw RequestError.invalidParams(undefined, 'too many terminals: release some first')
      const cwd = await confined(root, asked.cwd ?? root)
      const more = Object.fromEntries((asked.env ?? []).map(({ name, value }) => [name, value]))
      const child = startTerminal(asked, cwd, { ...env, ...more })
      const id = `t${++count}`
      all.set(id, watched(child, Math.min(asked.outputByteLimit ?? outputMost, outputMost)))
      groups.add(child)
      return id
    },
    output(id: string): TerminalOutputResponse {
      const { output, most, status } = of(id)
      return { output: output.text(), truncated: output.total() > most, exitStatus: status }
    },
    wait: (id: string) => of(id).exit,
    kill: (id: string) => kill(of(id)),
    release(id: string) {
      kill(of(id))
      all.delete(id)
    },
    end() {
      for (const terminal of all.values()) kill(terminal)
      all.clear()
    },
  }
}

/** A command without arguments is a line for a shell, as most agents mean it. */
function startTerminal(
  { command, args = [] }: CreateTerminalRequest,
  cwd: string,
  env: Record<string, string | undefined>,
): ChildProcess {
  return spawn(command, args, {
    cwd,
    env,
    shell: args.length === 0,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function watched(child: ChildProcess, most: number): Terminal {
  const output = createTail(most)
  child.stdout?.on('data', (chunk: Buffer) => output.add(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.add(chunk))
  const exit = new Promise<TerminalExitStatus>((resolve) => {
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
    child.once('error', (error) => {
      output.add(Buffer.from(`${error.message}\n`))
      resolve({ exitCode: 127 })
    })
  })
  const terminal: Terminal = { child, output, most, exit, status: null }
  void exit.then((status) => {
    terminal.status = status
  })
  return terminal
}
