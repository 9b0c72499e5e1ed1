import { present } from '../../agent/domain/present.ts'
import { monthOf, type Payers, type PeriodUsage } from '../../agent/domain/usage.ts'
import type { Change, UsageCounts } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { readFigures } from './figures.ts'
import { keysOf } from './keys.ts'
import { fields, lookAll } from './look.ts'

const kinds = ['prompt', 'completion', 'cost'] as const

/** Names of the counters that one change raises, in a fixed order. */
const countersOf = ({ person, channel }: Payers) =>
  present(['team', person !== null && `person:${person}`, channel !== null && `channel:${channel}`])

/** Day and month in which a change counts. */
export const periodsOf = (day: string): readonly [string, string] => [day, monthOf(day)]

/** Amounts in the order of `kinds`, then the names of the counters to raise. */
export function usageRaises(used: NonNullable<Change['usage']>): (string | number)[] {
  const { promptTokens, completionTokens, cost } = used
  return [promptTokens, completionTokens, cost, ...countersOf(used)]
}

/**
 * Parses counters.
 *
 * @param counts of the day and then of the month, in the order in which they are raised.
 */
export function readUsage(
  payers: Payers,
  counts: readonly (string | number | null)[],
): PeriodUsage {
  const numbers = counts.map(Number)
  const half = numbers.length / 2
  return {
    day: readCounts(payers, numbers.slice(0, half)),
    month: readCounts(payers, numbers.slice(half)),
  }
}

function readCounts({ person, channel }: Payers, counts: readonly number[]): PeriodUsage['day'] {
  const usageAt = (at: number) => {
    const [promptTokens = 0, completionTokens = 0, cost = 0] = counts.slice(at * kinds.length)
    return { promptTokens, completionTokens, cost }
  }
  return {
    team: usageAt(0),
    person: person === null ? null : usageAt(1),
    channel: channel === null ? null : usageAt(person === null ? 1 : 2),
  }
}

export function createUsageCounts({ redis }: Client): UsageCounts {
  return {
    async ofDay(workspace, day, payers) {
      const { usage } = keysOf(workspace)
      const names = countersOf(payers).flatMap((who) => kinds.map((kind) => `${who}.${kind}`))
      const counts = await lookAll(redis, ...periodsOf(day).map((one) => fields(usage(one), names)))
      return readUsage(payers, counts.flat())
    },
    figures: (workspace, days) => readFigures(redis, workspace, days),
  }
}
