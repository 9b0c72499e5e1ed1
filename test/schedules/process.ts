import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Lives of one Clew, each in a process of its own, with a clock that the test sets. */
export interface Lives {
  url(): string
  /** Begins a life at this instant; time stands still until it is set. */
  start(at: number): Promise<void>
  /** Sets the clock; from then on time passes, or stands still if `go` is false. */
  set(at: number, go?: boolean): Promise<void>
  /** SIGKILL at once, whatever it is doing. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./child.ts', import.meta.url))

export function createLives(settings: Record<string, string>): Lives {
  let child: ChildProcess | null = null
  let url = ''

  async function end(signal: 'SIGKILL' | 'SIGTERM') {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return {
    url: () => url,
    async start(at) {
      child = fork(program, [], {
        execArgv: [],
        env: {
          ...process.env,
          NODE_COMPILE_CACHE: join(tmpdir(), 'clew-schedules-compiled'),
          CLEW_AT: String(at),
          CLEW_SETTINGS: JSON.stringify(settings),
        },
      })
      const exit = once(child, 'exit').then(() => {
        throw new Error('the process ended before it was ready')
      })
      const [message] = await Promise.race([once(child, 'message'), exit])
      exit.catch(() => {})
      url = (message as { url: string }).url
    },
    async set(at, go = true) {
      if (child === null) throw new Error('nothing lives')
      const answer = once(child, 'message')
      child.send({ at, go })
      await answer
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
