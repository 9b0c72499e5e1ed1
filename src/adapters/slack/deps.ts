import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from '../channel-kit/deps.ts'

/** Traits of Slack, whose slash commands do not work in threads. */
export const traits: ChannelTraits = {
  platform: 'slack',
  times: 'zoned',
  commands: 'mention',
  tellsEvents: true,
  // Direct messages with one person begin with D; group messages do not.
  isAlone: ({ channel }) => channel.startsWith('D'),
  linkTo({ workspace, channel, thread }) {
    const base = `https://app.slack.com/client/${workspace.slice('slack:'.length)}/${channel}`
    return thread === null ? base : `${base}/thread/${channel}-${thread}`
  },
}

export interface SlackDeps extends ChannelDeps {
  /** Base URL of the Web API, `https://slack.com/api/` or a stand-in. */
  apiUrl: string
  /** Transport of events: over sockets that Clew opens, or as signed requests. */
  entrance: { kind: 'socket'; appToken: string } | { kind: 'http'; signingSecret: string }
  access: SlackAccess
  /** Ids of apps whose posts may ask Clew. */
  allowedApps: readonly string[]
  /** Shorter intervals for tests. */
  progressEveryMs?: number
  socketPingMs?: number
}

/** Access by the token of a single workspace, or by OAuth for any number of workspaces. */
export type SlackAccess =
  | { kind: 'token'; botToken: string }
  | {
      kind: 'oauth'
      clientId: string
      clientSecret: string
      stateSecret: string
      encryptionKey: string
    }
