import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Reaper = ReturnType<typeof createReaper>

const program = fileURLToPath(new URL(`./reap${extname(import.meta.url)}`, import.meta.url))

/** Ends process groups when this process ends, also when it is killed. The process behind it starts with the first group. */
export function createReaper() {
  let child: ChildProcess | null = null
  const tell = (message: { watch: number } | { forget: number }) => {
    if (child?.connected === true) child.send(message)
  }
  return {
    watch(group: number): void {
      if (child === null) {
        // Nothing of Clew's environment is its business (S7).
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
    },
    forget: (group: number) => tell({ forget: group }),
    stop(): void {
      if (child?.connected === true) child.disconnect()
      child = null
    },
  }
}
