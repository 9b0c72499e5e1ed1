import { createHmac } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod'
import { texts } from '../../locales/texts.ts'
import { plainPage } from '../plain-page.ts'
import { createWebClient } from './api.ts'
import type { SlackAccess, SlackDeps } from './deps.ts'
import { type Handle, isSame } from './http.ts'
import type { Installation } from './installations.ts'
import { limits } from './limits.ts'
import { botScopes } from './manifest.ts'
import { drawer } from './stored-installations.ts'

const cookieName = 'clew_slack_install'

const Team = z.looseObject({ id: z.string(), name: z.string().nullish() }).nullish()
const Access = z.looseObject({
  access_token: z.string(),
  scope: z.string().default(''),
  bot_user_id: z.string(),
  team: Team,
  enterprise: Team,
  is_enterprise_install: z.boolean().nullish(),
  authed_user: z.looseObject({ id: z.string() }).nullish(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
})
const Test = z.looseObject({ bot_id: z.string().default('') })

type OAuth = Extract<SlackAccess, { kind: 'oauth' }>

/**
 * Installs Clew by OAuth: `/slack/install` redirects to Slack, and `/slack/oauth_redirect` returns
 * with a code. The return must carry a state that was issued to the same browser within ten
 * minutes.
 */
export function createInstall(
  {
    apiUrl,
    clock,
    log,
    defaults,
    notes,
  }: Pick<SlackDeps, 'apiUrl' | 'clock' | 'log' | 'defaults' | 'notes'>,
  oauth: OAuth,
  keep: (installation: Installation) => Promise<void>,
): Readonly<Record<string, Handle>> {
  const words = texts(defaults.locale).slack

  /** True on the first use of a state; a state is valid once, until it is stale (S6). */
  const isFirst = (state: string): Promise<boolean> =>
    notes.claim(drawer, `state:${state}`, limits.installStateMs)

  async function install(request: Request): Promise<Response> {
    const nonce = clock.randomId()
    const made = `${nonce}.${clock.now()}`
    const to = new URL('/oauth/v2/authorize', apiUrl)
    to.searchParams.set('client_id', oauth.clientId)
    to.searchParams.set('scope', botScopes.join(','))
    to.searchParams.set('state', `${made}.${seal(oauth, made)}`)
    const cookie = serialize(cookieName, nonce, {
      path: '/slack',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: limits.installStateMs / 1_000,
      secure: isSecure(request),
    })
    return new Response(null, { status: 302, headers: { location: to.href, 'set-cookie': cookie } })
  }

  async function back(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams
    const code = query.get('code')
    const state = query.get('state') ?? ''
    if (code === null || !isOurs(oauth, state, request, clock.now()) || !(await isFirst(state)))
      return plainPage(words.installFailed, 400)
    try {
      const installation = await exchange(oauth, apiUrl, { code, now: clock.now() })
      await keep(installation)
      return plainPage(words.installed(installation.teamName), 200)
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'installation failed',
      )
      return plainPage(words.installFailed, 502)
    }
  }

  return { '/slack/install': install, '/slack/oauth_redirect': back }
}

/** Exchanges the authorization code for an installation. */
async function exchange(
  { clientId, clientSecret }: OAuth,
  apiUrl: string,
  { code, now }: { code: string; now: number },
): Promise<Installation> {
  const client = createWebClient(undefined, apiUrl)
  const access = Access.parse(
    await client.oauth.v2.access({ code, client_id: clientId, client_secret: clientSecret }),
  )
  const test = Test.parse(await createWebClient(access.access_token, apiUrl).auth.test())
  const { team, enterprise } = access
  const isOrg = access.is_enterprise_install === true
  return {
    version: 1,
    team: isOrg ? null : (team?.id ?? null),
    enterprise: enterprise?.id ?? null,
    teamName: (isOrg ? enterprise?.name : team?.name) ?? team?.id ?? '',
    botToken: access.access_token,
    botUserId: access.bot_user_id,
    botId: test.bot_id,
    scopes: access.scope.split(',').filter((scope) => scope !== ''),
    installedBy: access.authed_user?.id ?? null,
    refreshToken: access.refresh_token,
    expiresAt: access.expires_in === undefined ? undefined : now + access.expires_in * 1_000,
  }
}

const seal = ({ stateSecret }: OAuth, text: string) =>
  createHmac('sha256', stateSecret).update(text).digest('base64url')

/** True if the state was issued here, to this browser, and is not stale. */
function isOurs(oauth: OAuth, state: string, request: Request, now: number): boolean {
  const match = /^([\w-]{1,100})\.(\d{1,16})\.([\w-]{1,100})$/.exec(state)
  if (match === null) return false
  const [, nonce = '', at = '', given = ''] = match
  const isFresh = now - Number(at) <= limits.installStateMs
  const cookie = parse(request.headers.get('cookie') ?? '', cookieName)[cookieName] ?? ''
  return isFresh && isSame(given, seal(oauth, `${nonce}.${at}`)) && isSame(cookie, nonce)
}

const isSecure = (request: Request) =>
  request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https'
