import type { CommandEndpoint } from '../../agent/command-endpoint.ts'
import type { Author } from '../../agent/domain/message.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Model } from '../../agent/ports/model.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Conversations, Inbox, Runs } from '../../agent/ports/store.ts'

export interface SlackDeps {
  clock: Clock
  log: Log
  notes: Notes
  conversations: Pick<Conversations, 'state' | 'question'>
  runs: Pick<Runs, 'state' | 'list'>
  inbox: Pick<Inbox, 'knows'>
  endpoint: CommandEndpoint
  /** Looks at images that people attach, where the model can. */
  see?: Model['see']
  /** How attached documents are read. */
  documents: Documents
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

/** What the Home tab shows one person under a heading; `hint` stands where there is nothing. */
export type HomeSection = (of: HomeReader) => Promise<{ title: string; hint: string; items: readonly HomeItem[] }>

export interface HomeReader {
  workspace: string
  /** Their direct messages with Clew; null while they are not known. */
  direct: string | null
  /** The channels that they and Clew are in. */
  shared: readonly string[]
  person: Author
  locale: string
  timeZone: string
}

/** One thing of theirs: a line of Markdown, and buttons that give a command in the channel whose thing it is. */
export interface HomeItem {
  text: string
  channel: string
  actions: readonly { label: string; command: string }[]
}
