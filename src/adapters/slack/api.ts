import {
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { wasNeverSent } from '../channel-kit/send-outcomes.ts'
import { limits } from './limits.ts'

export interface Token {
  botToken: string
  /** Workspace that calls have to name; null unless the token is that of a whole organisation. */
  callsFor: string | null
}

export interface Tokens {
  /** The bot token for a workspace; null when Clew is not installed there. Throws when the store is away. */
  of(workspace: string): Promise<Token | null>
}

/** Why a call did not do what it was for; a delivery comes to the same. */
export type Problem =
  /**
   * Slack has not done it and says when to try again, or was never reached; or not with this token: it was taken back, or
   * lacks a scope, which is then named.
   */
  | { kind: 'later'; afterMs: number; token?: TokenProblem }
  /** The answer never came or says nothing: it may have happened (P2). */
  | { kind: 'unknown' }
  /** Slack will not do it; the reason is its code. */
  | { kind: 'refused'; reason: string }

interface TokenProblem {
  code: string
  needed: string | null
}

export type Answer<T> = { kind: 'ok'; value: T } | Problem

/** For calls of which nothing but their success matters. */
export const Anything = z.looseObject({})

const Granted = z.looseObject({
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
})

export interface Api {
  /**
   * Calls a method of the Web API as the workspace's bot, once: whether and when to try again is the caller's business.
   * Never throws. A method that was told to wait is not called again before its time, in this workspace (and channel,
   * for posting). `minor` is an adornment: a token that does not allow it is no trouble to speak of.
   */
  call<T>(
    workspace: string,
    method: string,
    args: Record<string, unknown>,
    schema: z.ZodType<T>,
    options?: { minor?: boolean },
  ): Promise<Answer<T>>
  /** What the bot may do in a workspace, as Slack said last; null before it said anything. */
  scopes(workspace: string): readonly string[] | null
  /** The last problem with a workspace's token, for the health line; null when the last call was fine. */
  trouble(): string | null
}

/** How long a workspace whose token does not work is left alone; longer than anybody waits for an answer. */
const tokenMs = 30_000
const unreachableMs = 2_000
const leastMs = 50
const clientsKept = 5_000

/** Answers that mean "perhaps": Slack failed on its own side. */
const unclear = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
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
]

export function createApi(deps: { tokens: Tokens; apiUrl: string; clock: Clock; log: Log }): Api {
  const { clock, log } = deps
  // Options of its own for every token: the client writes its headers into them.
  const clients = new LRUCache<string, WebClient, Token>({
    max: clientsKept,
    memoMethod: (_name, _stale, { context: { botToken, callsFor } }) =>
      createWebClient(botToken, deps.apiUrl, callsFor === null ? {} : { teamId: callsFor }),
  })
  const waitUntil = new Map<string, number>()
  const troubles = createTroubles(log)
  const granted = new LRUCache<string, readonly string[]>({ max: clientsKept })

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
      // Posting is limited for each channel.
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
      log.warn({ method, problem: error.message }, 'Slack answered something unexpected')
      return { kind: 'unknown' }
    },
    scopes: (workspace) => granted.get(workspace) ?? null,
    trouble: troubles.first,
  }
}

/** What is wrong with the tokens of workspaces. */
function createTroubles(log: Log) {
  const troubles = new Map<string, string>()
  return {
    /** Said once for as long as it stays so. */
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
 * Without retries of its own: the caller decides (I6).
 *
 * @param of `teamId` is named by every call: what an organisation's token reaches depends on it.
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
  })
}

/** What an exception of the Web API's client means for what was to be done. */
export function problemOf(error: unknown): Problem {
  if (error instanceof WebAPIRateLimitedError)
    return { kind: 'later', afterMs: Math.max(leastMs, error.retryAfter * 1_000) }
  if (error instanceof WebAPIPlatformError) return platformProblem(error.data)
  if (error instanceof WebAPIRequestError && wasNeverSent(error))
    return { kind: 'later', afterMs: unreachableMs }
  // Everything else, a 5xx, a cut connection, a time-out, may have come after Slack had done it.
  return { kind: 'unknown' }
}

function platformProblem({ error: code, needed }: { error: string; needed?: unknown }): Problem {
  if (code === 'ratelimited' || code === 'rate_limited') return { kind: 'later', afterMs: 10_000 }
  // A body that is not JSON is put here as it is.
  if (unclear.includes(code) || !/^[a-z0-9_]+$/.test(code)) return { kind: 'unknown' }
  if (!badToken.includes(code)) return { kind: 'refused', reason: code }
  return {
    kind: 'later',
    afterMs: tokenMs,
    token: { code, needed: typeof needed === 'string' ? needed : null },
  }
}

/** The SDK's own lines are dropped: they hold texts and addresses. What matters is in the answers. */
export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => 'error' as never,
  setName() {},
}
