import { randomUUID } from 'node:crypto'
import { evaluate } from './client.ts'
import { type Connection, duplicate } from './connection.ts'
import { guarded } from './errors.ts'
import { keysOf } from './keys.ts'
import { hashOf } from './look.ts'

/** Lifetime of an append's key, in ms, so that a retry within it changes nothing. */
const keptMs = 24 * 60 * 60 * 1000
/** Entries that are kept, about. A browser that was offline for longer fetches everything again. */
const kept = 10_000
/** Longest wait for an entry, in ms: well below the time at which its connection counts as dead. */
const waitAtMostMs = 5_000
const deadAfterMs = 10_000

/**
 * KEYS stream, seen or '' · ARGV body, kept, window ms. Answers the entry's id; applied twice it
 * equals once (P8).
 */
const append = `
if KEYS[2] then
  local first = redis.call('GET', KEYS[2])
  if first then return first end
end
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'body', ARGV[1])
if KEYS[2] then redis.call('SET', KEYS[2], id, 'PX', ARGV[3]) end
return id
`

/** Time for which an open page counts, in seconds. */
const watchSeconds = 60

/** KEYS watchers · ARGV process, seconds. By the clock of the store itself, as commits ask it. */
const watch = `
local now = redis.call('TIME')[1]
redis.call('ZREMRANGEBYSCORE', KEYS[1], 1, now)
redis.call('ZADD', KEYS[1], 0, '~')
if ARGV[2] == '0' then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1]) end
return 1
`

/**
 * Redis stream of what was shown in a channel without a memory of its own. The web page reads on
 * from the last entry it has seen. Has the shape of the `EventLog` that the web adapter declares.
 */
export function createRedisEventLog(deps: {
  redis: Connection
  workspace: string
  /** Other workspaces that the pages show. */
  others?: readonly string[]
  kept?: number
}) {
  const { redis } = deps
  const { events: stream, seen } = keysOf(deps.workspace)
  const seenKey = (key: string) => seen(`event:${key}`)
  const waiting = createWaiting(redis, stream)
  const shown = [deps.workspace, ...(deps.others ?? [])].map((one) => keysOf(one).watchers)
  const self = randomUUID()

  const range = async (after: string, limit: number) =>
    (await redis.xrange(stream, `(${after}`, '+', 'COUNT', limit)).flatMap(entryOf)

  return guarded({
    /** Appends once for every key; null means no key. Returns the entry's id. */
    async append(key: string | null, body: string) {
      const keys = key === null ? [stream] : [stream, seenKey(key)]
      return String(await evaluate(redis, append, keys, [body, deps.kept ?? kept, keptMs]))
    },

    find: (key: string) => redis.get(seenKey(key)),

    async read(options: { after: string; limit: number; waitMs: number; signal: AbortSignal }) {
      const { after, limit, waitMs, signal } = options
      let events = await range(after, limit)
      if (events.length === 0 && waitMs > 0) {
        await waiting.wait(after, waitMs, signal)
        // New entries are read by their range, as always.
        if (!signal.aborted) events = await range(after, limit)
      }
      return { events, lost: events.length > 0 && (await isLost(redis, stream, after)) }
    },

    /** Says in each workspace that a page serves it, and if one is open here. */
    async watch(isOpen: boolean) {
      const args = [self, isOpen ? watchSeconds : 0]
      await Promise.all(shown.map((key) => evaluate(redis, watch, [key], args)))
    },

    /** Id of the newest entry; `0-0` if there is none yet. */
    async position() {
      const [newest] = (await redis.xrevrange(stream, '+', '-', 'COUNT', 1)).flatMap(entryOf)
      return newest?.id ?? '0-0'
    },

    close: async () => waiting.close(),
  })
}

/**
 * Waits on a connection of its own, since a blocking read holds up all other commands of its
 * connection.
 */
function createWaiting(redis: Connection, stream: string) {
  let waiting: Connection | null = null

  function close() {
    waiting?.disconnect()
    waiting = null
  }
  function open() {
    const connection = duplicate(redis, deadAfterMs)
    // Waiting callers get the error; the connection itself has nobody to notify.
    connection.on('error', () => undefined)
    return connection
  }

  return {
    close,
    /** Resolves once there is an entry behind `after`, or after `ms`. */
    async wait(after: string, ms: number, signal: AbortSignal) {
      if (signal.aborted) return
      waiting ??= open()
      const connection = waiting
      const cut = () => {
        connection.disconnect()
        if (waiting === connection) waiting = null
      }
      signal.addEventListener('abort', cut, { once: true })
      try {
        await connection.xread(
          'COUNT',
          1,
          'BLOCK',
          Math.min(ms, waitAtMostMs),
          'STREAMS',
          stream,
          after,
        )
      } catch (error) {
        // A broken connection is not used again.
        cut()
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', cut)
      }
    },
  }
}

/**
 * True if entries behind `after` were trimmed: it is older than the first entry, and some are
 * missing.
 */
async function isLost(redis: Connection, stream: string, after: string): Promise<boolean> {
  if ((await redis.xrange(stream, '-', after, 'COUNT', 1)).length > 0) return false
  const info = hashOf((await redis.xinfo('STREAM', stream)) as string[])
  return info['entries-added'] !== info.length
}

function entryOf([id, fields]: [string, string[]]): { id: string; body: string }[] {
  const body = fields[fields.indexOf('body') + 1]
  return body === undefined ? [] : [{ id, body }]
}
