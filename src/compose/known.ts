import type { Known } from '../adapters/home/read-profile.ts'
import type { Config } from '../config.ts'
import { entriesOf } from './model-list.ts'
import type { Team } from './team.ts'

/**
 * Models and tools that profiles may name.
 *
 * @param tools names of the tools that there are; null where this process cannot tell.
 */
export function knownTo(config: Config, tools: readonly string[] | null, team: Team | null): Known {
  const servers = team?.health().servers ?? []
  return {
    models:
      config.AGENT_MODELS.length === 0 ? [] : [...new Set(Object.values(entriesOf(config)).flat())],
    isPriced: Object.keys(config.MODEL_PRICES).length > 0,
    tools,
    away: servers.flatMap(({ name, ok }) => (ok ? [] : [`${name}__`])),
  }
}
