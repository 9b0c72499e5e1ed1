import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Ends process groups when this process ends, also when it is killed. */
export interface Reaper {
  watch(group: number): void
  forget(group: number): void
  stop(): void
}

const program = fileURLToPath(new URL(`./reap${extname(import.meta.url)}`, import.meta.url))

/** The process behind it starts with the first group. */
export function createReaper(): Reaper {
  let child: ChildProcess | null = null
  const tell = (message: { watch: number } | { forget: number }) => {
    if (child?.connected === true) child.send(message)
  }
  return {
    watch(group) {
      if (child === null) {
        // Nothing of Clew's environment is its business (S7).
        child = fork(program, [], { detached: true, stdio: 'ignore', execArgv: [], env: {}, serialization: 'json' })
        child.on('error', () => {})
        child.unref()
        child.channel?.unref()
      }
      tell({ watch: group })
    },
    forget: (group) => tell({ forget: group }),
    stop() {
      if (child?.connected === true) child.disconnect()
      child = null
    },
  }
}
