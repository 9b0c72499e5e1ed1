import type { ChannelContext } from '../channel-kit/deps.ts'
import type { Api } from './api.ts'
import type { ChannelNames } from './channel-names.ts'
import type { SlackDeps } from './deps.ts'
import type { Early } from './early.ts'
import type { Installations } from './installations.ts'
import type { People } from './people.ts'

/** Context that all parts of the Slack adapter share. */
export interface Slack extends ChannelContext<SlackDeps> {
  api: Api
  installations: Installations
  people: People
  channels: ChannelNames
  early: Early
}

/** Workspace of an event and Clew's user there. */
export interface Scene {
  workspace: string
  botUserId: string
  /** True if Slack delivers the event again. */
  isAgain?: boolean
}
