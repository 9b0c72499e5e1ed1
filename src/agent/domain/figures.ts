import type { Ending, Run } from './run.ts'

/**
 * By what figures are told apart (C226). Runs count for all but the model: several may answer one
 * run.
 */
export const dimensions = ['team', 'person', 'channel', 'schedule', 'model'] as const
export type Dimension = (typeof dimensions)[number]

/** Days of figures are kept for so long: this day a year ago can still be looked at. */
export const figuresKeptDays = 400

/** Cost in millionths, as usage counts it. */
export interface TokenCounts {
  promptTokens: number
  completionTokens: number
  cost: number
}

/**
 * Runs by how they ended (given up: failed), and what they took from beginning to end, in
 * milliseconds; what people take to answer is in it.
 */
export interface Figures extends TokenCounts, Record<Exclude<Ending, 'given_up'>, number> {
  ms: number
  /** Of those that succeeded: ended with steps left (C699). */
  early: number
}

export const noFigures: Figures = {
  promptTokens: 0,
  completionTokens: 0,
  cost: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
  ms: 0,
  early: 0,
}

export function addFigures(one: Figures, other: Figures): Figures {
  const sum = { ...one }
  for (const name of Object.keys(noFigures) as (keyof Figures)[]) sum[name] += other[name]
  return sum
}

/**
 * Figures of one day for one person, channel, schedule or model, or for everybody. `id` is blank
 * for the team.
 */
export interface DayFigures extends Figures {
  day: string
  by: Dimension
  id: string
  /** Newest name that people know it by; `null` if unknown. */
  name: string | null
}

/** Besides who pays: for what tokens are counted among the figures. */
export interface Spender {
  /** Display name of the person. */
  name?: string
  schedule?: string
  models?: readonly (TokenCounts & { model: string })[]
}

/**
 * Which schedule a run is counted for. One's own schedules are nobody else's business: they count
 * together, and go with that person (C118).
 */
export function scheduleOf({ schedule }: Run): { schedule?: string } {
  if (schedule === undefined) return {}
  const { scope, id } = schedule
  return { schedule: scope.startsWith('user:') ? scope : `${scope}#${id}` }
}
