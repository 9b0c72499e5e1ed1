import type { Command } from './agent/commands/command.ts'
import type { DrivenType } from './agent/drive/session.ts'
import type { Channel } from './agent/ports/channel.ts'
import type { Tool } from './agent/ports/tool.ts'
import type { OutsideStrategy } from './agent/strategies/outside.ts'

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
