import { Client, type ClientOptions, GatewayIntentBits, Partials } from 'discord.js'
import { codesOf, whyUnreachable } from '../../agent/connection-problem.ts'
import type { DiscordDeps } from './deps.ts'
import { limits } from './limits.ts'

/** Raw dispatch from the gateway, not validated. */
export interface Dispatch {
  t: string
  d: unknown
  shard: number
}

/** Close codes after which another attempt would be refused too. */
const hopeless: Record<number, string> = {
  4004: 'Discord does not take DISCORD_TOKEN: make a new token (Developer Portal → your application → Bot → Reset Token) and set it',
  4010: 'Discord refused the shard: two processes may disagree about their number',
  4011: 'Discord wants more shards than were asked for; start again to take its new recommendation',
  4012: 'Discord no longer speaks the version of its gateway that this release uses: update Clew',
  4013: 'Discord refused the intents',
}
const disallowedIntents = 4014
const missingContentLine =
  'Discord withholds what people write without a mention. Turn on "Message Content Intent" (Developer Portal → your application → Bot → Privileged Gateway Intents) and start again; until then Clew reads only mentions and direct messages'

const baseIntents = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessageReactions,
]

/** State of the connection. */
interface Connection {
  deps: GatewayDeps
  recommended: () => Promise<number | null>
  onDispatch: (dispatch: Dispatch) => void
  client: Client | null
  withContent: boolean
  /** Reason why the connection was given up. */
  dead: string | null
  /** Reason why Discord could not be asked for its gateway the last time. */
  away: string | null
  stopped: boolean
  /** Times since which shards are disconnected. A connected shard has no entry. */
  down: Map<number, number>
  startedAt: number
  ready: boolean
  attempt: number
  stopWatching: () => void
}

type GatewayDeps = Pick<DiscordDeps, 'token' | 'apiUrl' | 'share' | 'clock' | 'log'>

/**
 * Connection to Discord, for this process's share of the recommended shards. discord.js maintains
 * it. This module detects what discord.js misses: a resume that is never answered, and an intent
 * that the application does not have.
 *
 * @param recommended returns the number of shards that Discord recommends, or `null`. Called only
 * if several processes share them.
 */
export function createGateway(
  deps: GatewayDeps,
  recommended: () => Promise<number | null>,
  onDispatch: (dispatch: Dispatch) => void,
) {
  const connection: Connection = {
    deps,
    recommended,
    onDispatch,
    client: null,
    withContent: true,
    dead: null,
    away: null,
    stopped: false,
    down: new Map(),
    startedAt: 0,
    ready: false,
    attempt: 0,
    stopWatching: () => {},
  }
  return {
    start() {
      connect(connection)
      connection.stopWatching = deps.clock.every(limits.reconnectMs / 12, async () =>
        watch(connection),
      )
    },
    health: () => healthOf(connection),
    /** True if messages without a mention can be read. */
    hearsAll: () => connection.withContent,
    /** Ends the connection for good. The line says why and what to do. */
    giveUp: (line: string) => giveUp(connection, line),
    async stop() {
      connection.stopped = true
      connection.stopWatching()
      await Promise.race([discard(connection.client), deps.clock.sleep(2_000)])
    },
  }
}

function healthOf({ dead, away, stopped, client, ready, down, withContent }: Connection) {
  const trouble =
    dead ??
    (stopped || (client === null && away === null) ? 'not connected' : away) ??
    (!ready || down.size > 0 ? 'connecting to Discord' : null)
  if (trouble !== null) return { ok: false, detail: trouble }
  return { ok: true, detail: withContent ? 'connected' : 'connected, by mention only' }
}

/**
 * Returns this process's shards; `auto` stands for all recommended. If there are more processes
 * than shards, some share one.
 */
async function shardsOf({ deps, recommended }: Connection): Promise<Shards> {
  const { index, of } = deps.share
  if (of === 1) return { shards: 'auto' }
  const count = await recommended()
  if (count === null) throw new Error('Discord does not say how many shards it recommends')
  const own = Array.from({ length: count }, (_, shard) => shard).filter(
    (shard) => shard % of === index,
  )
  return { shards: own.length > 0 ? own : [index % count], shardCount: count }
}

