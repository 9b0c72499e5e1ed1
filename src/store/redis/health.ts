import type { Clock } from '../../agent/ports/clock.ts'
import type { Store } from '../../agent/ports/store.ts'
import { type Connection, duplicate, whyFailed } from './connection.ts'
import { probeKey } from './keys.ts'

/** Lifetime of the key that a probe writes, in milliseconds. */
const probeMs = 10_000
/** Longest time that a probe waits for its answer, in milliseconds. */
const answerWithinMs = 1_500
/** Time of failing after which a second connection is tried, in milliseconds. */
const stuckAfterMs = 20_000

/**
 * Writes a probe through the store's own connection. It may fail for 20 s while a second connection
 * to the same address accepts writes. Then this process is stuck, and needs a restart (P29). Never
 * throws.
 */
export function createStoreHealth(redis: Connection, clock: Clock): Store['health'] {
  let failingSince: number | null = null
  let isStuck = false
  let isTrying = false

  async function tryAnother() {
    isTrying = true
    const another = duplicate(redis, answerWithinMs)
    another.on('error', () => undefined)
    isStuck = await writes(another).then(
      () => true,
      () => false,
    )
    another.disconnect()
    isTrying = false
  }
  const writes = (connection: Connection) => connection.set(probeKey, clock.now(), 'PX', probeMs)

  return async () => {
    try {
      await soon(writes(redis), clock)
      failingSince = null
      isStuck = false
      return { ok: true, detail: 'takes writes' }
    } catch (error) {
      failingSince ??= clock.now()
      if (clock.now() - failingSince >= stuckAfterMs && !isTrying) void tryAnother()
      const detail = whyFailed(redis, error)
      if (!isStuck) return { ok: false, detail }
      return { ok: false, stuck: true, detail: `${detail}; a new connection works: restart Clew` }
    }
  }
}

/**
 * Waits at most 1.5 s for an answer.
 *
 * @throws Error when there is none by then.
 */
async function soon(answer: Promise<unknown>, clock: Clock) {
  const done = new AbortController()
  const late = clock.sleep(answerWithinMs, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error('it does not answer')
  })
  try {
    await Promise.race([answer, late])
  } finally {
    done.abort()
  }
}
