import type { ChannelContext } from '../channel-kit/deps.ts'
import type { Api } from './api.ts'
import type { DiscordDeps } from './deps.ts'
import type { Directory } from './directory.ts'
import type { People } from './people.ts'
import type { createStandings } from './standings.ts'

/** Context that all parts of the Discord adapter share. */
export interface Discord extends ChannelContext<DiscordDeps> {
  api: Api
  directory: Directory
  people: People
  /** Looks up a person's standing (S35). */
  standingOf: ReturnType<typeof createStandings>
  /**
   * True if all messages can be read; false if only mentions can, without the Message Content
   * Intent.
   */
  hearsAll(): boolean
  /** Ids of the commands and forms that this process is carrying out (C443). */
  working: Set<string>
  /** Returns Clew's own ids, or `null` before the first READY. */
  self(): { id: string; applicationId: string; flags: number } | null
}
