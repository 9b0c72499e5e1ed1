import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Connector } from '../../agent/connectors.ts'
import type { WebDeps } from './deps.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'
import { createWrongTokens } from './wrong-tokens.ts'

const cookieName = 'clew_session'

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** A name or address that nothing can be at would not even make an address of the request. */
export const readableHost: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? ''
  if (!URL.canParse(`http://${host}`)) refuse({ code: 'bad_host', host: host.slice(0, 100) })
  await next()
}

/**
 * Without a token only this machine may ask, and only under one of its own names: a web page whose name was pointed at
 * 127.0.0.1 is sent away.
 */
export function ownHost(token: string | null): MiddlewareHandler {
  return async (c, next) => {
    if (token === null && !isLoopback(hostnameOf(c.req.header('host') ?? ''))) refuse({ code: 'wrong_host' })
    await next()
  }
}

/** Nothing under `/api` and nothing that changes something answers to another site's page. */
export const sameSite: MiddlewareHandler = async (c, next) => {
  const guarded = c.req.path.startsWith('/api/') || !['GET', 'HEAD'].includes(c.req.method)
  if (guarded && comesFromElsewhere(c)) refuse({ code: 'cross_site' })
  await next()
}

function comesFromElsewhere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const origin = c.req.header('origin')
  // Only the host is compared: behind a proxy that speaks https to the world, the scheme differs.
  return origin !== undefined && URL.parse(origin)?.host !== c.req.header('host')?.toLowerCase()
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers that keep the page to itself: nothing from elsewhere is loaded, framed, sniffed or told where it came from. */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', policy)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Frame-Options', 'DENY')
  // Not `no-referrer`: browsers then send the sign-in form with `Origin: null`, as from nowhere.
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
}

type DoorDeps = Pick<WebDeps, 'token' | 'clock' | 'proxies' | 'connectors' | 'privacy'>

export interface Door {
  /**
   * Who asks: a person, who shows the token as a bearer or by the cookie, or nothing where there is none to show; or a connector,
   * by its secret (S20); or an admin, by theirs (S19). Null: none of them.
   *
   * @throws ProblemError `too_many_attempts` where too much that was wrong was shown from its address.
   */
  callerOf(c: Context): 'person' | 'admin' | Connector | null
  /** Checks a token that somebody typed and leaves the cookie. */
  signIn(c: Context, given: string): void
}

/**
 * The cookie holds a value made from the token, never the token, and stops working when the token changes. Each guess of a
 * token also gives a guess of the cookie, so a wrong value counts as a try wherever it is sent (S14).
 */
export function createDoor({ token, clock, proxies = 0, connectors, privacy }: DoorDeps): Door {
  const session = token === null ? '' : createHmac('sha256', token).update('clew web session').digest('hex')
  const wrongTokens = createWrongTokens({ clock, proxies })
  const cookies = new Map([[session, 'person' as const]])
  const bearers = new Map<string, 'person' | 'admin' | Connector>([
    ...(privacy?.token == null ? [] : [[privacy.token, 'admin'] as const]),
    ...(token === null ? [] : [[token, 'person'] as const]),
    ...(connectors?.shown ?? []).map(({ secret, connector }) => [secret, connector] as const),
  ])

  /** Whose secret it is. All of them are compared, so that the time says nothing about which it was. */
  function check<W>(c: Context, given: string, secrets: ReadonlyMap<string, W>): W | null {
    if (!wrongTokens.mayTry(c)) refuse({ code: 'too_many_attempts' })
    const right = [...secrets].filter(([secret]) => sameSecret(given, secret))
    if (right.length === 0) wrongTokens.note(c, digest(given).toString('base64'))
    return right[0]?.[1] ?? null
  }

  return {
    callerOf(c) {
      const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
      if (bearer !== undefined && bearers.size > 0) return check(c, bearer, bearers)
      if (token === null) return 'person'
      const cookie = getCookie(c, cookieName)
      return cookie === undefined ? null : check(c, cookie, cookies)
    },
    signIn(c, given) {
      if (token === null || check(c, given, new Map([[token, true]])) === null) return refuse({ code: 'wrong_token' })
      const secure = c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'
      const maxAge = limits.sessionSeconds
      return setCookie(c, cookieName, session, { httpOnly: true, sameSite: 'Strict', path: '/', secure, maxAge })
    },
  }
}

const digest = (text: string): Buffer => createHmac('sha256', 'clew').update(text).digest()

/** Compares in a time that says nothing about where the two differ. */
const sameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

/** `[::1]:3000` → `[::1]`, `Localhost:3000` → `localhost`. */
const hostnameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')
