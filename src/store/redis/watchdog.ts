import type { Redis } from 'ioredis'

/** Interval between two looks at a connection, in milliseconds. */
const lookEveryMs = 2_000
/** Longest time that a connection may take from its socket to being ready, in milliseconds. */
const readyWithinMs = 8_000

/**
 * Replies of a server that is not, or not yet, a primary. The same address may lead to another
 * server by now.
 */
const wrongServer = /\b(?:READONLY|MASTERDOWN|LOADING|UNBLOCKED)\b/

/** True if ioredis has to reopen the connection after this reply; the refused command fails. */
export const leadsToWrongServer = (error: Error): boolean => wrongServer.test(error.message)

/**
 * Reopens `redis` when it leads to a server that cannot serve it: one that has become a replica, or
 * that keeps loading. A subscriber gets no refusals, so the server is asked for its role. The
 * socket's own timeout finds a silent server; these questions are its traffic.
 */
export function watch(redis: Redis): void {
  let openSince = Date.now()
  let isAsking = false
  redis.on('connect', () => {
    openSince = Date.now()
    isAsking = false
  })

  async function look() {
    if (redis.status === 'connect' && Date.now() - openSince > readyWithinMs) redis.disconnect(true)
    if (redis.status !== 'ready' || isAsking) return
    isAsking = true
    const role = await roleOf(redis)
    isAsking = false
    if (role === 'slave' && redis.status === 'ready') redis.disconnect(true)
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  redis.on('end', () => clearInterval(timer))
}

/**
 * Role of the server: `master`, `slave` or `sentinel`; `unknown` if it does not say, as managed
 * ones may not.
 */
async function roleOf(redis: Redis): Promise<string> {
  try {
    const [role] = await redis.role()
    return String(role)
  } catch {
    return 'unknown'
  }
}
