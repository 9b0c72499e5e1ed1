import {
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { atMost } from '../../agent/domain/at-most.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { wasNeverSent } from '../channel-kit/send-outcomes.ts'
import { limits } from './limits.ts'

export interface Token {
  botToken: string
  /** Workspace that calls must name, or `null`. Only an organisation's token needs it. */
  callsFor: string | null
}

export interface Tokens {
  /**
   * Returns the bot token for a workspace, or `null` if Clew is not installed there. Throws if the
   * store is down.
   */
  of(workspace: string): Promise<Token | null>
}

/** Reason why a call failed. Deliveries use the same outcomes. */
export type Problem =
  /**
   * Not done; retry after `afterMs`. Slack was unreachable, sets a rate limit, or rejects the
   * token: `token` names the error and the missing scope, if any.
   */
  | { kind: 'later'; afterMs: number; token?: TokenProblem }
  /** Outcome unclear, because no usable response arrived; the call may have succeeded (P2). */
  | { kind: 'unknown' }
  /** Refused for good. The reason is Slack's error code. */
  | { kind: 'refused'; reason: string }

interface TokenProblem {
  code: string
  needed: string | null
}

export type Answer<T> = { kind: 'ok'; value: T } | Problem

/** Schema for calls whose response is not used. */
export const Anything = z.looseObject({})

const Granted = z.looseObject({
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
})

export interface Api {
  /**
   * Calls a Web API method once, as the workspace's bot. The caller decides about retries. Never
   * throws. During a rate limit, further calls of the method in this workspace (and channel, for
   * posting) are not sent. `minor` calls are optional: a token that does not allow them is not
   * reported as trouble.
   */
  call<T>(
    workspace: string,
    method: string,
    args: Record<string, unknown>,
    schema: z.ZodType<T>,
    options?: { minor?: boolean },
  ): Promise<Answer<T>>
  /**
   * Returns the bot's scopes in a workspace, as Slack reported them last, or `null` before the
   * first report.
   */
  scopes(workspace: string): readonly string[] | null
  /**
   * Returns the last problem with a workspace's token, for the health line, or `null` if there is
   * none.
   */
  trouble(): string | null
}

/**
 * Time without calls to a workspace whose token is rejected, in milliseconds. It is longer than
 * anybody waits for an answer.
 */
const tokenMs = 30_000
const unreachableMs = 2_000
/** Pause before a call that Slack does not take now and says no time for, in milliseconds. */
const notNowMs = 10_000
const leastMs = 50
const clientsKept = 5_000

/** Errors on Slack's own side, after which the call may still have been done. */
const unclear = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]
/** Errors that pass by themselves. Nothing was done. */
const notNow = [
  'ratelimited',
  'rate_limited',
  'external_channel_migrating',
  'migration_in_progress',
]
const badToken = [
  ...[
    'not_authed',
    'invalid_auth',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'missing_scope',
  ],
  ...['no_permission', 'org_login_required', 'not_allowed_token_type', 'not_installed'],
  ...['team_access_not_granted', 'accesslimited'],
]

