import type { CommandEndpoint } from '../../agent/command-endpoint.ts'
import { directMessagesOf } from '../../agent/domain/conversation.ts'
import type { ChannelTraits } from '../../agent/ports/channel.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Documents } from '../../agent/ports/documents.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Model } from '../../agent/ports/model.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import type { Conversations, Inbox, Runs } from '../../agent/ports/store.ts'
import type { Share } from './gateway.ts'

/** What the Discord adapter needs of the world. */
export interface DiscordDeps {
  token: string
  /** Null: Discord itself. */
  apiUrl: string | null
  /** Commands are registered in these guilds, where they appear at once; empty: everywhere. */
  guildIds: readonly string[]
  /** Which shards are this process's. */
  share: Share
  clock: Clock
  log: Log
  store: {
    notes: Notes
    inbox: Pick<Inbox, 'knows'>
    conversations: Pick<Conversations, 'state' | 'question'>
    runs: Pick<Runs, 'state' | 'list'>
  }
  /** Tells what images show; absent where no model looks at images. */
  see?: Model['see']
  /** How attached documents are read. */
  documents: Documents
  /** Answers commands at once and to the person alone. */
  endpoint: CommandEndpoint
  /** Whether a person may use Clew in a channel. */
  mayUse(personId: string, channel: string): boolean
  /** Hosts that Clew's own texts may link to besides those that people wrote (S2). */
  linkHosts: readonly string[]
  /** The names of the commands that there are. */
  commands: readonly string[]
  /** What the ids of a command stand for in a place, by the command's name; newest or most urgent first. */
  lists: Readonly<Record<string, (place: ListPlace) => Promise<readonly ListRow[]>>>
  defaults: { locale: string; timeZone: string }
}

interface ListPlace {
  workspace: string
  channel: string
  person: { id: string; name: string }
}
interface ListRow {
  id: number | string
  label: string
  tag?: string
}

const platform = 'discord'

/** Discord shows an instant to every reader in their own time. */
export const traits: ChannelTraits = { platform, times: 'zoned' }

/** A guild's workspace; all direct messages share one, and nothing in it. */
export const workspaceOf = (guildId: string | null | undefined): string =>
  guildId ? `${platform}:${guildId}` : directMessagesOf(platform)
