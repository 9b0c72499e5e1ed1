import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A Clew in a process of its own, started as a person starts it, so that it can be killed like one. */
export interface ClewProcess {
  readonly url: string
  /** Of the process itself, while it runs. */
  pid(): number
  /** Everything that it printed since its last start. */
  output(): string
  /** SIGKILL at once, whatever it is doing. */
  kill(): Promise<void>
  /** Starts it; resolves when it has printed its address. On the same port and data folder every time. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Resolves with its exit code when it has ended by itself. */
  ended(): Promise<number | null>
}

/**
 * @param env settings beside PORT and DATA_DIR; nothing of this process's own settings is passed on.
 * @param under what a shell does before it becomes Clew, such as `ulimit -f 2000`.
 */
export async function createClewProcess(
  dataDir: string,
  env: Record<string, string>,
  under = ':',
): Promise<ClewProcess> {
  const port = await freePort()
  let child: ChildProcess | null = null
  let output = ''

  async function end(signal: 'SIGKILL' | 'SIGTERM') {
    const ending = child
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill(signal)
    await exited
  }

  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    pid() {
      if (child?.pid === undefined) throw new Error('Clew has not been started')
      return child.pid
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async ended() {
      if (child !== null && child.exitCode === null) await once(child, 'exit')
      return child?.exitCode ?? null
    },
    async start() {
      output = ''
      const { PATH = '', HOME = '', TMPDIR } = process.env
      const words = [process.execPath, join(import.meta.dirname, '../../start.mjs')]
      const started = spawn('/bin/sh', ['-c', `${under}; exec "$@"`, 'sh', ...words], {
        env: {
          PATH,
          HOME,
          ...(TMPDIR ? { TMPDIR } : {}),
          AGENT_STRATEGY: 'step',
          ...env,
          PORT: String(port),
          DATA_DIR: dataDir,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      await new Promise<void>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk.toString()
          if (output.includes('Clew is at')) resolve()
        }
        started.stdout.on('data', read)
        started.stderr.on('data', read)
        started.once('exit', (code) =>
          reject(new Error(`Clew ended with ${code} before it was ready:\n${output}`)),
        )
      })
    },
  }
}
