import type { Usage } from '../domain/budget.ts'
import type { Spender } from '../domain/figures.ts'
import type { Author } from '../domain/message.ts'
import {
  dayOf,
  isLimited,
  type Payers,
  type PeriodUsage,
  periodCeiling,
  plus,
  type UsageLimits,
  withMore,
} from '../domain/usage.ts'
import type { Change, UsageCounts } from '../ports/store.ts'

/** Returns the person and channel that are charged for work that a person asked for. */
export const payersOf = (person: Pick<Author, 'id'> | null, channel: string): Payers => ({
  person: person?.id ?? null,
  channel: channel === '' ? null : channel,
})

/**
 * Returns the usage part of a change. It is committed together with the result of those tokens
 * (rule 3, S8).
 *
 * @param spender `model` is the one that answers if the usage names none.
 */
export function usageChange(
  { timeZone }: UsageLimits,
  at: number,
  { model: only, ...spender }: Payers & Omit<Spender, 'models'> & { model: string },
  { promptTokens, completionTokens, cost = 0, model = only }: Usage,
): Pick<Change, 'usage'> {
  if (promptTokens + completionTokens === 0) return {}
  const counts = { promptTokens, completionTokens, cost }
  return {
    usage: { day: dayOf(at, timeZone), ...spender, ...counts, models: [{ model, ...counts }] },
  }
}

/**
 * A change with what was used beside what it says, by those who pay for it too; what midnight
 * divides counts for the later day.
 */
export function alsoUsed<C extends Pick<Change, 'usage'>>(
  change: C,
  { usage: more }: Pick<Change, 'usage'>,
): C {
  const { usage } = change
  if (usage === undefined || more === undefined)
    return more === undefined ? change : { ...change, usage: more }
  const models = [usage, more].flatMap((one) => one.models ?? [])
  return {
    ...change,
    usage: { ...more, ...plus(usage, more), cost: usage.cost + more.cost, models },
  }
}

export type Meter = ReturnType<typeof createMeter>

/** Caches the usage counters, so that calls do not read them each time. */
export function createMeter(options: {
  /** As they are now. */
  limits: () => UsageLimits
  counts: UsageCounts
  workspace: string
  payers: Payers
}) {
  const { limits: limitsNow, counts, workspace, payers } = options
  let known: { day: string; used: PeriodUsage } | null = null
  async function usedAt(at: number) {
    const day = dayOf(at, limitsNow().timeZone)
    if (known?.day !== day) known = { day, used: await counts.ofDay(workspace, day, payers) }
    return known.used
  }
  return {
    /**
     * The ceiling that is reached, read once and then kept up with what commits say; null at once
     * where there is none.
     */
    async reached(at: number) {
      const limits = limitsNow()
      return isLimited(limits) ? periodCeiling(limits, await usedAt(at)) : null
    },
    /** Returns a check that is true if something is left after so much uncounted usage (C36). */
    async takes(at: number): Promise<(more: Usage) => boolean> {
      const limits = limitsNow()
      if (!isLimited(limits)) return () => true
      const used = await usedAt(at)
      return (more) => periodCeiling(limits, withMore(used, more)) === null
    },
    /** Caches the counters that a commit returned; null: the next call reads them again. */
    note({ day }: NonNullable<Change['usage']>, now: PeriodUsage | null) {
      if (known?.day === day) known = now === null ? null : { day, used: now }
    },
  }
}
