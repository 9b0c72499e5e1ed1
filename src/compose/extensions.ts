import type { Command } from '../agent/commands/command.ts'
import type { DrivenType } from '../agent/drive/session.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Tool } from '../agent/ports/tool.ts'
import type { OutsideStrategy } from '../agent/strategies/define-strategy.ts'
import type { Strategies } from '../agent/strategies/strategies.ts'
import { type Config, ConfigError } from '../config.ts'
import { ownPlatforms } from './own-channels.ts'

/**
 * Parts from outside, added to Clew's own of the same kind. Two parts of one name end the start.
 */
export interface Extensions {
  /** Channels made with `defineChannel`. */
  channels?: readonly Channel[]
  /** Strategies made with `defineStrategy`. The setting `AGENT_STRATEGY` may name them. */
  strategies?: readonly OutsideStrategy[]
  /**
   * Run types made with `defineRunType`. The setting `AGENT_ALLOWED_RUN_TYPES` may name them; if it
   * is not set, all are allowed.
   */
  runTypes?: readonly DrivenType[]
  /** Tools made with `defineTool`. */
  tools?: readonly Tool[]
  /** Commands made with `defineCommand`. */
  commands?: readonly Command[]
}

/**
 * Refuses settings that name parts which do not exist, as they were read without these parts or
 * with others.
 */
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
