import { createHash } from 'node:crypto'
import type { Connection } from './connection.ts'
import { type ScriptName, scripts } from './scripts.ts'

/** The few things that the store asks of Redis, counted by the bench as one round trip each. */
export interface Client {
  redis: Connection
  /** Runs a script by its hash. When the store is strict, resolves only when the write is on the disk (P7). */
  run(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
}

const hashes = new Map(
  Object.entries(scripts).map(([name, text]) => [name, createHash('sha1').update(text).digest('hex')]),
)

export function createClient(redis: Connection, options: { strict: boolean }): Client {
  async function evaluate(name: ScriptName, keys: readonly string[], args: readonly (string | number)[]) {
    const rest = [...keys, ...args]
    try {
      return await redis.evalsha(hashes.get(name) ?? '', keys.length, ...rest)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await redis.eval(scripts[name], keys.length, ...rest)
    }
  }
  return { redis, run: options.strict ? onDisk(redis, evaluate) : evaluate }
}

/**
 * WAITAOF waits for what was written on its own connection, and cannot run inside a script. So a write goes with it, in case
 * the script found everything written already; and if the connection broke on the way, nothing is known about the writes
 * before it, and the script runs again: applied twice equals once.
 */
function onDisk(redis: Connection, evaluate: Client['run']): Client['run'] {
  let connection = 0
  redis.on('close', () => {
    connection += 1
  })
  return async (name, keys, args) => {
    for (;;) {
      const before = connection
      const answer = await evaluate(name, keys, args)
      const [, confirmed] = await Promise.all([
        redis.set(markOf(keys[0] ?? ''), ''),
        redis.call('WAITAOF', '1', '0', '3000'),
      ])
      if (connection !== before) continue
      if (Array.isArray(confirmed) && Number(confirmed[0]) >= 1) return answer
      throw new Error('the write was not confirmed on disk within 3 s')
    }
  }
}

/** A key of no meaning in the same slot and workspace. */
const markOf = (key: string) => `${key.slice(0, key.indexOf('}') + 1)}:synced`
