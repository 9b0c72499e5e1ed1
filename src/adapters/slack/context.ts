import type { ChannelContext } from '../channel-kit/deps.ts'
import type { Api } from './api.ts'
import type { SlackDeps } from './deps.ts'
import type { Installations } from './installations.ts'
import type { People } from './people.ts'

/** What the parts of the adapter share. */
export interface Slack extends ChannelContext<SlackDeps> {
  api: Api
  installations: Installations
  people: People
}

/** Where an event happened, and who Clew is there. */
export interface Scene {
  workspace: string
  botUserId: string
}
