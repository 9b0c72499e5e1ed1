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
  return {
    rules,
    take(method: string, path: string): Verdict {
      const rule = rules.find(({ match }) => match.test(`${method} ${path}`))
      if (rule === undefined) return { allowed: true, headers: {}, retryAfter: 0 }
      const major = /^\/(?:channels|webhooks)\/\d+/.exec(path)?.[0] ?? 'global'
      const key = `${rule.name}:${major}`
      const at = now()
      const known = windows.get(key)
      const window = known === undefined || known.until <= at ? { used: 0, until: at + rule.ms } : known
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
