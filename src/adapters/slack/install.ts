import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { texts } from '../../locales/texts.ts'
import { createWebClient } from './api.ts'
import type { Handle } from './http.ts'
import type { Installation } from './installations.ts'
import { limits } from './limits.ts'
import { botScopes } from './manifest.ts'

const cookieName = 'clew_slack_install'

const Access = z.looseObject({
  access_token: z.string(),
  scope: z.string().default(''),
  bot_user_id: z.string(),
  team: z.looseObject({ id: z.string(), name: z.string().nullish() }).nullish(),
  enterprise: z.looseObject({ id: z.string(), name: z.string().nullish() }).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  authed_user: z.looseObject({ id: z.string() }).nullish(),
})
const Test = z.looseObject({ bot_id: z.string().default('') })

/**
 * Installing Clew in a workspace, the OAuth way: `/slack/install` leads to Slack, `/slack/oauth_redirect` comes back with
 * a code. The way back must carry a state that was made here, in this browser, in the last ten minutes.
 */
export function createInstall(deps: {
  clientId: string
  clientSecret: string
  stateSecret: string
  apiUrl: string
  clock: Clock
  log: Log
  locale: string
  keep(installation: Installation): Promise<void>
}): Readonly<Record<string, Handle>> {
  const { clock, log } = deps
  const words = texts(deps.locale).slack

  const seal = (text: string): string => createHmac('sha256', deps.stateSecret).update(text).digest('base64url')

  async function install(request: Request): Promise<Response> {
    const nonce = clock.randomId()
    const made = `${nonce}.${clock.now()}`
    const to = new URL('/oauth/v2/authorize', deps.apiUrl)
    to.searchParams.set('client_id', deps.clientId)
    to.searchParams.set('scope', botScopes.join(','))
    to.searchParams.set('state', `${made}.${seal(made)}`)
    const secure = isSecure(request) ? '; Secure' : ''
    const cookie = `${cookieName}=${nonce}; Path=/slack; HttpOnly; SameSite=Lax; Max-Age=${limits.installStateMs / 1_000}${secure}`
    return new Response(null, { status: 302, headers: { location: to.href, 'set-cookie': cookie } })
  }

  /** Made here, for this browser, not long ago. */
  function isOurs(state: string, request: Request): boolean {
    const match = /^([\w-]{1,100})\.(\d{1,16})\.([\w-]{1,100})$/.exec(state)
    const [, nonce = '', at = '', given = ''] = match ?? []
    const cookie = cookieOf(request.headers.get('cookie') ?? '')
    const fresh = clock.now() - Number(at) <= limits.installStateMs
    return match !== null && fresh && same(given, seal(`${nonce}.${at}`)) && same(cookie, nonce)
  }

  async function back(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams
    const code = query.get('code')
    if (code === null || !isOurs(query.get('state') ?? '', request)) return page(words.installFailed, 400)
    try {
      const { clientId, clientSecret } = deps
      const client = createWebClient(undefined, deps.apiUrl)
      const access = Access.parse(
        await client.oauth.v2.access({ code, client_id: clientId, client_secret: clientSecret }),
      )
      const test = Test.parse(await createWebClient(access.access_token, deps.apiUrl).auth.test())
      const isOrg = access.is_enterprise_install === true
      const name = (isOrg ? access.enterprise?.name : access.team?.name) ?? access.team?.id ?? ''
      await deps.keep({
        version: 1,
        team: isOrg ? null : (access.team?.id ?? null),
        enterprise: access.enterprise?.id ?? null,
        teamName: name,
        botToken: access.access_token,
        botUserId: access.bot_user_id,
        botId: test.bot_id,
        scopes: access.scope.split(',').filter((scope) => scope !== ''),
        installedBy: access.authed_user?.id ?? null,
      })
      return page(words.installed(name), 200)
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'an installation did not work')
      return page(words.installFailed, 502)
    }
  }

  return { '/slack/install': install, '/slack/oauth_redirect': back }
}

const isSecure = (request: Request): boolean =>
  request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https'

function same(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length > 0 && one.length === other.length && timingSafeEqual(one, other)
}

function cookieOf(header: string): string {
  const found = header.split(';').find((one) => one.trim().startsWith(`${cookieName}=`))
  return found?.trim().slice(cookieName.length + 1) ?? ''
}

function page(text: string, status: number): Response {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
  }
  return new Response(`<!doctype html><meta charset="utf-8"><title>Clew</title><p>${safe}</p>`, { status, headers })
}
