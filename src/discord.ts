import type { DiscordDeps } from './adapters/discord/deps.ts'
import type { CommandEndpoint } from './agent/command-endpoint.ts'
import { type ScopeSetting, scopeBy } from './agent/commands/scope.ts'
import { isAllowed } from './agent/intake.ts'
import type { Channel } from './agent/ports/channel.ts'
import type { Clock } from './agent/ports/clock.ts'
import type { Documents } from './agent/ports/documents.ts'
import type { Log } from './agent/ports/log.ts'
import type { Model } from './agent/ports/model.ts'
import type { Store } from './agent/ports/store.ts'
import type { Config } from './config.ts'

/**
 * Discord from the settings; null when they name no token or this process does not play its role. The library is loaded only
 * here: it takes a quarter of a second and 50 MB.
 */
export async function openDiscord(
  config: Config,
  parts: {
    clock: Clock
    log: Log
    store: Store
    endpoint: CommandEndpoint
    model: Model
    documents: Documents
    commands: readonly string[]
  },
): Promise<Channel | null> {
  const { DISCORD_TOKEN: token } = config
  if (!config.ROLES.includes('discord') || token === undefined) return null
  const { createDiscordChannel } = await import('./adapters/discord/adapter.ts')
  const { see } = parts.model
  const access = { users: config.ALLOWED_USERS, channels: config.ALLOWED_CHANNELS }
  return createDiscordChannel({
    ...parts,
    ...(see === undefined ? {} : { see }),
    token,
    apiUrl: config.DISCORD_API_URL ?? null,
    guildIds: config.DISCORD_GUILD_IDS,
    share: config.DISCORD_SHARDS,
    mayUse: (person, channel) => isAllowed(access, person, channel),
    linkHosts: config.LINK_HOSTS,
    lists: listsOf(parts.store, config.TODO_SCOPE),
    defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
  })
}

/** What the ids of commands stand for: open to-dos by priority, schedules by their next time. */
function listsOf({ todos, schedules }: Store, scope: ScopeSetting): DiscordDeps['lists'] {
  const scopeOf = scopeBy(scope)
  return {
    async todo(place) {
      const rows = await todos.list(place.workspace, scopeOf(place))
      const open = rows.toSorted(
        (a, b) => Number(a.doneAt !== null) - Number(b.doneAt !== null) || a.priority - b.priority,
      )
      return open.map(({ id, text, tag }) => ({ id, label: text, tag }))
    },
    async schedule(place) {
      const rows = await schedules.list(place.workspace, scopeOf(place))
      const soonest = rows.toSorted((a, b) => (a.nextAt ?? Infinity) - (b.nextAt ?? Infinity))
      return soonest.map(({ id, title }) => ({ id, label: title }))
    },
  }
}
