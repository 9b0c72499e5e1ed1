import { createProbes, type ProbesDeps } from '../adapters/probes.ts'
import {
  isOnPage,
  memberWorkspace,
  type WebDeps,
  type WebHealth,
  webWorkspace,
} from '../adapters/web/deps.ts'
import { signedOut } from '../adapters/web/events.ts'
import { endAll, peopleWith } from '../adapters/web/sessions.ts'
import { platformOf } from '../agent/domain/conversation.ts'
import type { ProfileIn } from '../agent/domain/profile.ts'
import type { DrivenType } from '../agent/drive/session.ts'
import { isAllowed } from '../agent/intake.ts'
import type { Channel } from '../agent/ports/channel.ts'
import type { Clock } from '../agent/ports/clock.ts'
import type { Documents } from '../agent/ports/documents.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Wakeups } from '../agent/ports/wakeups.ts'
import type { Config } from '../config.ts'
import { createChecks } from '../doctor/checks.ts'
import type { Watched } from '../health.ts'
import type { Metrics } from '../metrics.ts'
import { createSetupForm, type OwnSettings } from '../setup/form.ts'
import { connect } from '../store/redis/connection.ts'
import { createRedisDrafts } from '../store/redis/drafts.ts'
import { createRedisEventLog } from '../store/redis/event-log.ts'
import { createRedisNews } from '../store/redis/news.ts'
import type { RecordDeps } from './commands.ts'
import { connectorsOf } from './connectors.ts'
import type { Extensions } from './extensions.ts'
import type { LocalServer } from './local-models.ts'
import { accessOf, settingsOf, traitsFrom, usageLimitsOf } from './settings.ts'
import type { Storage } from './storage.ts'
import type { Environment, Team } from './team.ts'

/** Parts that the page needs, from before the agent is assembled. */
interface Base {
  config: Config
  clock: Clock
  log: Log
  page: Awaited<ReturnType<typeof loadPage>>
  documents: Documents
  redis: ReturnType<typeof connect>
  storage: Storage
  team: Team | null
  profileIn: ProfileIn
  runTypes: readonly DrivenType[]
  around: Extensions & {
    env?: Environment
    localServers?: readonly LocalServer[]
    ownSettings?: OwnSettings
  }
}

/**
 * Wraps the store so that erasing a person first signs them out, with their open streams, in all
 * processes (S31).
 */
export function signingOut(store: Store, { clock, redis, log }: Base): Store {
  const events = createRedisEventLog({ redis, workspace: webWorkspace })
  return {
    ...store,
    privacy: {
      ...store.privacy,
      async erase(workspace, person) {
        await endAll(store.notes, peopleWith(person), clock.now())
        const kept = await store.privacy.erase(workspace, person)
        const told = events.append(null, signedOut(peopleWith(person)))
        await told.catch((err: unknown) => log.warn({ err }, 'open pages not notified'))
        return kept
      },
    },
  }
}

/** Loads modules that only the page needs; null if this process does not serve it. */
export async function loadPage({ ROLES: roles }: Config) {
  return roles.includes('web') ? await import('../adapters/web/adapter.ts') : null
}

/** Starts answering probes in a process without the page (C473). */
export async function listenForProbes(
  { HOST: host, PORT, HEALTH_PORT, WEB_TOKEN }: Config,
  parts: Pick<ProbesDeps, 'health' | 'metrics'>,
) {
  const port = HEALTH_PORT ?? PORT
  const probes = createProbes({ host, port, token: WEB_TOKEN ?? null, ...parts })
  const url = await probes.listen()
  const line =
    url === null
      ? `Port ${port} is taken, so this process answers no /healthz, /readyz and /metrics: set HEALTH_PORT.`
      : `Health and metrics: ${url}`
  return { line, stop: probes.stop }
}

