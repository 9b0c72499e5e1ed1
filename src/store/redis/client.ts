import { createHash } from 'node:crypto'
import { Cluster } from 'ioredis'
import { NotWritten } from '../../agent/ports/not-written.ts'
import type { Connection } from './connection.ts'
import { refusalOf } from './errors.ts'
import { packed, unpacked } from './packed-keys.ts'
import { type ScriptName, scripts } from './scripts.ts'
import { createWorkspaces, type Workspaces } from './workspaces.ts'

/** Requests of the store to Redis. The bench counts each call as one round trip. */
export interface Client {
  redis: Connection
  /**
   * Runs a script by its hash. If the store is strict, resolves only once the write is on the disk
   * (P7).
   *
   * @throws NotWritten where Redis is known to have changed nothing (C63).
   */
  run(
    name: ScriptName,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown>
  workspaces: Workspaces
}

export function createClient(redis: Connection, options: { strict: boolean }): Client {
  const run: Client['run'] = (name, keys, args) => evaluate(redis, scripts[name], keys, args)
  const told = tellRefusals(redis, run)
  return {
    redis,
    run: options.strict ? onDisk(redis, told, run) : told,
    workspaces: createWorkspaces(redis),
  }
}

const hashes = new Map<string, string>()

/**
 * Runs a script by its hash, or by its text if the server does not know it. On a single server its
 * keys are packed (C270).
 */
export async function evaluate(
  redis: Connection,
  script: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const [first] = keys
  const rest =
    first === undefined || keys.length === 1 || redis instanceof Cluster ? null : packed(keys)
  if (first === undefined || rest === null) return await evaluateWhole(redis, script, keys, args)
  return await evaluateWhole(redis, unpacked(script), [first], [...args, rest])
}

async function evaluateWhole(
  redis: Connection,
  text: string,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const hash = hashes.get(text) ?? createHash('sha1').update(text).digest('hex')
  hashes.set(text, hash)
  try {
    return await redis.evalsha(hash, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return await redis.eval(text, keys.length, ...keys, ...args)
  }
}

/**
 * Turns a refusal into `NotWritten`, unless the connection broke on the way: then the script was
 * sent twice, and may have run the first time. A cluster's nodes break silently, so there it is
 * never known.
 */
function tellRefusals(redis: Connection, run: Client['run']): Client['run'] {
  if (redis instanceof Cluster) return run
  const breaks = breaksOf(redis)
  return async (...script) => {
    // A closing connection sends nothing any more. Its break is still to come, and costs no
    // certainty.
    const isClosing = redis.status === 'ready' && redis.stream?.writable === false
    const before = breaks() + (isClosing ? 1 : 0)
    try {
      return await run(...script)
    } catch (error) {
      const why = breaks() <= before ? refusalOf(error) : null
      throw why === null ? error : new NotWritten(why, { cause: error })
    }
  }
}

/**
 * Runs a script and waits until its write is on the disk.
 *
 * WAITAOF waits for writes of its own connection and cannot run inside a script. So a write goes
 * with it, in case the script found everything written already. If the connection broke on the way,
 * nothing is known about earlier writes, and the script runs again: applied twice equals once.
 */
function onDisk(redis: Connection, first: Client['run'], again: Client['run']): Client['run'] {
  const breaks = breaksOf(redis)
  return async (name, keys, args) => {
    for (let run = first; ; run = again) {
      const before = breaks()
      const answer = await run(name, keys, args)
      const [, confirmed] = await Promise.all([
        redis.set(markOf(keys[0] ?? ''), ''),
        redis.call('WAITAOF', '1', '0', '3000'),
      ])
      if (breaks() !== before) continue
      if (Array.isArray(confirmed) && Number(confirmed[0]) >= 1) return answer
      throw new Error('the write was not confirmed on disk within 3 s')
    }
  }
}

const counted = new WeakMap<Connection, () => number>()

/** Returns a counter of the connection's breaks since the first call. */
function breaksOf(redis: Connection): () => number {
  const known = counted.get(redis)
  if (known !== undefined) return known
  let breaks = 0
  redis.on('close', () => {
    breaks += 1
  })
  const count = () => breaks
  counted.set(redis, count)
  return count
}

/** Key without a meaning, in the same slot and workspace. */
const markOf = (key: string) => `${key.slice(0, key.indexOf('}') + 1)}:synced`
