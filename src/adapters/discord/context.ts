import type { Intake } from '../../agent/ports/channel.ts'
import type { Api } from './api.ts'
import type { DiscordDeps } from './deps.ts'
import type { Directory } from './directory.ts'

/** What the parts of the adapter share. */
export interface Discord {
  deps: DiscordDeps
  api: Api
  directory: Directory
  hand: Intake
  /** Who we are; null until the first READY. */
  self(): { id: string; applicationId: string } | null
}

/** How long notes about what was shown are kept: as long as anything may be tried again or changed. */
export const keep = {
  outgoing: 24 * 60 * 60_000,
  question: 90 * 24 * 60 * 60_000,
  plan: 30 * 24 * 60 * 60_000,
  person: null,
} as const
