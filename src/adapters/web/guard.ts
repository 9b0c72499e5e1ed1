import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, MiddlewareHandler } from 'hono'
import { present } from '../../agent/domain/present.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { SignIn } from '../../agent/ports/members.ts'
import { createCookies } from './cookies.ts'
import type { WebDeps } from './deps.ts'
import { limits } from './limits.ts'
import { refuse } from './problems.ts'
import {
  createSessions,
  isSessionValue,
  ownerOf,
  type Sessions,
  type SignedInViewer,
} from './sessions.ts'
import type { Caller, Viewer } from './viewer.ts'
import { createWrongTokens, digest } from './wrong-tokens.ts'

export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    (isIPv4(host) && host.startsWith('127.'))
  )
}

/** Refuses an invalid host header, with which the request has no valid URL. */
export const readableHost: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? ''
  if (!URL.canParse(`http://${host}`)) refuse('bad_host', { host: host.slice(0, 100) })
  await next()
}

/**
 * Refuses other machines while there is no token, and other names than this machine's own. The
 * latter stops a web page whose name was pointed at 127.0.0.1.
 */
export function ownHost(token: string | null): MiddlewareHandler {
  return async (c, next) => {
    if (token === null && !isLoopback(hostnameOf(c.req.header('host') ?? ''))) refuse('wrong_host')
    await next()
  }
}

/** Refuses requests of another site's page under `/api`, and any that change something. */
export const sameSite: MiddlewareHandler = async (c, next) => {
  const guarded = c.req.path.startsWith('/api/') || !['GET', 'HEAD'].includes(c.req.method)
  if (guarded && comesFromElsewhere(c)) refuse('cross_site')
  await next()
}

function comesFromElsewhere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const origin = c.req.header('origin')
  // Only the host is compared: behind a proxy with TLS, the scheme differs.
  return origin !== undefined && URL.parse(origin)?.host !== c.req.header('host')?.toLowerCase()
}

/** Headers by which a request says that it came through somebody else. */
const ofProxies = /^(?:x-forwarded|forwarded$|via$|x-real-ip$|[\w-]*-client-ip$|cf-connecting-ip$)/

/**
 * True if a request may write Clew's settings (C563). It comes from this machine itself, with
 * nothing between, or with the operator's token.
 */
export function mayWriteSettings(c: Context, token: string | null): boolean {
  if (token !== null) return c.get('caller')?.kind === 'operator'
  const remote = getConnInfo(c).remote.address ?? ''
  return (
    isLoopback(remote.replace(/^::ffff:/, '')) &&
    isLoopback(hostnameOf(c.req.header('host') ?? '')) &&
    !Object.keys(c.req.header()).some((name) => ofProxies.test(name))
  )
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Content security policy of the API: its answers are no documents, even if a browser is made to
 * open one (S30).
 */
const answersPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

/**
 * Headers that isolate the page: nothing foreign is loaded, it is not framed or sniffed, and no
 * referrer leaves it.
 */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', c.req.path.startsWith('/api/') ? answersPolicy : policy)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Frame-Options', 'DENY')
  // Not `no-referrer`: browsers would send the sign-in form with `Origin: null`, like a foreign
  // page.
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
}