export function createApi(deps: { tokens: Tokens; apiUrl: string; clock: Clock; log: Log }): Api {
  const { clock, log } = deps
  // Each token gets its own options, since the client writes its headers into them.
  const clients = new LRUCache<string, WebClient, Token>({
    max: clientsKept,
    memoMethod: (_name, _stale, { context: { botToken, callsFor } }) =>
      createWebClient(botToken, deps.apiUrl, callsFor === null ? {} : { teamId: callsFor }),
  })
  const waitUntil = new Map<string, number>()
  const troubles = createTroubles(log)
  const granted = new LRUCache<string, readonly string[]>(atMost(clientsKept))

  async function ask(
    workspace: string,
    method: string,
    args: Record<string, unknown>,
  ): Promise<Answer<unknown>> {
    const token = await deps.tokens.of(workspace).catch(() => undefined)
    if (token === undefined) return { kind: 'later', afterMs: unreachableMs }
    if (token === null) return platformProblem({ error: 'not_installed' })
    try {
      const client = clients.memo(`${token.botToken} ${token.callsFor}`, { context: token })
      return { kind: 'ok', value: await client.apiCall(method, args) }
    } catch (error) {
      return problemOf(error)
    }
  }

  return {
    async call(workspace, method, args, schema, { minor = false } = {}) {
      // Slack limits posting for each channel.
      const place = `${workspace} ${method} ${method.startsWith('chat.post') ? args.channel : ''}`
      const wait = (waitUntil.get(place) ?? 0) - clock.now()
      if (wait > 0) return { kind: 'later', afterMs: Math.max(leastMs, wait) }
      waitUntil.delete(place)
      const answer = await ask(workspace, method, args)
      if (answer.kind !== 'ok') {
        const token = answer.kind === 'later' ? answer.token : undefined
        if (answer.kind === 'later' && token === undefined)
          waitUntil.set(place, clock.now() + answer.afterMs)
        if (token !== undefined && !minor) troubles.note(workspace, method, token)
        const problem = token === undefined ? answer : { kind: 'token', ...token }
        log.debug({ workspace, method, problem }, 'a call of the Web API did not succeed')
        return answer
      }
      troubles.forget(workspace)
      const { scopes } = Granted.safeParse(answer.value).data?.response_metadata ?? {}
      if (scopes !== undefined) granted.set(workspace, scopes)
      const { data: value, error } = schema.safeParse(answer.value)
      if (error === undefined) return { kind: 'ok', value }
      log.warn({ method, problem: error.message }, 'unexpected answer from Slack')
      return { kind: 'unknown' }
    },
    scopes: (workspace) => granted.get(workspace) ?? null,
    trouble: troubles.first,
  }
}

/** Tracks problems with the workspaces' tokens. */
function createTroubles(log: Log) {
  const troubles = new Map<string, string>()
  return {
    /** Records a problem. Logs it once while it stays the same. */
    note(workspace: string, method: string, { code, needed }: TokenProblem): void {
      const scope = needed === null ? '' : `: the bot needs the scope ${needed}`
      const line = `${workspace}: ${method} answers ${code}${scope}`
      if (troubles.get(workspace) !== line)
        log.error({ workspace, method, code, needed }, `Slack refuses the token${scope}`)
      troubles.set(workspace, line)
    },
    forget: (workspace: string) => void troubles.delete(workspace),
    first: (): string | null => troubles.values().next().value ?? null,
  }
}

/**
 * Creates a client that does not retry, since the caller decides about retries (I6).
 *
 * @param of `teamId` is sent with every call, because an organisation's token covers several
 * workspaces.
 */
export function createWebClient(
  token: string | undefined,
  apiUrl: string,
  of: Pick<WebClientOptions, 'teamId'> = {},
): WebClient {
  return new WebClient(token, {
    ...of,
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: limits.callMs,
    logger: silent,
    fetch: timedFetch,
  })
}

/**
 * Adds a pause to a rate limit that names none. The client would take it for a failure whose
 * outcome is unclear (C995).
 */
const timedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  const isTimed = /^\d/.test(response.headers.get('retry-after') ?? '')
  if (response.status !== 429 || isTimed) return response
  return new Response(null, {
    status: 429,
    headers: { 'retry-after': String(notNowMs / 1_000) },
  })
}

/** Converts an error of the Web API client into a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof WebAPIRateLimitedError)
    return { kind: 'later', afterMs: Math.max(leastMs, error.retryAfter * 1_000) }
  if (error instanceof WebAPIPlatformError) return platformProblem(error.data)
  if (error instanceof WebAPIRequestError && wasNeverSent(error))
    return { kind: 'later', afterMs: unreachableMs }
  // All other errors (5xx, lost connection, timeout) may have come after Slack did it.
  return { kind: 'unknown' }
}

function platformProblem({ error: code, needed }: { error: string; needed?: unknown }): Problem {
  if (notNow.includes(code)) return { kind: 'later', afterMs: notNowMs }
  // The client puts a body that is not JSON here unchanged.
  if (unclear.includes(code) || !/^[a-z0-9_]+$/.test(code)) return { kind: 'unknown' }
  if (!badToken.includes(code)) return { kind: 'refused', reason: code }
  return {
    kind: 'later',
    afterMs: tokenMs,
    token: { code, needed: typeof needed === 'string' ? needed : null },
  }
}

/**
 * Logger that drops the SDK's lines, since they contain texts and addresses. The responses tell all
 * that matters.
 */
export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error' as never,
  setName() {},
}
