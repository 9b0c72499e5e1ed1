import { Client, type ClientOptions, GatewayIntentBits, Partials } from 'discord.js'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { whyUnreachable } from '../../agent/unreachable.ts'
import { limits } from './limits.ts'

/** A dispatch as it came over the wire. Nothing about it has been checked. */
export interface Dispatch {
  t: string
  d: unknown
  shard: number
}

export interface Gateway {
  start(): void
  health(): { ok: boolean; detail: string }
  stop(): Promise<void>
}

/** Close codes after which trying again would be refused again. */
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
]

/** Which of several processes this one is: it takes every `of`-th shard, beginning with `index`. */
export interface Share {
  index: number
  of: number
}

/**
 * The connection to Discord, with this process's share of as many shards as it recommends. discord.js keeps it up; what it does not notice is
 * watched for here: a resume that is never answered, and an intent that the application may not have.
 */
export function createGateway(deps: {
  token: string
  apiUrl: string | null
  share: Share
  /** How many shards Discord recommends; null when it cannot be asked. Asked only where they are shared. */
  recommended: () => Promise<number | null>
  clock: Clock
  log: Log
  onDispatch: (dispatch: Dispatch) => void
  /** The connection is given up; the line says why and what to do. */
  onDead: (line: string) => void
}): Gateway {
  const { clock, log } = deps
  let client: Client | null = null
  let withContent = true
  let dead: string | null = null
  /** Why Discord could not be asked where its gateway is, the last time. */
  let away: string | null = null
  let stopped = false
  /** Since when a shard is not connected; absent while it is. */
  const down = new Map<number, number>()
  let startedAt = 0
  let ready = false
  let attempt = 0
  let stopWatching = () => {}

  /** `auto` is all that are recommended. Where there are more processes than shards, some take the same. */
  async function shards(): Promise<{ shards: 'auto' } | { shards: number[]; shardCount: number }> {
    const { index, of } = deps.share
    if (of === 1) return { shards: 'auto' }
    const count = await deps.recommended()
    if (count === null) throw new Error('Discord does not say how many shards it recommends')
    const own = Array.from({ length: count }, (_, shard) => shard).filter((shard) => shard % of === index)
    return { shards: own.length > 0 ? own : [index % count], shardCount: count }
  }

  function connect(): void {
    startedAt = clock.now()
    ready = false
    down.clear()
    attempt += 1
    const own = attempt
    shards().then((taken) => own === attempt && open(taken), failed)
  }

  function open(taken: Awaited<ReturnType<typeof shards>>): void {
    if (stopped || dead !== null) return
    const made = createClient(deps.apiUrl, withContent, taken)
    client = made
    const current = () => client === made && !stopped
    made.on('raw', (packet: { t?: string; d?: unknown; op: number }, shard: number) => {
      if (!current() || packet.op !== 0 || typeof packet.t !== 'string') return
      if (packet.t === 'READY' || packet.t === 'RESUMED') {
        ready = true
        away = null
        down.delete(shard)
        log.info({ shard, how: packet.t }, 'connected to Discord')
      }
      deps.onDispatch({ t: packet.t, d: packet.d, shard })
    })
    made.on('shardReconnecting', (shard) => void (current() && down.set(shard, down.get(shard) ?? clock.now())))
    made.on('shardDisconnect', ({ code }, shard) => {
      if (!current()) return
      down.set(shard, down.get(shard) ?? clock.now())
      closed(code)
    })
    made.on('shardError', (error, shard) => log.debug({ shard, err: error }, 'the connection to Discord broke'))
    made.on('error', (error) => log.debug({ err: error }, 'discord.js reports an error'))
    made.login(deps.token).catch((error: unknown) => current() && failed(error))
  }

  function closed(code: number): void {
    const why = hopeless[code]
    if (code === disallowedIntents && withContent) {
      withContent = false
      log.warn({}, missingContentLine)
      renew()
    } else if (why !== undefined || code === disallowedIntents) giveUp(why ?? hopeless[4013] ?? '')
  }

  /** Discord could not even be asked where its gateway is; discord.js has given up by itself. */
  function failed(error: unknown): void {
    if (hasCode(error, 'TokenInvalid')) giveUp(hopeless[4004] ?? '')
    else {
      const why = whyUnreachable(error) ?? (error instanceof Error ? error.message : String(error))
      const line = `Discord cannot be reached (${why}); trying again`
      // Said once for as long as it stays so.
      if (line !== away) log.warn({}, line)
      away = line
      startedAt = clock.now() - limits.reconnectMs + limits.retryMs
    }
  }

  function renew(): void {
    discard(client)
    if (!stopped && dead === null) connect()
  }

  function giveUp(line: string): void {
    if (dead !== null) return
    dead = line
    stopWatching()
    discard(client)
    log.error({}, line)
    deps.onDead(line)
  }

  async function watch(): Promise<void> {
    const now = clock.now()
    const late = (since: number) => now - since > limits.reconnectMs
    if ((!ready && late(startedAt)) || [...down.values()].some(late)) {
      if (away === null) log.warn({}, 'the connection to Discord hangs; starting it anew')
      renew()
    }
  }

  return {
    start() {
      connect()
      stopWatching = clock.every(limits.reconnectMs / 12, watch)
    },
    health() {
      if (dead !== null) return { ok: false, detail: dead }
      if (stopped) return { ok: false, detail: 'not connected' }
      if (away !== null) return { ok: false, detail: away }
      if (client === null) return { ok: false, detail: 'not connected' }
      if (!ready || down.size > 0) return { ok: false, detail: 'connecting to Discord' }
      return { ok: true, detail: withContent ? 'connected' : 'connected, by mention only' }
    },
    async stop() {
      stopped = true
      stopWatching()
      await Promise.race([discard(client), clock.sleep(2_000)])
    },
  }
}

function createClient(
  apiUrl: string | null,
  withContent: boolean,
  taken: Pick<ClientOptions, 'shards' | 'shardCount'>,
): Client {
  const client = new Client({
    intents: withContent ? [...baseIntents, GatewayIntentBits.MessageContent] : baseIntents,
    partials: [Partials.Channel],
    ...taken,
    allowedMentions: { parse: [], repliedUser: false },
    enforceNonce: true,
    ...(apiUrl === null ? {} : { rest: { api: apiUrl } }),
  })
  // What events mean is read from the wire. The library's own copy of the world would cost memory, and reading one ends the
  // process: 14.28.1 rejects where nobody listens when a session ends in the instant of its resume.
  Object.defineProperty(client.ws, 'handlePacket', { value: () => true })
  return client
}

async function discard(client: Client | null): Promise<void> {
  // Whatever it still says is of no interest, and without a listener an error would end the process.
  client?.removeAllListeners()
  client?.on('error', () => undefined)
  await client?.destroy().catch(() => undefined)
}

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code
