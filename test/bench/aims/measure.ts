import { type Figure, type World, withWorld } from './world.ts'

/*
 * Measures one of the aims once, in a process of its own, and sends its rows to who started it. What needs parts of Clew that
 * an older version lacks is loaded only when it is measured.
 */

const measurements: Record<string, () => Promise<(world: World) => Promise<Figure[]>>> = {
  step: async () => (await import('./script.ts')).step,
  free: async () => (await import('./script.ts')).free,
  batch: async () => (await import('./script.ts')).batch,
  crowd: async () => (await import('./crowd.ts')).crowd,
  together: async () => (await import('./schedules.ts')).together,
  rate: async () => (await import('./crowd.ts')).rate,
  thousand: async () => (await import('./crowd.ts')).thousand,
  backlog: async () => (await import('./backlog.ts')).backlog,
  slack: async () => (await import('./slack.ts')).slack,
  list: async () => (await import('./conversations.ts')).listed,
  stored: async () => (await import('./schedules.ts')).stored,
  start: async () => (await import('./start.ts')).start,
  worker: async () => (await import('./worker.ts')).worker,
  memory: async () => (await import('./conversations.ts')).memory,
}
export const names = Object.keys(measurements)

const [asked] = process.argv.slice(2)
if (process.argv[1] === import.meta.filename && asked !== undefined) {
  const load = measurements[asked]
  if (load === undefined) throw new Error(`nothing is called ${asked}`)
  process.send?.(await withWorld(await load()))
  process.disconnect?.()
}
