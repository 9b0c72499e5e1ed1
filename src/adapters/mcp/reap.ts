import { signalGroup } from '../process-group.ts'

/*
 * Outlives Clew by a moment: when its channel to Clew closes, by whatever end Clew came to, every process group that it was
 * told of and not told to forget is ended. Run as a process of its own by `reaper.ts`.
 */

/** Servers end by themselves when their input closes; the others are helped. In milliseconds. */
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
// What ends Clew in a terminal reaches this process too, and must not end it first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
