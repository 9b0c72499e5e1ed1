import type { CommandEndpoint } from '../../agent/command-endpoint.ts'
import type { ScopeOf } from '../../agent/commands/scope.ts'
import type { Standing } from '../../agent/domain/words.ts'
import type { Intake } from '../../agent/ports/channel.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type {
  Alarms,
  Conversations,
  Inbox,
  Runs,
  Schedules,
  Todos,
} from '../../agent/ports/store.ts'
import type { Once } from './tell-once.ts'

/** What the adapter of a chat platform needs of the world. */
export interface ChannelDeps {
  clock: Clock
  log: Log
  notes: Notes
  inbox: Pick<Inbox, 'knows'>
  conversations: Pick<Conversations, 'state' | 'question' | 'markRead' | 'list' | 'overheard'>
  alarms: Pick<Alarms, 'workspaces'>
  runs: Pick<Runs, 'state' | 'list'>
  todos: Pick<Todos, 'list'>
  schedules: Pick<Schedules, 'list'>
  /** Whether a person may use Clew in a channel. */
  mayUse(personId: string, channel: string): boolean
  /** Standing of somebody in a channel: outsiders are members where they are let in (S35). */
  standingIn(by: Standing, channel: string): Standing
  /** Whose to-dos and schedules are meant in a place. */
  scopeOf: ScopeOf
  /** Answers commands at once and to the person alone. */
  endpoint: CommandEndpoint
  /** How attached documents are read. */
  documents: Documents
  /** Hosts that Clew's own texts may link to besides those that people wrote (S2). */
  linkHosts: readonly string[]
  defaults: { locale: string; timeZone: string }
}

/** What the parts of every adapter share. */
export interface ChannelContext<Deps extends ChannelDeps = ChannelDeps> {
  deps: Deps
  /** The way to the core. */
  hand: Intake
  once: Once
}
