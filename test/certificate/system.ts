import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** All that a system is told of its surroundings. */
export interface Surroundings {
  port: number
  /** Environment by which it finds its platform. */
  keys: Keys
  /** OpenAI-compatible, ends in `/v1`. */
  modelUrl: string
  redisUrl: string
  /** Empty at first; lasts over all lives. */
  folder: string
}

type Keys = Readonly<Record<string, string>>

/** How a system is set up with Slack. */
export interface SlackSide {
  /** Path at which it hears of events. */
  path: string
  /** Events that its manual subscribes to. */
  events: readonly string[]
  /** @param given `url`: of Slack's Web API, with a slash at its end. */
  keys(given: { url: string; botToken: string; signingSecret: string }): Keys
}

/** How a system is set up with Discord. */
export interface DiscordSide {
  /** True if Clew's own rules bind it (S1, S2). */
  ownRules: boolean
  /** @param given `url`: of Discord's API without its version, ends in `/api`. */
  keys(given: { url: string; botToken: string; applicationId: string }): Keys
}

export interface System {
  name: string
  slack: SlackSide
  /** Left out if it takes no messages of Discord. */
  discord?: DiscordSide
  /** How it is started, always the same. */
  command(around: Surroundings): Command
  /** Done once, before the first life. */
  prepare?(around: Surroundings): Promise<void>
}

export interface Command {
  words: readonly [string, ...string[]]
  cwd: string
  env: Readonly<Record<string, string>>
}

/**
 * Lives of a system's process, one after the other, each with its whole group of processes.
 *
 * @param isReady asked once the port answers; a life begins when it is true, and has to within two minutes.
 */
export function createLives(
  { words, cwd, env }: Command,
  { port, isReady }: { port: number; isReady: () => boolean },
) {
  let child: ChildProcess | null = null
  let output = ''
  const [program, ...args] = words

  async function begin(): Promise<void> {
    const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
    const started = spawn(program, args, {
      ...{ cwd, env: { PATH, HOME, TMPDIR, ...env }, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-200_000)
    }
    started.stdout.on('data', read)
    started.stderr.on('data', read)
    const latest = performance.now() + 120_000
    while (!(await listens(port)) || !isReady()) {
      if (performance.now() > latest) throw new Error(`${words.join(' ')} is not there:\n${output}`)
      if (started.exitCode !== null) throw new Error(`${words.join(' ')} ended:\n${output}`)
      await wait(20)
    }
  }

  async function kill(): Promise<void> {
    const ending = child
    if (ending?.pid === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    process.kill(-ending.pid, 'SIGKILL')
    await exited
  }

  return { begin, kill, output: () => output }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const listening = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return listening
}
