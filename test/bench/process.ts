import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

/** A part of the bench in a process of its own, and what it said first. */
export interface Part<T> {
  child: ChildProcess
  ready: T
  /** Sends a message and resolves with the next answer. */
  ask<A>(message: object): Promise<A>
  end(): Promise<void>
}

export async function startPart<T>(file: URL, settings: object): Promise<Part<T>> {
  const child = fork(file, [], {
    execArgv: file.pathname.endsWith(`/${process.env.CLEW_PROFILE}`)
      ? ['--cpu-prof', `--cpu-prof-dir=${tmpdir()}`]
      : [],
    env: { ...process.env, NODE_ENV: 'production', CLEW_BENCH: JSON.stringify(settings) },
  })
  // A part that died says why on its own; nobody waits for it.
  child.once('exit', (code) => {
    if (code !== 0 && code !== null)
      throw new Error(`${file.pathname} of the bench has ended with ${code}`)
  })
  const [ready] = (await once(child, 'message')) as [T]
  return {
    child,
    ready,
    async ask<A>(message: object) {
      const answer = once(child, 'message')
      child.send(message)
      const [answered] = (await answer) as [A]
      return answered
    },
    async end() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}
