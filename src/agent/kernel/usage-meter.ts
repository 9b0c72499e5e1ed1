import type { Usage } from '../domain/budget.ts'
import type { Author } from '../domain/message.ts'
import {
  type DayCeiling,
  type DayLimits,
  type DayUsage,
  dayCeilingReached,
  dayOf,
  isLimited,
  plus,
} from '../domain/usage.ts'
import type { Change, DayCounts } from '../ports/store.ts'

/** What a change says of the tokens that it took: counted in the commit that holds what came of them (rule 3, S8). */
export function usageChange(
  { timeZone }: DayLimits,
  at: number,
  person: Pick<Author, 'id'> | null,
  usage: Usage,
): Pick<Change, 'usage'> {
  if (usage.promptTokens + usage.completionTokens === 0) return {}
  return { usage: { day: dayOf(at, timeZone), person: person?.id ?? null, ...usage } }
}

/** What is known of a day's counters without reading them for every call. */
export function createMeter(options: {
  limits: DayLimits
  counts: DayCounts
  workspace: string
  person: Pick<Author, 'id'> | null
}) {
  const { limits, counts, workspace, person } = options
  let known: { day: string; used: DayUsage } | null = null
  return {
    /** The ceiling that is reached, read once and then kept up with what commits say; null at once where there is none. */
    async reached(at: number): Promise<DayCeiling | null> {
      if (!isLimited(limits)) return null
      const day = dayOf(at, limits.timeZone)
      if (known?.day !== day) known = { day, used: await counts.ofDay(workspace, day, person?.id ?? null) }
      return dayCeilingReached(limits, known.used)
    },
    /** What a commit counted, and what the counters then said, if it told. */
    note({ day, ...usage }: NonNullable<Change['usage']>, now: DayUsage | null): void {
      if (known === null || known.day !== day) return
      const { person: own, team } = known.used
      known = { day, used: now ?? { person: own === null ? null : plus(own, usage), team: plus(team, usage) } }
    },
  }
}
