import type { CommandEndpoint } from '../../agent/command-endpoint.ts'
import type { ScopeOf } from '../../agent/commands/scope.ts'
import type { Standing } from '../../agent/domain/words.ts'
import type { Hooks } from '../../agent/hooks.ts'
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

/** Dependencies of a chat platform's adapter. */
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
  /** True if a person may use Clew in a channel. */
  mayUse(personId: string, channel: string): boolean
  /**
   * Standing of a person in a channel. Outsiders count as members where the settings admit them
   * (S35).
   */
  standingIn(by: Standing, channel: string): Standing
  /** Finds the owner of the to-dos and schedules that a place works with. */
  scopeOf: ScopeOf
  /** Takes what happens in a channel for the rules that start by it (C780). */
  happened: Hooks['happened']
  /** Signs of reactions that make a to-do of a message (C785). */
  todoReactions: readonly string[]
  /** Answers commands at once, visible only to the person who gave them. */
  endpoint: CommandEndpoint
  /** Reads attached documents. */
  documents: Documents
  /** Hosts that Clew's texts may link to, besides addresses that people wrote (S2). */
  linkHosts: readonly string[]
  defaults: { locale: string; timeZone: string }
}

/** Context that all parts of an adapter share. */
export interface ChannelContext<Deps extends ChannelDeps = ChannelDeps> {
  deps: Deps
  /** Passes events to the core. */
  hand: Intake
  once: Once
}
