import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** The longest of something, in milliseconds. */
export interface Longest {
  /** As a clock on the wall saw it. */
  wall: number
  /** Without the waits for a processor that other programs had: what is its own doing. */
  own: number
  /** How much of that was the collection of garbage, where it is known. */
  gc?: number
}

const Stall = z.object({ wall: z.number(), own: z.number(), gc: z.number() })

/** What makes a Clew say when its loop stood still; for its environment. */
export const probed = { NODE_OPTIONS: `--import ${new URL('probe.ts', import.meta.url).href}` }

/** The longest time for which nothing else was done, by the output of a Clew that is probed. */
export function longestStall(output: string): Longest {
  const stalls = Array.from(output.matchAll(/^stall (\{.*\})$/gm), ([, json = '']) =>
    Stall.parse(JSON.parse(json)),
  )
  return {
    wall: Math.max(0, ...stalls.map(({ wall }) => wall)),
    ...stalls.reduce((longest, { own, gc }) => (own > longest.own ? { own, gc } : longest), {
      own: 0,
      gc: 0,
    }),
  }
}

/** How long the main thread of a process has waited for a processor so far, in milliseconds; 0 where the system does not say. */
export function queuedMs(pid: number): number {
  const path = `/proc/${pid}/task/${pid}/schedstat`
  if (!existsSync(path)) return 0
  const [, waited = '0'] = readFileSync(path, 'utf8').split(' ')
  return Number(waited) / 1e6
}

/**
 * For how long the loop of this very process stood still so far, in milliseconds: the endpoint that says nasty texts takes a
 * second to make up some of them, and whoever waits meanwhile does not wait for Clew.
 */
export function watchOwnLoop(): { heldMs(): number; stop(): void } {
  const everyMs = 10
  let [at, held] = [performance.now(), 0]
  const late = () => Math.max(0, performance.now() - at - everyMs)
  const looking = setInterval(() => {
    held += late()
    at = performance.now()
  }, everyMs)
  return { heldMs: () => held + late(), stop: () => clearInterval(looking) }
}
