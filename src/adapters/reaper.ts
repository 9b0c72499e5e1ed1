import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signalGroup } from './process-group.ts'

export type Reaper = ReturnType<typeof createReaper>

const program = fileURLToPath(new URL(`./reap${extname(import.meta.url)}`, import.meta.url))

/**
 * Kills process groups when this process ends, even if it is killed itself. A helper process does
 * the work; it starts with the first group.
 */
export function createReaper() {
  let child: ChildProcess | null = null
  const tell = (message: { watch: number } | { forget: number }) => {
    if (child?.connected === true) child.send(message)
  }
  function watch(group: number): void {
    if (child === null) {
      // The child must not see Clew's environment (S7).
      child = fork(program, [], {
        detached: true,
        stdio: 'ignore',
        execArgv: [],
        env: {},
        serialization: 'json',
      })
      child.on('error', () => {})
      child.unref()
      child.channel?.unref()
    }
    tell({ watch: group })
  }
  const forget = (group: number) => tell({ forget: group })
  return {
    watch,
    forget,
    /** Watches the group of a process until that ends, and then kills what is left of it. */
    add(first: ChildProcess): void {
      const { pid } = first
      if (pid === undefined) return
      watch(pid)
      first.once('exit', () => {
        signalGroup(pid, 'SIGKILL')
        forget(pid)
      })
    },
    stop(): void {
      if (child?.connected === true) child.disconnect()
      child = null
    },
  }
}
