import type { Arrival, Schedule } from '../domain/schedule.ts'

/** Name of the note that keeps an event's data until its run is started. */
export const eventNote = (key: string): string => `event:${key}`

/** Most events of one rule that wait at once. */
const arrivalsMost = 50

/**
 * The rule with an event that waits to start a run (C640); null if as many wait as may. Each has an
 * instant of its own, by which its run is found.
 */
export function arrived(schedule: Schedule, arrival: Arrival): Schedule | null {
  const { arrivals = [] } = schedule
  if (arrivals.length >= arrivalsMost) return null
  const at = Math.max(arrival.at, (arrivals.at(-1)?.at ?? 0) + 1)
  return { ...schedule, arrivals: [...arrivals, { ...arrival, at }] }
}
