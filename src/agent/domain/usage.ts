import type { Usage } from './budget.ts'
import { addDays, formatDay, instantOf, wallClockIn } from './zone.ts'

/** What one person and their workspace have used on one day (S8). `person` is null for work of nobody's. */
export interface DayUsage {
  person: Usage | null
  team: Usage
}

/** What a day may take; null: whatever it takes. Costs count in the currency of the price table. */
export interface DayLimits {
  person: { tokens: number | null; cost: number | null }
  team: { tokens: number | null; cost: number | null }
  price: { prompt: number; completion: number } | null
  /** Whose midnight a day ends at. */
  timeZone: string
}

export type DayCeiling = 'person_day' | 'team_day'

/** The ceiling that has been reached, the person's own first; null while there is something left. */
export function dayCeilingReached({ person, team, price }: DayLimits, used: DayUsage): DayCeiling | null {
  const isSpent = (limit: DayLimits['team'], usage: Usage | null) => {
    if (usage === null) return false
    const { promptTokens, completionTokens } = usage
    if (limit.tokens !== null && promptTokens + completionTokens >= limit.tokens) return true
    if (limit.cost === null || price === null) return false
    return promptTokens * price.prompt + completionTokens * price.completion >= limit.cost * 1_000_000
  }
  if (isSpent(person, used.person)) return 'person_day'
  return isSpent(team, used.team) ? 'team_day' : null
}

/** Whether there is anything to look for. */
export const isLimited = ({ person, team }: DayLimits): boolean =>
  [person.tokens, person.cost, team.tokens, team.cost].some((one) => one !== null)

/** `2026-03-04`, as the clock of the zone says. */
export const dayOf = (at: number, timeZone: string): string => formatDay(wallClockIn(timeZone, at))

/** When that day is over. */
export function endOfDay(at: number, timeZone: string): number {
  return instantOf(timeZone, { ...addDays(wallClockIn(timeZone, at), 1), hour: 0, minute: 0 })
}

export function plus(one: Usage, other: Usage): Usage {
  const cachedTokens = (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0)
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }
