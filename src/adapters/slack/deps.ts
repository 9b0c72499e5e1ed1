import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { ChannelDeps } from '../channel-kit/deps.ts'

/** Slack's own commands are not taken in threads. */
export const traits: ChannelTraits = {
  platform: 'slack',
  times: 'zoned',
  commands: 'mention',
  // Direct messages with one person; those of a group begin with another letter.
  isAlone: ({ channel }) => channel.startsWith('D'),
  linkTo({ workspace, channel, thread }) {
    const base = `https://app.slack.com/client/${workspace.slice('slack:'.length)}/${channel}`
    return thread === null ? base : `${base}/thread/${channel}-${thread}`
  },
}

export interface SlackDeps extends ChannelDeps {
  /** `https://slack.com/api/`, or a stand-in for it. */
  apiUrl: string
  /** How events come in: over sockets that Clew opens, or as signed requests. */
  entrance: { kind: 'socket'; appToken: string } | { kind: 'http'; signingSecret: string }
  access: SlackAccess
  /** Ids of apps whose posts may ask Clew. */
  allowedApps: readonly string[]
  /** For tests: a shorter minute. */
  progressEveryMs?: number
  socketPingMs?: number
}

/** One workspace by its token, or any number that installed Clew themselves. */
export type SlackAccess =
  | { kind: 'token'; botToken: string }
  | {
      kind: 'oauth'
      clientId: string
      clientSecret: string
      stateSecret: string
      encryptionKey: string
    }
