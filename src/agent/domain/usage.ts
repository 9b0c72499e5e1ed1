import type { Usage } from './budget.ts'
import { million } from './money.ts'
import { addDays, formatDay, instantOf, wallClockIn } from './zone.ts'

/** Whose tokens are counted: of one person, of one channel, and of everybody in the workspace. */
export const payers = ['person', 'channel', 'team'] as const
export type Payer = (typeof payers)[number]
/** For how long; the longer one first. */
export const periods = ['month', 'day'] as const
export type Period = (typeof periods)[number]

/** Person and channel that usage is counted for; `null`: unattended work, or in no channel. */
export interface Payers {
  person: string | null
  channel: string | null
}

/** Usage on one day and in its month (S8, C131). `null`: there is no such payer. */
export type PeriodUsage = Record<Period, Record<Payer, Usage | null>>

/** Limits on use; `null`: unlimited. */
export interface Allowance {
  tokens: number | null
  cost: number | null
}
export interface UsageLimits extends Record<Period, Record<Payer, Allowance>> {
  /** Whose midnight a day and a month end at. */
  timeZone: string
  /** ISO 4217, of all costs. */
  currency: string
}

export type PeriodCeiling = `${Payer}_${Period}`

/**
 * Every ceiling, in the order in which it is told: what lasts longest first, and one's own before
 * the others'.
 */
const ceilings = periods.flatMap((period) =>
  payers.map((payer) => ({
    name: `${payer}_${period}` as const satisfies PeriodCeiling,
    payer,
    period,
  })),
)

/** `unit`: of which of its two limits that much is used. */
interface UsedShare {
  name: PeriodCeiling
  share: number
  unit: keyof Allowance
}

/** Share of each allowance that is used. Payers without an allowance are left out. */
export function usedShares(limits: UsageLimits, used: PeriodUsage): UsedShare[] {
  return ceilings.flatMap(({ name, payer, period }) => {
    const { tokens, cost } = limits[period][payer]
    const usage = used[period][payer]
    if (usage === null || (tokens === null && cost === null)) return []
    const ofTokens = tokens === null ? 0 : (usage.promptTokens + usage.completionTokens) / tokens
    const ofCost = cost === null ? 0 : (usage.cost ?? 0) / million / cost
    const unit = tokens === null || ofCost > ofTokens ? 'cost' : 'tokens'
    return [{ name, share: Math.max(ofTokens, ofCost), unit }]
  })
}

/** The ceiling that has been reached; null while there is something left. */
export const periodCeiling = (limits: UsageLimits, used: PeriodUsage): PeriodCeiling | null =>
  usedShares(limits, used).find(({ share }) => share >= 1)?.name ?? null

/** The counters as they would be with so much more. */
export function withMore(used: PeriodUsage, more: Usage): PeriodUsage {
  const raised = ({ person, channel, team }: PeriodUsage[Period]) => ({
    person: person && plus(person, more),
    channel: channel && plus(channel, more),
    team: team && plus(team, more),
  })
  return { day: raised(used.day), month: raised(used.month) }
}

/** True if any allowance is set. */
export const isLimited = (limits: UsageLimits): boolean =>
  ceilings.some(({ payer, period }) =>
    Object.values(limits[period][payer]).some((one) => one !== null),
  )

export const isPeriodCeiling = (reason: string): reason is PeriodCeiling =>
  ceilings.some(({ name }) => name === reason)

/** `2026-03-04`, as the clock of the zone says. */
export const dayOf = (at: number, timeZone: string): string => formatDay(wallClockIn(timeZone, at))
/** `2026-03` */
export const monthOf = (day: string): string => day.slice(0, 7)

/** When the day or the month of a ceiling is over. */
export function endOf(name: PeriodCeiling, at: number, timeZone: string): number {
  const now = wallClockIn(timeZone, at)
  const midnight = { hour: 0, minute: 0 }
  if (name.endsWith('_day')) return instantOf(timeZone, { ...addDays(now, 1), ...midnight })
  // The 32nd day after the first is in the next month, whatever month it is.
  return instantOf(timeZone, { ...addDays({ ...now, day: 1 }, 31), day: 1, ...midnight })
}

export function plus(one: Usage, other: Usage): Usage {
  const cachedTokens = (one.cachedTokens ?? 0) + (other.cachedTokens ?? 0)
  const cost = (one.cost ?? 0) + (other.cost ?? 0)
  const model = other.model ?? one.model
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cachedTokens: cachedTokens || undefined,
    cost: cost || undefined,
    model,
    estimated: one.estimated || other.estimated || undefined,
  }
}

export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }
