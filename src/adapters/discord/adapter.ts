import { z } from 'zod'
import { isTeam } from '../../agent/domain/conversation.ts'
import type { Channel } from '../../agent/ports/channel.ts'
import { createIntakeLine } from '../channel-kit/intake.ts'
import { safely } from '../channel-kit/send-outcomes.ts'
import { createOnce } from '../channel-kit/tell-once.ts'
import { createApi, recommendedShards } from './api.ts'
import type { Discord } from './context.ts'
import { createCursors } from './cursors.ts'
import { registerCommands } from './definitions.ts'
import { type DiscordDeps, traits, workspaceOf } from './deps.ts'
import { createDirectory } from './directory.ts'
import { createFiles } from './files.ts'
import { createGateway, type Dispatch } from './gateway.ts'
import { gestured, resumeGestures } from './gestures.ts'
import { createInbound } from './inbound.ts'
import { limits } from './limits.ts'
import { createMissing } from './missing.ts'
import { Ready } from './parse.ts'
import { createPeople } from './people.ts'
import { createDiscordPlans } from './plan.ts'
import { createReading } from './reader.ts'
import { createDiscordSender } from './send.ts'
import { createStandings } from './standings.ts'
import { welcome } from './welcome.ts'

/**
 * Creates the Discord channel. Clew parses the dispatches itself and owns a message once it is
 * stored. Deliveries come from the outbox and are sent once. discord.js only keeps the connection
 * and the rate limits.
 */
export function createDiscordChannel(deps: DiscordDeps): Channel {
  const { clock, log } = deps
  const line = createIntakeLine()
  const stopping = new AbortController()
  let self: ReturnType<Discord['self']> = null
  const api = createApi({ ...deps, onRefused: () => gateway.giveUp(tokenLine) })
  const shared = { deps, api, hand: line.hand, once: createOnce(deps), self: () => self }
  const directory = createDirectory(api)
  const discord: Discord = {
    ...shared,
    directory,
    standingOf: createStandings(deps, api, directory),
    people: createPeople(deps),
    hearsAll: () => gateway.hearsAll(),
    working: new Set(),
  }
  const cursors = createCursors(deps)
  const inbound = createInbound(discord, cursors, stopping.signal)
  const gateway = createGateway(deps, () => recommendedShards(api), receive)
  const plans = createDiscordPlans(discord)
  let stopNoting = () => {}
  /** True once the work of an earlier process is resumed. */
  let isResumed = false
  /**
   * Dispatches in flight. A stop waits for them; one that hangs is handled after the next start
   * (C443).
   */
  const inFlight = new Set<Promise<void>>()

  function receive(dispatch: Dispatch): void {
    const working: Promise<void> = work(dispatch).finally(() => inFlight.delete(working))
    inFlight.add(working)
  }
  async function work(dispatch: Dispatch): Promise<void> {
    try {
      self = selfIn(dispatch) ?? self
      await route(discord, inbound, dispatch)
      if (dispatch.t !== 'READY' || isResumed) return
      isResumed = true
      await resumeGestures(discord)
    } catch (error) {
      log.warn({ err: error, event: dispatch.t }, 'Discord event not handled')
    }
  }

  return {
    ...traits,
    ...createDiscordSender(discord),
    attachments: createFiles(discord),
    ...createReading(discord),
    nameOf: channelNames(discord),
    missing: createMissing(discord),
    heard: inbound.heard,
    progressEveryMs: limits.progressEveryMs,
    async start(handOver) {
      line.open(handOver)
      stopNoting = clock.every(limits.noteEveryMs, () => cursors.flush(gateway.health().ok))
      gateway.start()
    },
    show: (progress, conversation) => safely(log, () => plans.show(progress, conversation)),
    health: gateway.health,
    async stop() {
      const connected = gateway.health().ok
      await gateway.stop()
      stopNoting()
      await Promise.race([Promise.all([inbound.idle(), ...inFlight]), clock.sleep(2_000)])
      stopping.abort()
      line.close()
      await cursors.flush(connected)
    },
  }
}

/** C148: looks up channel names in what the gateway has reported. */
const channelNames =
  ({ directory }: Discord): NonNullable<Channel['nameOf']> =>
  async ({ workspace, channel }) => {
    if (!isTeam(workspace)) return 'a direct message'
    const name = directory.known(channel)?.name
    return name == null ? null : `#${name}`
  }

const tokenLine =
  'Discord does not take DISCORD_TOKEN any more: make a new one (Developer Portal → your application → Bot → Reset Token), set it and start again'

function selfIn({ t, d }: Dispatch): ReturnType<Discord['self']> {
  const ready = t === 'READY' ? Ready.safeParse(d).data : undefined
  return ready === undefined
    ? null
    : { id: ready.user.id, applicationId: ready.application.id, flags: ready.application.flags }
}

async function route(
  discord: Discord,
  inbound: ReturnType<typeof createInbound>,
  { t, d, shard }: Dispatch,
) {
  const { directory } = discord
  switch (t) {
    case 'READY':
      if (shard === 0) await Promise.all([inbound.began(), registerCommands(discord)])
      return
    case 'GUILD_CREATE': {
      const guild = directory.keepGuild(d)
      if (guild === null) return
      await inbound.compare(workspaceOf(guild.id), guild.places)
      return await welcome(discord, d)
    }
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
    case 'THREAD_CREATE':
    case 'THREAD_UPDATE':
      return void directory.keep(d)
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      return directory.keepRole(d)
    case 'CHANNEL_DELETE':
    case 'THREAD_DELETE':
      return directory.forget(idOf(d))
    case 'MESSAGE_CREATE':
      return inbound.message(d)
    case 'MESSAGE_UPDATE':
      return inbound.edit(d)
    case 'MESSAGE_DELETE':
      return inbound.remove(d)
    case 'MESSAGE_DELETE_BULK':
      return deletedIn(d).forEach(inbound.remove)
    case 'MESSAGE_REACTION_ADD':
      return inbound.react(d)
    case 'INTERACTION_CREATE':
      return await gestured(discord, d)
    default:
      // Dispatch names are Discord's; the others are not needed.
      return
  }
}

const DeletedTogether = z.looseObject({ ids: z.array(z.string()) })

/** Messages that a moderator or a ban took away together, each as one that is deleted alone. */
function deletedIn(d: unknown): object[] {
  const { ids = [], ...place } = DeletedTogether.safeParse(d).data ?? {}
  return ids.map((id) => ({ ...place, id }))
}

const idOf = (d: unknown): string =>
  typeof d === 'object' && d !== null && 'id' in d ? String(d.id) : ''