function connect(connection: Connection): void {
  connection.startedAt = connection.deps.clock.now()
  connection.ready = false
  connection.down.clear()
  const attempt = ++connection.attempt
  shardsOf(connection).then(
    (shards) => attempt === connection.attempt && open(connection, shards),
    (error: unknown) => failed(connection, error),
  )
}

function open(connection: Connection, shards: Shards): void {
  const { deps, down } = connection
  const { clock, log, token } = deps
  if (connection.stopped || connection.dead !== null) return
  const made = createClient(deps.apiUrl, connection.withContent, shards)
  connection.client = made
  const isCurrent = () => connection.client === made && !connection.stopped
  const isDown = (shard: number) => void down.set(shard, down.get(shard) ?? clock.now())
  made.on('raw', (packet: { t?: string; d?: unknown; op: number }, shard: number) => {
    const { t, d, op } = packet
    if (!isCurrent() || op !== 0 || typeof t !== 'string') return
    if (t === 'READY' || t === 'RESUMED') {
      connection.ready = true
      connection.away = null
      down.delete(shard)
      log.info({ shard, how: t }, 'connected to Discord')
    }
    connection.onDispatch({ t, d, shard })
  })
  made.on('shardReconnecting', (shard) => isCurrent() && isDown(shard))
  made.on('shardDisconnect', ({ code }, shard) => {
    if (!isCurrent()) return
    isDown(shard)
    closed(connection, code)
  })
  made.on('shardError', (error, shard) =>
    log.debug({ shard, err: error }, 'the connection to Discord broke'),
  )
  made.on('error', (error) => log.debug({ err: error }, 'discord.js reports an error'))
  made.login(token).catch((error: unknown) => isCurrent() && failed(connection, error))
}

function closed(connection: Connection, code: number): void {
  const why = hopeless[code]
  if (code === disallowedIntents && connection.withContent) {
    connection.withContent = false
    connection.deps.log.warn({}, missingContentLine)
    renew(connection)
  } else if (why !== undefined || code === disallowedIntents)
    giveUp(connection, why ?? hopeless[4013] ?? '')
}

/** Handles a failed login, after which discord.js has given up. A later retry is scheduled. */
function failed(connection: Connection, error: unknown): void {
  const { clock, log } = connection.deps
  if (codesOf(error).includes('TokenInvalid')) {
    giveUp(connection, hopeless[4004] ?? '')
    return
  }
  const why = whyUnreachable(error) ?? (error instanceof Error ? error.message : String(error))
  const line = `Discord cannot be reached (${why}); trying again`
  // Logged once while it stays the same.
  if (line !== connection.away) log.warn({}, line)
  connection.away = line
  connection.startedAt = clock.now() - limits.reconnectMs + limits.retryMs
}

function renew(connection: Connection): void {
  void discard(connection.client)
  if (!connection.stopped && connection.dead === null) connect(connection)
}

function giveUp(connection: Connection, line: string): void {
  if (connection.dead !== null) return
  connection.dead = line
  connection.stopWatching()
  void discard(connection.client)
  connection.deps.log.error({}, line)
}

function watch(connection: Connection): void {
  const { deps, ready, startedAt, down, away } = connection
  const isLate = (since: number) => deps.clock.now() - since > limits.reconnectMs
  if ((ready || !isLate(startedAt)) && ![...down.values()].some(isLate)) return
  if (away === null) deps.log.warn({}, 'Discord connection hangs; reconnecting')
  renew(connection)
}

type Shards = Pick<ClientOptions, 'shards' | 'shardCount'>

function createClient(apiUrl: string | null, withContent: boolean, shards: Shards): Client {
  const client = new Client({
    intents: withContent ? [...baseIntents, GatewayIntentBits.MessageContent] : baseIntents,
    partials: [Partials.Channel],
    ...shards,
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    ...(apiUrl === null ? {} : { rest: { api: apiUrl } }),
  })
  // Dispatches are parsed from the wire. The library's own cache would cost memory, and filling it
  // can end the process: 14.28.1 rejects without a handler when a session ends at the moment of its
  // resume.
  Object.defineProperty(client.ws, 'handlePacket', { value: () => true })
  return client
}

async function discard(client: Client | null): Promise<void> {
  // Later errors do not matter, but without a listener they would end the process.
  client?.removeAllListeners()
  client?.on('error', () => undefined)
  await client?.destroy().catch(() => undefined)
}
