/** A bucket's answer: whether one more request fits, and what the headers say. */
export interface Verdict {
  allowed: boolean
  headers: Record<string, string>
  retryAfter: number
}

/**
 * Rate limits as Discord announces them, a bucket for each kind of request and channel. Windows are shorter than the real
 * ones by `pace`, so that tests do not have to wait for them.
 */
export function createLimits(now: () => number, pace = 25) {
  const rules: { match: RegExp; limit: number; ms: number; name: string }[] = [
    { match: /^POST \/channels\/\d+\/messages$/, limit: 5, ms: 5_000 / pace, name: 'post' },
    { match: /^GET \/channels\/\d+\/messages$/, limit: 5, ms: 5_000 / pace, name: 'history' },
    { match: /^PATCH \/channels\/\d+\/messages\/\d+$/, limit: 5, ms: 5_000 / pace, name: 'patch' },
    { match: /^PUT .*\/reactions\//, limit: 1, ms: 250 / pace, name: 'react' },
    { match: /^PATCH \/channels\/\d+$/, limit: 5, ms: 5_000 / pace, name: 'channel' },
  ]
  const windows = new Map<string, { used: number; until: number }>()
  /** Of the application, over all of its requests but the answers to gestures. These seconds are real. */
  const everything = { used: 0, until: 0 }
  /** When requests were answered with 401, 403 or 429. */
  let invalid: number[] = []
  const settings = { requestsASecond: 50, invalidMost: 10_000 }
  let bannedUntil = 0
  return {
    rules,
    settings,
    /** Whether the address is banned, and for how many seconds more. */
    ban(): number | null {
      return bannedUntil > now() ? Math.ceil((bannedUntil - now()) / 1_000) : null
    },
    lift() {
      bannedUntil = 0
      invalid = []
    },
    invalid: () => invalid.length,
    /** Ten thousand of these within ten minutes, and nobody from there is answered for a while. */
    note(status: number): void {
      if (status !== 401 && status !== 403 && status !== 429) return
      invalid = [...invalid.filter((at) => at > now() - 10 * 60_000), now()]
      if (invalid.length >= settings.invalidMost) bannedUntil = now() + 60 * 60_000
    },
    takeGlobal(): Verdict {
      if (everything.until <= now()) Object.assign(everything, { used: 0, until: now() + 1_000 })
      everything.used += 1
      if (everything.used <= settings.requestsASecond)
        return { allowed: true, headers: {}, retryAfter: 0 }
      const seconds = (everything.until - now()) / 1_000
      const headers = { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' }
      return {
        allowed: false,
        retryAfter: seconds,
        headers: { ...headers, 'Retry-After': String(Math.ceil(seconds)) },
      }
    },
    take(method: string, path: string): Verdict {
      const rule = rules.find(({ match }) => match.test(`${method} ${path}`))
      if (rule === undefined) return { allowed: true, headers: {}, retryAfter: 0 }
      const major = /^\/(?:channels|webhooks)\/\d+/.exec(path)?.[0] ?? 'global'
      const key = `${rule.name}:${major}`
      const at = now()
      const known = windows.get(key)
      const window =
        known === undefined || known.until <= at ? { used: 0, until: at + rule.ms } : known
      windows.set(key, window)
      const allowed = window.used < rule.limit
      if (allowed) window.used += 1
      const seconds = (window.until - at) / 1000
      return {
        allowed,
        retryAfter: seconds,
        headers: {
          'X-RateLimit-Limit': String(rule.limit),
          'X-RateLimit-Remaining': String(rule.limit - window.used),
          'X-RateLimit-Reset': String(window.until / 1000),
          'X-RateLimit-Reset-After': seconds.toFixed(3),
          'X-RateLimit-Bucket': `bucket-${rule.name}`,
          ...(allowed ? {} : { 'Retry-After': seconds.toFixed(3), 'X-RateLimit-Scope': 'user' }),
        },
      }
    },
  }
}
