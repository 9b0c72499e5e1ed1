import type { Channel } from '../../agent/ports/channel.ts'
import { createIntakeLine } from '../channel-kit/intake-line.ts'
import { safely } from '../channel-kit/send-outcomes.ts'
import { createApi, recommendedShards } from './api.ts'
import { createCommandHandler } from './commands.ts'
import type { Discord } from './context.ts'
import { createCursors } from './cursors.ts'
import { type DiscordDeps, traits, workspaceOf } from './deps.ts'
import { createDirectory } from './directory.ts'
import { createFiles } from './files.ts'
import { createGateway, type Dispatch } from './gateway.ts'
import { createGestureReader } from './gestures.ts'
import { createInbound } from './inbound.ts'
import { limits } from './limits.ts'
import { Ready } from './parse.ts'
import { createDiscordPlans } from './plan.ts'
import { createDiscordSender } from './send.ts'
import { welcome } from './welcome.ts'

/**
 * Clew in Discord. Messages are taken off the wire and are ours once they are stored; what is to be shown comes from the
 * outbox and leaves once. discord.js keeps the connection and the rate limits, and decides nothing else.
 */
export function createDiscordChannel(deps: DiscordDeps): Channel {
  const { clock, log } = deps
  const line = createIntakeLine()
  let self: { id: string; applicationId: string } | null = null
  let refused: string | null = null
  const api = createApi({ ...deps, onRefused: () => die(tokenLine) })
  const discord: Discord = { deps, api, directory: createDirectory(api), hand: line.hand, self: () => self }
  const cursors = createCursors(discord)
  const inbound = createInbound(discord, cursors)
  const commands = createCommandHandler(discord)
  const gestures = createGestureReader(discord, commands)
  const gateway = createGateway({
    ...deps,
    recommended: () => recommendedShards(api),
    onDispatch: (dispatch) => void take(dispatch),
    onDead: die,
  })
  const sender = createDiscordSender(discord)
  const plans = createDiscordPlans(discord)
  let stopNoting = () => {}

  function die(line: string): void {
    if (refused !== null) return
    refused = line
    log.error({}, line)
    void gateway.stop()
  }

  async function take({ t, d, shard }: Dispatch): Promise<void> {
    try {
      await route(t, d, shard)
    } catch (error) {
      log.warn({ err: error, event: t }, 'an event of Discord could not be worked on')
    }
  }

  async function route(t: string, d: unknown, shard: number): Promise<void> {
    switch (t) {
      case 'READY':
        return await ready(d, shard)
      case 'GUILD_CREATE': {
        const guild = discord.directory.keepGuild(d)
        if (guild === null) return
        await inbound.compare(workspaceOf(guild.id), guild.places)
        return await welcome(discord, d)
      }
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE':
        return void discord.directory.keep(d)
      case 'CHANNEL_DELETE':
      case 'THREAD_DELETE':
        return discord.directory.forget(idOf(d))
      case 'MESSAGE_CREATE':
        return inbound.message(d)
      case 'MESSAGE_UPDATE':
        return inbound.edit(d)
      case 'MESSAGE_DELETE':
        return inbound.remove(d)
      case 'INTERACTION_CREATE':
        return await gestures(d)
      default:
        // Discord's words; of what else it tells nothing is needed.
        return
    }
  }

  async function ready(d: unknown, shard: number): Promise<void> {
    const parsed = Ready.safeParse(d)
    if (!parsed.success) return
    self = { id: parsed.data.user.id, applicationId: parsed.data.application.id }
    if (shard !== 0) return
    await Promise.all([inbound.began(), commands.register()])
  }

  return {
    ...traits,
    progressEveryMs: limits.progressEveryMs,
    async start(handOver) {
      line.open(handOver)
      stopNoting = clock.every(limits.noteEveryMs, () => cursors.flush(gateway.health().ok))
      gateway.start()
    },
    ...sender,
    show: (progress, conversation) => safely(log, () => plans.show(progress, conversation)),
    attachments: createFiles(discord),
    health: () => (refused === null ? gateway.health() : { ok: false, detail: refused }),
    async stop() {
      const connected = gateway.health().ok
      await gateway.stop()
      stopNoting()
      await Promise.race([inbound.idle(), clock.sleep(2_000)])
      inbound.stop()
      line.close()
      await cursors.flush(connected)
    },
  }
}

const tokenLine =
  'Discord does not take DISCORD_TOKEN any more: make a new one (Developer Portal → your application → Bot → Reset Token), set it and start again'

const idOf = (d: unknown): string => (typeof d === 'object' && d !== null && 'id' in d ? String(d.id) : '')