/** The page's channel; null if this process does not serve it. */
export function webOf(
  { config, clock, log, redis, storage, team, around, runTypes, documents, page, profileIn }: Base,
  parts: {
    store: Store
    wakeups: Wakeups
    work: RecordDeps
    commands: NonNullable<WebDeps['commands']>
    metrics: Metrics
    health(ms: number): Promise<WebHealth>
    routes: NonNullable<WebDeps['routes']>
    members: NonNullable<WebDeps['members']>
    channels: readonly Watched<Channel>[]
    awayUntil(): number | null
    signIns: NonNullable<WebDeps['signIns']> | null
  },
) {
  if (page === null) return null
  const allowances = () => {
    const shares = parts.metrics.allowances()
    return Object.keys(shares).length === 0 ? {} : { allowances: shares }
  }
  return page.createWebChannel({
    clock,
    log,
    store: parts.store,
    documents,
    drafts: draftsOf({ redis, storage, log }),
    news: createRedisNews({ connect: () => connect(storage.url, 'blocking'), log }),
    linkTo: (address) =>
      traitsFrom(around.channels ?? [])(address.workspace).linkTo?.(address) ?? null,
    lateAfterMs: settingsOf(config).reminder.afterMs,
    work: parts.work,
    commands: parts.commands,
    mayUse: (person, channel) => isAllowed(accessOf(config, profileIn), person, channel),
    routes: parts.routes,
    members: parts.members,
    admins: config.ADMIN_USERS,
    url: config.WEB_URL ?? null,
    host: config.HOST,
    port: config.PORT,
    token: config.WEB_TOKEN ?? null,
    proxies: config.WEB_PROXIES,
    ...connectorsOf(config, {
      store: parts.store,
      schedules: parts.work.schedules.schedules,
      wakeups: parts.wakeups,
      clock,
      runTypes,
      env: around.env ?? {},
    }),
    events: createRedisEventLog({ redis, workspace: webWorkspace, others: [memberWorkspace] }),
    privacy: { store: parts.store.privacy, token: config.ADMIN_TOKEN ?? null },
    upkeep: upkeepOf(config, parts),
    health: async (ms) => ({
      ...withBreak(await parts.health(ms), parts.awayUntil()),
      untold: parts.metrics.untold(),
      ...allowances(),
      ...team?.health(),
    }),
    checks: createChecks({
      config,
      clock,
      outside: around,
      env: around.env ?? {},
      servers: around.localServers ?? [],
      readEnvironment: around.ownSettings?.read,
      team: () => team?.health() ?? null,
    }),
    setup: setupOf(around, clock),
    signIns: parts.signIns,
    metrics: () => parts.metrics.text(),
    defaultLocale: config.DEFAULT_LOCALE,
    timeZone: config.DEFAULT_TIME_ZONE,
    linkHosts: config.LINK_HOSTS,
  })
}

const setupOf = ({ ownSettings, localServers: servers = [] }: Base['around'], clock: Clock) =>
  ownSettings === undefined ? null : createSetupForm({ ...ownSettings, servers, clock })

/** Adds until when the model is not asked. */
const withBreak = ({ model, ...health }: WebHealth, awayUntil: number | null): WebHealth => ({
  ...health,
  model: { ...model, awayUntil: awayUntil ?? undefined },
})

/** Dependencies of the page about costs and health, besides the store. */
const upkeepOf = (
  config: Config,
  { channels, wakeups }: { channels: readonly Watched<Channel>[]; wakeups: Wakeups },
): NonNullable<WebDeps['upkeep']> => ({
  limits: usageLimitsOf(config),
  currency: Object.keys(config.MODEL_PRICES).length > 0 ? config.MODEL_CURRENCY : null,
  async nameOf(place, signal) {
    const channel = channels.find(({ part }) => part.platform === platformOf(place.workspace))?.part
    return (await channel?.nameOf?.(place, signal)) ?? null
  },
  wake: (item) => wakeups.wake(item).catch(() => undefined),
})

/** Drafts, published by any process to those that serve the page (C150). */
export function draftsOf({ redis, storage, log }: Pick<Base, 'redis' | 'storage' | 'log'>) {
  const connection = () => connect(storage.url, 'blocking')
  return { ...createRedisDrafts({ redis, connect: connection, log }), shownIn: isOnPage }
}
