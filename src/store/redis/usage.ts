import type { DayUsage } from '../../agent/domain/usage.ts'
import type { Change, DayCounts } from '../../agent/ports/store.ts'
import type { Client } from './client.ts'
import { keysOf } from './keys.ts'

/** Counters of a day are kept for as long as anybody may ask about last month. */
export const usageKeptSeconds = 62 * 24 * 60 * 60

/** The counters of a day that one change raises, in a fixed order. */
const usageFields = (person: string | null): string[] =>
  ['team', ...(person === null ? [] : [`person:${person}`])].flatMap((who) => [`${who}.prompt`, `${who}.completion`])

/** The same, each with by how much it is raised. */
export const usageRaises = ({ person, promptTokens, completionTokens }: NonNullable<Change['usage']>) =>
  usageFields(person).map((field) => [field, field.endsWith('.prompt') ? promptTokens : completionTokens] as const)

export function readUsage(person: string | null, counts: readonly (string | number | null)[]): DayUsage {
  const [teamPrompt = 0, teamCompletion = 0, prompt = 0, completion = 0] = counts.map(Number)
  return {
    team: { promptTokens: teamPrompt, completionTokens: teamCompletion },
    person: person === null ? null : { promptTokens: prompt, completionTokens: completion },
  }
}

export function createDayCounts({ redis }: Client): DayCounts {
  return {
    async ofDay(workspace, day, person) {
      return readUsage(person, await redis.hmget(keysOf(workspace).usage(day), ...usageFields(person)))
    },
  }
}
