import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  return {
    watch(group: number): void {
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
    },
    forget: (group: number) => tell({ forget: group }),
    stop(): void {
      if (child?.connected === true) child.disconnect()
      child = null
    },
  }
}
