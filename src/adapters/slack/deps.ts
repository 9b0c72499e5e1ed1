import type { ChannelDeps } from '../channel-kit/deps.ts'

export interface SlackDeps extends ChannelDeps {
  /** `https://slack.com/api/`, or a stand-in for it. */
  apiUrl: string
  /** How events come in: over sockets that Clew opens, or as signed requests. */
  entrance: { kind: 'socket'; appToken: string } | { kind: 'http'; signingSecret: string }
  access: SlackAccess
  /** For tests: a shorter minute. */
  progressEveryMs?: number
  socketPingMs?: number
}

/** One workspace by its token, or any number that installed Clew themselves. */
export type SlackAccess =
  | { kind: 'token'; botToken: string }
  | { kind: 'oauth'; clientId: string; clientSecret: string; stateSecret: string; encryptionKey: string }
