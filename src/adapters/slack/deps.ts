import type { Desk } from '../../agent/desk.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Shelf } from '../../agent/ports/shelf.ts'
import type { Conversations, Inbox, Runs } from '../../agent/ports/store.ts'

export interface SlackDeps {
  clock: Clock
  log: Log
  shelf: Shelf
  conversations: Pick<Conversations, 'state' | 'question'>
  runs: Pick<Runs, 'state' | 'list'>
  inbox: Pick<Inbox, 'knows'>
  desk: Desk
  /** `https://slack.com/api/`, or a stand-in for it. */
  apiUrl: string
  /** How events come in: over sockets that Clew opens, or as signed requests. */
  entrance: { kind: 'socket'; appToken: string } | { kind: 'http'; signingSecret: string }
  access: SlackAccess
  /** Hosts that Clew's own texts may link to besides those that people wrote (S2). */
  linkHosts: readonly string[]
  defaults: { locale: string; timeZone: string }
  /** Sections of the Home tab besides tasks and questions, in order. */
  home?: readonly HomeSection[]
  /** For tests: a shorter minute. */
  progressEveryMs?: number
  socketPingMs?: number
}

/** One workspace by its token, or any number that installed Clew themselves. */
export type SlackAccess =
  | { kind: 'token'; botToken: string }
  | { kind: 'oauth'; clientId: string; clientSecret: string; stateSecret: string; encryptionKey: string }

/** What the Home tab shows one person: a heading and lines of Markdown; null leaves the section out. */
export type HomeSection = (of: {
  workspace: string
  /** Their direct messages with Clew. */
  channel: string
  person: string
  locale: string
  timeZone: string
}) => Promise<{ title: string; lines: readonly string[] } | null>
