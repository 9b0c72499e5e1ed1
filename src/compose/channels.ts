import type { ChannelDeps } from '../adapters/channel-kit/deps.ts'
import type { OpenedChannel } from '../adapters/channel-kit/own-channel.ts'
import type { CommandEndpoint } from '../agent/command-endpoint.ts'
import { scopeBy } from '../agent/commands/scope.ts'
import type { ProfileIn } from '../agent/domain/profile.ts'
import { isAllowed, standingIn } from '../agent/intake.ts'
import { lazy } from '../agent/kernel/lazy.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Documents } from '../agent/ports/documents.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Members, PlacesSource } from '../agent/ports/members.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Config } from '../config.ts'
import { ownChannels } from './own-channels.ts'
import { accessOf } from './settings.ts'

/** Dependencies that all channels but the page share. */
export function channelDepsOf(
  config: Config,
  {
    store,
    profileIn,
    ...parts
  }: {
    clock: Clock
    log: Log
    store: Store
    happened: ChannelDeps['happened']
    endpoint: CommandEndpoint
    documents: Documents
    profileIn: ProfileIn
  },
): ChannelDeps {
  const access = accessOf(config, profileIn)
  return {
    ...parts,
    ...store,
    mayUse: (person, channel) => isAllowed(access, person, channel),
    standingIn: (by, channel) => standingIn(access, by, channel),
    scopeOf: scopeBy(config.TODO_SCOPE),
    todoReactions: config.TODO_REACTIONS,
    linkHosts: config.LINK_HOSTS,
    defaults: { locale: config.DEFAULT_LOCALE, timeZone: config.DEFAULT_TIME_ZONE },
  }
}

/**
 * Opens Clew's own channels that the settings connect and whose role this process has, apart from
 * the page.
 */
export async function openChannels(
  config: Config,
  deps: ChannelDeps,
  commands: readonly string[],
): Promise<OpenedChannel[]> {
  const played = ownChannels.filter(({ platform }) => config.ROLES.includes(platform))
  const opened: (OpenedChannel | null)[] = []
  for (const channel of played) opened.push(await channel.open(config, deps, commands))
  return opened.filter((channel) => channel !== null)
}

/**
 * Platforms whose people can sign in on the page, if this process serves it at a public address
 * (S25).
 */
export async function openMembers(config: Config, deps: ChannelDeps): Promise<Members[]> {
  if (!config.ROLES.includes('web') || config.WEB_URL === undefined) return []
  const opened = await Promise.all(ownChannels.map((channel) => channel.openMembers(config, deps)))
  return opened.filter((members) => members !== null)
}

/**
 * Platforms that say what people see there (S83), for whatever process works. Each is loaded when
 * it is asked first.
 */
export function placesSources(config: Config, deps: ChannelDeps): PlacesSource[] {
  return ownChannels
    .filter((channel) => channel.isConnected(config))
    .map((channel) => {
      const open = lazy(() => channel.openPlaces(config, deps))
      return {
        platform: channel.platform,
        async places(workspace, person) {
          return (await (await open())?.places(workspace, person)) ?? null
        },
        async reach(workspace, person) {
          return (await (await open())?.reach(workspace, person)) ?? null
        },
      }
    })
}
