import type { Command } from '../agent/commands/command.ts'
import type { DrivenType } from '../agent/drive/session.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { OutsideStrategy } from '../agent/strategies/define-strategy.ts'
import type { Strategies } from '../agent/strategies/strategies.ts'
import { type Config, ConfigError } from '../config.ts'
import { ownPlatforms } from './own-channels.ts'

/** Parts from outside, each beside Clew's own of its kind. Two of one name are a mistake that ends the start. */
export interface Extensions {
  /** By `defineChannel`. */
  channels?: readonly Channel[]
  /** By `defineStrategy`. The setting `AGENT_STRATEGY` may name them. */
  strategies?: readonly OutsideStrategy[]
  /** By `defineRunType`. The setting `AGENT_ALLOWED_RUN_TYPES` may name them; where it is not set, all are allowed. */
  runTypes?: readonly DrivenType[]
  /** By `defineTool`. */
  tools?: readonly Tool[]
  /** By `defineCommand`. */
  commands?: readonly Command[]
}

/** Settings that were read without the parts from outside, or with others. */
export function refuseUnknown(
  config: Config,
  strategies: Strategies,
  runTypes: readonly DrivenType[],
) {
  const { AGENT_STRATEGY: strategy, AGENT_ALLOWED_RUN_TYPES: types } = config
  const problems = types
    .filter((type) => !runTypes.some((one) => one.type === type))
    .map((type) => `AGENT_ALLOWED_RUN_TYPES: there is no run type "${type}"`)
  if (strategy !== 'auto' && strategies.named(strategy) === null)
    problems.push(`AGENT_STRATEGY: there is no strategy "${strategy}"`)
  if (problems.length > 0) throw new ConfigError(problems)
}

export function refuseTwins(outside: readonly Channel[]) {
  const names = [...ownPlatforms, ...outside.map(({ platform }) => platform)]
  const twin = names.find((name, at) => names.indexOf(name) !== at)
  if (twin !== undefined) throw new Error(`there cannot be two channels "${twin}"`)
}
