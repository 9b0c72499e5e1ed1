import type { Channel, Intake, Sent } from '../../agent/ports/channel.ts'
import { createCommandHandler } from './commands.ts'
import type { Discord } from './context.ts'
import { type DiscordDeps, traits, workspaceOf } from './deps.ts'
import { createDirectory } from './directory.ts'
import { createFiles } from './files.ts'
import { createGateway, type Dispatch } from './gateway.ts'
import { createInbound } from './inbound.ts'
import { createInteractions } from './interactions.ts'
import { limits } from './limits.ts'
import { createMarks } from './marks.ts'
import { Ready } from './parse.ts'
import { createPlans } from './plan.ts'
import { createRest, recommendedShards } from './rest.ts'
import { createSender } from './send.ts'
import { welcome } from './welcome.ts'

/**
 * Clew in Discord. Messages are taken off the wire and are ours once they are stored; what is to be shown comes from the
 * outbox and leaves once. discord.js keeps the connection and the rate limits, and decides nothing else.
 */
export function createDiscordChannel(deps: DiscordDeps): Channel {
  const { clock, log } = deps
  let intake: Intake | null = null
  let self: { id: string; applicationId: string } | null = null
  let refused: string | null = null
  const rest = createRest({ ...deps, onRefused: () => die(tokenLine) })
  const discord: Discord = { deps, rest, directory: createDirectory(rest), self: () => self }
  const marks = createMarks(discord)
  const inbound = createInbound(discord, marks, () => intake)
  const commands = createCommandHandler(discord, () => intake)
  const interactions = createInteractions(discord, () => intake, commands)
  const gateway = createGateway({
    ...deps,
    recommended: () => recommendedShards(rest),
    onDispatch: (dispatch) => void take(dispatch),
    onDead: die,
  })
  const sender = createSender(discord)
  const plan = createPlans(discord)
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
        return await interactions.handle(d)
    }
  }

  async function ready(d: unknown, shard: number): Promise<void> {
    const parsed = Ready.safeParse(d)
    if (!parsed.success) return
    self = { id: parsed.data.user.id, applicationId: parsed.data.application.id }
    if (shard !== 0) return
    await Promise.all([inbound.began(), commands.register()])
  }

  /** `send` and `show` never throw: while the store or Discord is away, what is to be shown waits in the outbox. */
  async function safely(work: () => Promise<Sent>): Promise<Sent> {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'something could not be shown; it is tried again')
      return { kind: 'later', afterMs: 1_000 }
    }
  }

  return {
    ...traits,
    progressEveryMs: limits.progressEveryMs,
    async start(handOver) {
      intake = handOver
      stopNoting = clock.every(limits.noteEveryMs, () => marks.flush(gateway.health().ok))
      gateway.start()
    },
    send: (delivery, conversation) => safely(() => sender.send(delivery, conversation)),
    show: (progress, conversation) => safely(() => plan(progress, conversation)),
    find: (delivery, conversation) => sender.find(delivery, conversation).catch(() => null),
    direct: (delivery, conversation, to) => safely(() => sender.direct(delivery, conversation, to)),
    attachments: createFiles(discord),
    health: () => (refused === null ? gateway.health() : { ok: false, detail: refused }),
    async stop() {
      const connected = gateway.health().ok
      await gateway.stop()
      stopNoting()
      await Promise.race([inbound.idle(), clock.sleep(2_000)])
      inbound.stop()
      intake = null
      await marks.flush(connected)
    },
  }
}

const tokenLine =
  'Discord does not take DISCORD_TOKEN any more: make a new one (Developer Portal → your application → Bot → Reset Token), set it and start again'

const idOf = (d: unknown): string => (typeof d === 'object' && d !== null && 'id' in d ? String(d.id) : '')
