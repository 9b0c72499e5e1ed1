import type { ChannelContext } from '../channel-kit/deps.ts'
import type { Api } from './api.ts'
import type { DiscordDeps } from './deps.ts'
import type { Directory } from './directory.ts'
import type { People } from './people.ts'
import type { createStandings } from './standings.ts'

/** What the parts of the adapter share. */
export interface Discord extends ChannelContext<DiscordDeps> {
  api: Api
  directory: Directory
  people: People
  /** Standing of somebody (S35). */
  standingOf: ReturnType<typeof createStandings>
  /** False where only mentions are heard, for want of the Message Content Intent. */
  hearsAll(): boolean
  /** Ids of the commands and forms that this process carries out (C443). */
  working: Set<string>
  /** Who we are; null until the first READY. */
  self(): { id: string; applicationId: string; flags: number } | null
}