/** Authenticates requests: by a token that is shown, or by the session in the browser's cookie. */
export function createDoor({
  token,
  clock,
  proxies,
  connectors,
  privacy,
  url,
  store: { notes },
}: WebDeps) {
  const operators = new Map<string, Caller>(
    token === null ? [] : [[token, { kind: 'operator', session: null }]],
  )
  const bearers = new Map(
    present<[string, Caller]>([
      privacy.token !== null && [privacy.token, { kind: 'admin' }],
      ...operators,
      ...(connectors?.shown ?? []).map(({ secret, connector }): [string, Caller] => [
        secret,
        { kind: 'connector', connector },
      ]),
    ]),
  )
  const sessions = createSessions({ notes, clock })
  const cookies = createCookies(url)
  const ownToken = digest(token ?? '').toString('base64url')
  const wrong = createWrongTokens({ clock, proxies })
  const changes = changesOf(cookies, sessions)

  /**
   * Owner of a secret. All secrets are compared, so that the time does not tell which one matched.
   */
  function check(c: Context, given: string, secrets: ReadonlyMap<string, Caller>): Caller | null {
    wrong.refuse(c)
    const right = [...secrets].filter(([secret]) => sameSecret(given, secret))
    if (right.length === 0) wrong.note(c, given)
    return right[0]?.[1] ?? null
  }

  async function viewerBy(id: string, isUse: boolean): Promise<Viewer | null> {
    const viewer = await sessions.read(id, isUse)
    if (viewer?.kind === 'member') return { kind: 'member', session: id, member: viewer }
    return viewer?.kind === 'operator' && viewer.token === ownToken
      ? { kind: 'operator', session: id }
      : null
  }

  return {
    wrong,
    ...changes,
    ...signInsOf(cookies, sessions, clock),
    /**
     * Identifies the caller of a request.
     *
     * An operator shows the token as a bearer or is signed in; without a token, it is anyone on
     * this machine. A member is signed in. A connector (S20) or an admin (S19) shows a secret of
     * their own.
     *
     * @returns null for anyone else.
     * @throws ProblemError `too_many_attempts` after too many wrong attempts from its address.
     */
    async callerOf(c: Context): Promise<Caller | null> {
      const bearer = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
      if (bearer !== undefined && bearers.size > 0) return check(c, bearer, bearers)
      if (token === null) return { kind: 'operator', session: null }
      const cookie = cookies.read(c, 'session')
      if (cookie === undefined) return null
      wrong.refuse(c)
      const viewer = await viewerBy(sessions.idOf(cookie), true)
      // An expired cookie is no guess: many people behind one address may have one, each morning.
      if (viewer === null && !isSessionValue(cookie)) wrong.note(c, cookie)
      return viewer
    },
    /**
     * True if the session still holds. This check, made by open pages on their own, keeps no
     * session alive.
     */
    isLive: async ({ session }: Viewer) =>
      session === null || (await viewerBy(session, false)) !== null,
    /** Checks a token that somebody typed, and sets the cookie. */
    async signIn(c: Context, given: string): Promise<void> {
      if (token === null || check(c, given, operators) === null) return refuse('wrong_token')
      return await changes.admit(c, { kind: 'operator', token: ownToken })
    },
  }
}

type Cookies = ReturnType<typeof createCookies>

const changesOf = (cookies: Cookies, sessions: Sessions) => ({
  /** Opens a new session, and closes the one that the browser had. */
  async admit(c: Context, viewer: SignedInViewer): Promise<void> {
    const before = cookies.read(c, 'session')
    if (before !== undefined) await sessions.close(sessions.idOf(before))
    cookies.write(c, 'session', await sessions.open(viewer), limits.sessionMs)
  },
  /**
   * Ends the session on the server, or all of that person's. Returns the name for telling the
   * pages.
   */
  async signOut(c: Context, everywhere: boolean): Promise<string | null> {
    const cookie = cookies.read(c, 'session')
    cookies.drop(c, 'session')
    if (cookie === undefined) return null
    const id = sessions.idOf(cookie)
    const viewer = everywhere ? await sessions.read(id, false) : null
    await sessions.close(id)
    if (viewer === null) return id
    await sessions.closeAll(ownerOf(viewer))
    return ownerOf(viewer)
  },
})

/** Values of one sign-in, without its redirect address. */
type Begun = Omit<SignIn, 'redirectUri'>

const signInsOf = (cookies: Cookies, sessions: Sessions, clock: Clock) => ({
  /** Starts a sign-in with a platform, in this browser. */
  begin(c: Context, platform: string): Begun {
    const secret = `${clock.now()}.${randomBytes(32).toString('base64url')}`
    cookies.write(c, 'signIn', secret, limits.signInMs)
    return derived(secret, platform)
  },
  /**
   * Sign-in that this browser started, once and for 10 minutes. Null if the state does not match.
   */
  async begun(c: Context, platform: string): Promise<Begun | null> {
    const secret = cookies.read(c, 'signIn') ?? ''
    cookies.drop(c, 'signIn')
    const isFresh = clock.now() - Number(secret.split('.', 1)[0] || 0) <= limits.signInMs
    const begun = derived(secret, platform)
    if (!isFresh || !sameSecret(c.req.query('state') ?? '', begun.state)) return null
    return (await sessions.once(begun.state)) ? begun : null
  },
})

/**
 * Derives a sign-in from a secret that its browser keeps: without it nobody can start or end one.
 */
function derived(secret: string, platform: string): Begun {
  const of = (use: string) =>
    createHmac('sha256', secret).update(`${use} ${platform}`).digest('base64url')
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') }
}

/** Compares in constant time. */
const sameSecret = (given: string, secret: string) => timingSafeEqual(digest(given), digest(secret))

/** Host name without its port: `[::1]:3000` → `[::1]`, `Localhost:3000` → `localhost`. */
const hostnameOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')
