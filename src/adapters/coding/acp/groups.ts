import type { ChildProcess } from 'node:child_process'
import { signalGroup } from '../../process-group.ts'
import { createReaper } from '../../reaper.ts'

export type Groups = ReturnType<typeof createGroups>

/** Process groups of agents and of what they let Clew run. They end with Clew, even if it is killed. */
export function createGroups() {
  const reaper = createReaper()
  return {
    /** Kills what is left of a group once its first process has ended. */
    add(child: ChildProcess): void {
      const { pid } = child
      if (pid === undefined) return
      reaper.watch(pid)
      child.once('exit', () => {
        signalGroup(pid, 'SIGKILL')
        reaper.forget(pid)
      })
    },
    watch: (pid: number) => reaper.watch(pid),
    forget: (pid: number) => reaper.forget(pid),
    stop: () => reaper.stop(),
  }
}
