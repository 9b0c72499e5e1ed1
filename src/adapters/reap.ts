import { signalGroup } from './process-group.ts'

/*
 * Process that outlives Clew by a moment. When its channel to Clew closes, for whatever reason, it
 * kills every process group that it still watches. `reaper.ts` starts it.
 */

/** Time for servers to exit by themselves after their input closes, in milliseconds. */
const graceMs = 1_000
const groups = new Set<number>()

process.on('message', ({ watch, forget }: { watch?: number; forget?: number }) => {
  if (watch !== undefined) groups.add(watch)
  if (forget !== undefined) groups.delete(forget)
})
process.on('disconnect', () => {
  setTimeout(() => {
    for (const group of groups) signalGroup(group, 'SIGKILL')
    process.exit(0)
  }, graceMs)
})
// Signals from Clew's terminal reach this process too and must not end it first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
