import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { acceptSocket, type Socket } from '../websocket.ts'
import {
  type Channel,
  isThread,
  type Message,
  rolesIn,
  showChannel,
  showMessage,
  unread,
  type World,
} from './world.ts'

interface Sent {
  s: number
  t: string
  d: unknown
}

interface Session {
  id: string
  shard: [number, number]
  intents: number
  /** Everything that was dispatched, for a resume. */
  sent: Sent[]
  /** Dispatched once more by the next resume. */
  again: Sent[]
  socket: Socket | null
}

const intents = {
  guilds: 1,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
}
const reactionIntents = { guild: 1 << 10, direct: 1 << 13 }

/** Discord's gateway: identify, heartbeat, resume with replay, invalid sessions and every way in which a connection ends. */
export function createGateway(options: { world: World; token: () => string; url: () => string }) {
  const { world, token, url } = options
  const sessions = new Map<string, Session>()
  const live = new Set<Socket>()
  const settings = {
    heartbeatMs: 40_000,
    shards: 1,
    /** Whether the application may ask for MessageContent. */
    messageContent: true,
    /** The Server Members intent. */
    members: true,
    /** A resume is then never answered. */
    deafToResume: false,
    /** Nobody gets through at all. */
    closed: false,
    /** Called for every dispatch that a connection takes. */
    reached(_t: string, _d: unknown): void {},
  }
  const flags = () => (settings.messageContent ? 1 << 19 : 0) | (settings.members ? 1 << 15 : 0)
  const counts = { identified: 0, resumed: 0 }

  function dispatch(session: Session, t: string, d: unknown): void {
    const event = { s: session.sent.length + 1, t, d }
    session.sent.push(event)
    if (session.socket !== null) send(session.socket, event)
  }

  function send(socket: Socket, event: Sent): void {
    socket.send(JSON.stringify({ op: 0, ...event }))
    settings.reached(event.t, event.d)
  }

  function identify(
    socket: Socket,
    d: { token: string; intents: number; shard?: [number, number] },
  ): Session | null {
    if (d.token !== token()) return refuse(socket, 4004, 'Authentication failed.')
    if ((d.intents & intents.messageContent) !== 0 && !settings.messageContent)
      return refuse(socket, 4014, 'Disallowed intent(s).')
    counts.identified += 1
    const session: Session = {
      id: world.nextId(),
      shard: d.shard ?? [0, 1],
      intents: d.intents,
      sent: [],
      again: [],
      socket,
    }
    sessions.set(session.id, session)
    const guilds = guildsOf(session)
    dispatch(session, 'READY', {
      v: 10,
      user: world.bot,
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: url(),
      shard: session.shard,
      application: { id: world.applicationId, flags: flags() },
      private_channels: [],
    })
    for (const guild of guilds) dispatch(session, 'GUILD_CREATE', guildPayload(guild.id))
    world.changed()
    return session
  }

  function guildsOf({ shard: [index, count] }: Session) {
    return [...world.guilds.values()].filter(
      ({ id }) => Number((BigInt(id) >> 22n) % BigInt(count)) === index,
    )
  }

  function guildPayload(id: string) {
    const guild = world.guilds.get(id)
    const channels = [...(guild?.channels.values() ?? [])].filter(
      (channel) => !channel.denied.has('view'),
    )
    return {
      id,
      name: guild?.name ?? '',
      owner_id: world.bot.id,
      joined_at: guild?.joinedAt ?? new Date(0).toISOString(),
      system_channel_id: guild?.systemChannelId ?? null,
      large: false,
      member_count: 1,
      channels: channels.filter((one) => !isThread(one)).map(showChannel),
      threads: channels
        .filter((one) => isThread(one) && !one.thread_metadata?.archived)
        .map(showChannel),
      members: [],
      roles: [
        {
          id,
          name: '@everyone',
          permissions: '0',
          position: 0,
          color: 0,
          hoist: false,
          managed: false,
          mentionable: false,
        },
      ],
      emojis: [],
      features: [],
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      stickers: [],
      soundboard_sounds: [],
      preferred_locale: 'en-US',
    }
  }

  function resume(
    socket: Socket,
    d: { token: string; session_id: string; seq: number },
  ): Session | null {
    const session = sessions.get(d.session_id)
    if (d.token !== token()) return refuse(socket, 4004, 'Authentication failed.')
    if (settings.deafToResume) return null
    if (session === undefined) {
      socket.send(JSON.stringify({ op: 9, d: false }))
      return null
    }
    counts.resumed += 1
    session.socket = socket
    for (const event of session.again.splice(0)) send(socket, event)
    for (const event of session.sent.filter(({ s }) => s > d.seq)) send(socket, event)
    dispatch(session, 'RESUMED', { _trace: [] })
    world.changed()
    return session
  }

  function accept(request: IncomingMessage, stream: Duplex): void {
    if (settings.closed) return void stream.destroy()
    acceptSocket(request, stream, (socket) => {
      live.add(socket)
      let session: Session | null = null
      socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: settings.heartbeatMs } }))
      return {
        message(text) {
          const { op, d } = JSON.parse(text)
          if (op === 1) socket.send(JSON.stringify({ op: 11 }))
          else if (op === 2) session = identify(socket, d)
          else if (op === 6) session = resume(socket, d)
        },
        closed(code) {
          live.delete(socket)
          if (session === null || session.socket !== socket) return
          session.socket = null
          // A client that says 1000 or 1001 gives its session up.
          if (code === 1000 || code === 1001) sessions.delete(session.id)
          world.changed()
        },
      }
    })
  }

  /** Whether a session may read what is written: without the intent only what is meant for the bot. */
  function reads(session: Session, channel: Channel, message: Message): boolean {
    const own = message.author.id === world.bot.id
    const named = message.mentions.some(({ id }) => id === world.bot.id)
    return (session.intents & intents.messageContent) !== 0 || channel.type === 1 || own || named
  }

  /** What has to be asked for, to be told of this. */
  const intentOf = (t: string, { guild_id: guild }: Channel): number => {
    if (t.startsWith('MESSAGE_REACTION_'))
      return guild === undefined ? reactionIntents.direct : reactionIntents.guild
    return guild === undefined ? intents.directMessages : intents.guildMessages
  }

  const forChannel = (channel: Channel, t: string): Session[] =>
    [...sessions.values()].filter((session) => {
      if (channel.denied.has('view')) return false
      const wanted = intentOf(t, channel)
      const home =
        channel.guild_id === undefined
          ? session.shard[0] === 0
          : guildsOf(session).some(({ id }) => id === channel.guild_id)
      return home && (session.intents & wanted) !== 0
    })

  return {
    accept,
    settings,
    /** Of the application: what it was granted. */
    flags,
    counts,
    /** To everybody who sees the channel. */
    tell(channel: Channel, t: string, d: unknown): void {
      for (const session of forChannel(channel, t)) dispatch(session, t, d)
    },
    /** Also of a place that the bot does not see. */
    tellAlways(channel: Channel, t: string, d: unknown): void {
      for (const session of forChannel({ ...channel, denied: new Set() }, t))
        dispatch(session, t, d)
    },
    /** A message's event; what the session may not read is blanked. */
    tellMessage(channel: Channel, message: Message, t = 'MESSAGE_CREATE'): void {
      for (const session of forChannel(channel, t)) {
        const shown = showMessage(message, { nonce: true })
        const blank = reads(session, channel, message) ? {} : unread
        const { replied } = message
        const hidden = replied !== undefined && !reads(session, channel, replied)
        const told = hidden ? { referenced_message: { ...showMessage(replied), ...unread } } : {}
        const { guild_id } = channel
        const nick = (id: string) => world.guilds.get(guild_id ?? '')?.nicks?.get(id) ?? null
        // An event of a server says what people are called there, the history does not.
        const mentions = message.mentions.map((user) => ({
          ...user,
          member: { nick: nick(user.id) },
        }))
        const { id: author } = message.author
        const member =
          guild_id === undefined
            ? {}
            : { roles: rolesIn(world, guild_id, author), nick: nick(author) }
        const place = guild_id === undefined ? {} : { guild_id, member, mentions }
        dispatch(session, t, { ...shown, ...blank, ...told, ...place })
      }
    },
    tellGuild(guildId: string): void {
      for (const session of sessions.values())
        dispatch(session, 'GUILD_CREATE', guildPayload(guildId))
    },
    /** Cuts every connection without a word; sessions can be resumed. */
    drop(): void {
      for (const socket of live) socket.cut()
    },
    /** Cuts the connections that took a message's event; a resume dispatches it once more. */
    repeat({ id }: Message): void {
      for (const session of sessions.values()) {
        const event = session.sent.find(({ t, d }) => t === 'MESSAGE_CREATE' && idOf(d) === id)
        if (session.socket === null || event === undefined) continue
        session.again.push(event)
        session.socket.cut()
        session.socket = null
      }
    },
    /** Tells every client that its session is gone, and forgets it. */
    invalidate(): void {
      for (const session of [...sessions.values()]) {
        sessions.delete(session.id)
        session.socket?.send(JSON.stringify({ op: 9, d: false }))
      }
    },
    /** Forgets the sessions without telling: the next resume fails. */
    forget(): void {
      sessions.clear()
    },
    askToReconnect(): void {
      for (const { socket } of sessions.values()) socket?.send(JSON.stringify({ op: 7, d: null }))
    },
    close(code: number): void {
      for (const socket of live) socket.close(code)
    },
    connected: () => [...sessions.values()].filter(({ socket }) => socket !== null).length,
  }
}
export type Gateway = ReturnType<typeof createGateway>

const idOf = (d: unknown): unknown => (d as { id?: unknown }).id

function refuse(socket: Socket, code: number, reason: string): null {
  socket.close(code, reason)
  return null
}
